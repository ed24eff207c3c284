/** Money is an integer number of satoshis until these functions. */
export const SATS_PER_BTC = 100_000_000;

/** Price defaults of specification 9, used when no live price can be had. */
export const DEFAULT_BTC_PRICE_USD = 100_000;
export const DEFAULT_PRICE_BTC = {
  /** BTC per PH/s per day. */
  SHA256_ASICBOOST: 0.00049,
  /** BTC per TH/s per day. */
  SCRYPT: 0.0092,
} as const;

/** A price so many times the default, or so small a part of it, is a mistake of somebody's. */
const FAR = 100;
export const priceBounds = (algorithm: keyof typeof DEFAULT_PRICE_BTC): { least: number; most: number } => ({
  least: DEFAULT_PRICE_BTC[algorithm] / FAR,
  most: DEFAULT_PRICE_BTC[algorithm] * FAR,
});

/** `1030998` as `0.01030998`: exact, always eight decimals. */
export function formatBtc(sats: number): string {
  if (!Number.isSafeInteger(sats)) throw new RangeError(`not a whole number of satoshis: ${sats}`);
  const digits = String(Math.abs(sats)).padStart(9, '0');
  return `${sats < 0 ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** The same without trailing zeros, for headline figures: `0.05`. */
export const formatBtcShort = (sats: number): string => formatBtc(sats).replace(/\.?0+$/, '') || '0';

/** Splits `0.01030998` into leading zeros (shown quieter) and the figures that matter. */
export function splitBtc(sats: number): { quiet: string; strong: string } {
  const text = formatBtc(sats);
  const quiet = /^-?0\.0*/.exec(text)?.[0] ?? '';
  return quiet.length === text.length ? { quiet: '', strong: text } : { quiet, strong: text.slice(quiet.length) };
}

/** Value of `sats` in US dollars at `priceUsd` for one bitcoin; for showing only. */
export const usdOf = (sats: number, priceUsd: number): number => (sats / SATS_PER_BTC) * priceUsd;
