/** What a hashrate earns a day at the pool's price of today, and when that is paid out. */
import { ALGORITHMS, SATS_PER_BTC, type AlgorithmName, type Answer } from '@pool/shared';

type Pool = Pick<Answer<'GET /getPoolStatistics'>[number], 'priceBtc' | 'feePercent'>;
type Balance = Pick<Answer<'GET /payment/'>, 'unpaidSat' | 'thresholdSat'>;

const DAY_S = 86_400;
const YEAR_DAYS = 365;

/** `payoutAt`: Unix seconds, the day after the one that reaches the threshold; null: more than a year away. */
export function estimateOf(
  algorithm: AlgorithmName,
  hashrate: number,
  { priceBtc, feePercent }: Pool,
  { unpaidSat, thresholdSat }: Balance,
  now: number,
): { daySat: number; payoutAt: number | null } {
  const gross = (hashrate / ALGORITHMS[algorithm].priceUnitHs) * priceBtc * SATS_PER_BTC;
  const daySat = Math.floor(gross * (1 - feePercent / 100));
  const days = Math.ceil(Math.max(0, thresholdSat - unpaidSat) / daySat);
  return { daySat, payoutAt: days <= YEAR_DAYS ? now + (days + 1) * DAY_S : null };
}
