import { numberFormat } from './intl';

/** Displayed for unknown values, instead of zero. */
export const DASH = '—';

/** `184206` as `184,206` (en), `184 206` (ru, fr). */
export const formatCount = (language: string, value: number): string =>
  numberFormat(language, { maximumFractionDigits: 0 }).format(value);

/**
 * `0.0059` as `0.59 %`. The dot and the space are the same in every language, like hashrates and amounts of bitcoin.
 */
export function formatPercent(rate: number, decimals = 2): string {
  return `${(rate * 100).toFixed(decimals)}\u00a0%`;
}

/** `3318.4` as `$3,318`; cents only under $100, where they matter. */
export function formatUsd(language: string, usd: number): string {
  const decimals = Math.abs(usd) < 100 ? 2 : 0;
  const amount = numberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
    Math.abs(usd),
  );
  return `${usd < 0 ? '-' : ''}$${amount}`;
}
