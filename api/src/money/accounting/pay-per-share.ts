/** What work earns: pure arithmetic, without the database. */
import { ALGORITHMS, hashrateOfWork, SATS_PER_BTC, type AlgorithmName } from '@pool/shared/domain';
import { split } from './split';

export const DAY_S = 86_400;

export type Earned = { grossSat: number; feeSat: number; netSat: number };

/** Mean H/s over a UTC day of `work` (sum of difficulties). `adjustPercent`: added by the newcomer rule. */
export const meanHashrateOf = (algorithm: AlgorithmName, work: number, adjustPercent = 0): number =>
  hashrateOfWork(algorithm, work, DAY_S) * ((100 + adjustPercent) / 100);

/** Splits a gross into fee and net, and the referrer's share of the fee (`referralSat`). All in whole satoshis. */
export function partsOf(
  grossSat: number,
  feePercent: number,
  referralPercent: number,
): Earned & { referralSat: number } {
  const [feeSat = 0, netSat = 0] = split(grossSat, [feePercent, 100 - feePercent]);
  const [referralSat = 0] = referralPercent > 0 ? split(feeSat, [referralPercent, 100 - referralPercent]) : [];
  return { grossSat, feeSat, netSat, referralSat };
}

/** Satoshis for a mean hashrate (H/s) over one UTC day, rounded down. */
export function grossOf(algorithm: AlgorithmName, meanHashrate: number, priceBtc: number): number {
  // The factor 1 + 1e-12 prevents floating-point errors such as 0.29 * 1e8 = 28,999,999.
  return Math.floor((meanHashrate / ALGORITHMS[algorithm].priceUnitHs) * priceBtc * SATS_PER_BTC * (1 + 1e-12));
}
