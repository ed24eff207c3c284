/**
 * How numbers are written; nothing else formats one. In the number form of the language, with Western digits:
 *
 * - Hashrate: two decimals in the unit that leaves less than 1000 of it; a chart or column has one
 *   unit.
 * - Percent: two decimals. A part of a whole (threshold, mean) has none and is cut: 100 % means reached.
 * - Bitcoin: `exact` eight decimals; `headline` five, cut, so that a balance never shows as larger; `set` (by a person)
 *   as it was set.
 * - Price of work: up to four significant digits.
 * - Dollars: cents under 100.
 */
import { displayHashrate, formatBtc, formatBtcShort, type HashrateParts, type HashrateUnit } from '../../../domain';
import { numberFormat } from './intl';

/** As wide as a digit. */
const MINUS = '−';

/** Displayed for unknown values, instead of zero. */
export const DASH = '—';

/** `184206` as `184,206` (en), `184 206` (ru, fr). */
export const formatCount = (language: string, value: number): string =>
  numberFormat(language, { maximumFractionDigits: 0 }).format(value);

/** The difficulty of shares: three significant digits below 100, so that a small one is never 0. */
export const formatDifficulty = (language: string, value: number): string =>
  value < 100 ? numberFormat(language, { maximumSignificantDigits: 3 }).format(value) : formatCount(language, value);

/** `value` with exactly `decimals`: `21.43` (en, ar), `21,43` (ru, fr). Without thousands separators. */
export const formatDecimal = (language: string, value: number, decimals: number): string =>
  numberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: false,
    signDisplay: 'negative',
  }).format(value);

/** Found once: a table writes hundreds of numbers at a time. */
const marks: Record<string, string> = {};
const markOf = (language: string): string => (marks[language] ??= formatDecimal(language, 0.1, 1).charAt(1));
/** Exact decimals of the server or of `formatBtc` in the form of the language: `0.05` as `0,05`. */
export const localDecimal = (language: string, text: string): string =>
  text.replace(/(\d)\.(?=\d)/g, `$1${markOf(language)}`);

/** `hs` (H/s) as value and unit: `21.43`, `PH/s`. */
export function formatHashrate(language: string, hs: number, unit?: HashrateUnit): HashrateParts {
  const shown = displayHashrate(hs, unit);
  return { ...shown, value: localDecimal(language, shown.value) };
}

/** `0.0059` as `0.59 %`; without decimals it is cut: `0.998` as `99 %`. The space is the same in every language. */
export function formatPercent(language: string, rate: number, decimals = 2): string {
  // The smallest part more keeps 0.29 * 100 = 28.999… at 29.
  const percents = decimals === 0 ? Math.floor(rate * 100 + 1e-9) : rate * 100;
  return `${formatDecimal(language, percents, decimals)}\u00a0%`;
}

/** A change as a part of what was before: `-0.046` as `−5 %`, with two decimals as `−4.60 %`; zero has no sign. */
export function formatChange(language: string, part: number, decimals: 0 | 2 = 0): string {
  const percents = Number(Math.abs(part * 100).toFixed(decimals));
  const sign = percents === 0 ? '' : part < 0 ? MINUS : '+';
  return sign + formatPercent(language, percents / 100, decimals);
}

export type BtcForm = 'exact' | 'headline' | 'set';

const HEADLINE_DECIMALS = 5;
/** `sats` in bitcoin. A `headline` that five decimals would show as zero has all eight; zero is `0`. */
export function formatBitcoin(language: string, sats: number, form: BtcForm = 'exact'): string {
  const exact = formatBtc(sats);
  const cut = exact.slice(0, HEADLINE_DECIMALS - 8);
  const headline = sats === 0 ? '0' : Number(cut) === 0 ? exact : cut;
  const text = { exact, headline, set: formatBtcShort(sats) }[form];
  return localDecimal(language, text).replace('-', MINUS);
}

/** Price in bitcoin of a unit of work: `0.0004621`. */
export const formatPrice = (language: string, btc: number): string =>
  numberFormat(language, { maximumSignificantDigits: 4, useGrouping: false }).format(btc);

/** `3318.4` as `$3,318` (en), `3 318 $` (ru, fr); cents only under $100, where they matter. */
export function formatUsd(language: string, usd: number): string {
  const decimals = Math.abs(usd) < 100 ? 2 : 0;
  const text = numberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(usd);
  // Marks of direction: every number stands in an isolate of its own.
  return text.replace(/[\u200e\u200f\u061c]/g, '').replace('-', MINUS);
}
