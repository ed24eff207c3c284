import { ALGORITHMS, type AlgorithmName } from './algorithms';

/** Money is an integer number of satoshis everywhere; only these functions convert it, for display. */
export const SATS_PER_BTC = 100_000_000;

/** Used when no price is known. The default prices of work are in ALGORITHMS. */
export const DEFAULT_BTC_PRICE_USD = 100_000;
/** Pool fee in percent of the gross where the operator has set none. */
export const DEFAULT_FEE_PERCENT = 1.5;

/** Reject prices more than 100x off the default. */
const MAX_FACTOR = 100;
export const priceBounds = (algorithm: AlgorithmName): { least: number; most: number } => ({
  least: ALGORITHMS[algorithm].defaultPriceBtc / MAX_FACTOR,
  most: ALGORITHMS[algorithm].defaultPriceBtc * MAX_FACTOR,
});

/** `1030998` as `0.01030998`: exact, always eight decimals. */
export function formatBtc(sats: number): string {
  if (!Number.isSafeInteger(sats)) throw new RangeError(`not a whole number of satoshis: ${sats}`);
  const digits = String(Math.abs(sats)).padStart(9, '0');
  return `${sats < 0 ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** Part of the payout threshold that the balance has reached, 0 to 1. */
export const thresholdReached = ({ unpaidSat, thresholdSat }: { unpaidSat: number; thresholdSat: number }): number =>
  thresholdSat > 0 ? Math.min(1, Math.max(0, unpaidSat / thresholdSat)) : 1;

/** Amount without trailing zeros, for headline figures: `0.05`. */
export const formatBtcShort = (sats: number): string => formatBtc(sats).replace(/\.?0+$/, '') || '0';

/** Splits `0.01030998` into leading zeros (displayed less prominently) and significant digits. */
export function splitBtc(sats: number): { quiet: string; strong: string } {
  const text = formatBtc(sats);
  const quiet = /^-?0\.0*/.exec(text)?.[0] ?? '';
  return quiet.length === text.length ? { quiet: '', strong: text } : { quiet, strong: text.slice(quiet.length) };
}

/** Value of `sats` in US dollars at `priceUsd` for one bitcoin; for display only. */
export const usdOf = (sats: number, priceUsd: number): number => (sats / SATS_PER_BTC) * priceUsd;

/** Upper limit of one earning, satoshis: about twice what all bitcoin miners together earn in a day. */
export const MAX_EARNING_SAT = 100_000_000_000;
