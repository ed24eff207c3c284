/** What work earns: pure arithmetic, without the database. */
import { type AlgorithmName, ALGORITHMS, hashrateOfWork, SATS_PER_BTC } from '@pool/shared/domain';

/** Divides `total` satoshis by `weights`; the rest of rounding goes to the largest remainders, first on a tie. */
export function split(total: number, weights: readonly number[]): number[] {
  if (!Number.isSafeInteger(total) || total < 0) throw new RangeError(`not an amount: ${total}`);
  if (weights.some((weight) => !(weight >= 0 && Number.isFinite(weight))))
    throw new RangeError('a weight is not a positive number');
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum <= 0) throw new RangeError('the weights are all zero');
  const exact = weights.map((weight) => total * (weight / sum));
  const parts = exact.map((value) => Math.min(total, Math.floor(value)));
  let left = total - parts.reduce((a, b) => a + b, 0);
  const order = exact
    .map((value, index) => ({ index, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest);
  for (let i = 0; left !== 0; i = (i + 1) % order.length) {
    const index = order[i]?.index ?? 0;
    const step = Math.sign(left);
    if ((parts[index] ?? 0) + step < 0) continue;
    parts[index] = (parts[index] ?? 0) + step;
    left -= step;
  }
  return parts;
}

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
  const [referralSat = 0] = split(feeSat, [referralPercent, 100 - referralPercent]);
  return { grossSat, feeSat, netSat, referralSat };
}

/** Satoshis for a mean hashrate (H/s) over one UTC day, rounded down. */
export function grossOf(algorithm: AlgorithmName, meanHashrate: number, priceBtc: number): number {
  // The factor 1 + 1e-12 prevents floating-point errors such as 0.29 * 1e8 = 28,999,999.
  return Math.floor((meanHashrate / ALGORITHMS[algorithm].priceUnitHs) * priceBtc * SATS_PER_BTC * (1 + 1e-12));
}
