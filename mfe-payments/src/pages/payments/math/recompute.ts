/** Computes an earning anew from its work, price and terms, with code that shares nothing with the server's. */
import { SATS_PER_BTC, type Answer } from '@pool/shared';

export type EarningMath = Answer<'GET /earnings/{day}/math'>;

export type Figure =
  | 'measuredHashrate'
  | 'meanHashrate'
  | 'exactGrossSat'
  | 'computedGrossSat'
  | 'grossSat'
  | 'feeSat'
  | 'netSat'
  | 'referralSat'
  | 'poolSat';

/** Part of `percent` of whole satoshis, and the rest: the larger remainder gets a satoshi left over, else the part. */
function partOf(sats: number, percent: number): number {
  const part = sats * (percent / 100);
  const rest = sats * ((100 - percent) / 100);
  const left = sats - Math.floor(part) - Math.floor(rest);
  return Math.floor(part) + (left > 0 && part % 1 >= rest % 1 ? left : 0);
}

export function recompute(math: EarningMath): Record<Figure, number> {
  const measuredHashrate = (math.work * math.hashesPerDifficulty) / math.seconds;
  const meanHashrate = math.newcomer
    ? measuredHashrate * ((100 + math.newcomer.adjustPercent) / 100)
    : measuredHashrate;
  const exactGrossSat = (meanHashrate / math.priceUnitHs) * math.priceBtc * SATS_PER_BTC;
  // A sum that misses a whole satoshi by the computer's own rounding is that satoshi.
  const computedGrossSat = Math.floor(exactGrossSat * (1 + 1e-12));
  const grossSat = math.adjustments.at(-1)?.grossSat ?? computedGrossSat;
  const feeSat = partOf(grossSat, math.feePercent);
  const referralSat = partOf(feeSat, math.referralPercent);
  return {
    measuredHashrate,
    meanHashrate,
    exactGrossSat,
    computedGrossSat,
    grossSat,
    feeSat,
    netSat: grossSat - feeSat,
    referralSat,
    poolSat: feeSat - referralSat,
  };
}

/** What has a fraction is equal to twelve digits; satoshis are equal or not. */
const INEXACT: ReadonlySet<Figure> = new Set(['measuredHashrate', 'meanHashrate', 'exactGrossSat']);
const same = (figure: Figure, a: number, b: number): boolean =>
  a === b || (INEXACT.has(figure) && Math.abs(a - b) <= Math.abs(b) * 1e-12);

/** The figures in which the pool's computation and the one of this browser differ. */
export function differences(math: EarningMath, own = recompute(math)): Figure[] {
  return (Object.keys(own) as Figure[]).filter((figure) => !same(figure, own[figure], math[figure]));
}
