import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { isolated } from '../../../i18n/isolated';
import { directionOf } from '../../../i18n/languages';
import type { HashrateUnit } from '../../../domain';
import {
  formatBitcoin,
  formatChange,
  formatCount,
  formatDecimal,
  formatDifficulty,
  formatHashrate,
  formatPercent,
  formatPrice,
  formatUsd,
  localDecimal,
  type BtcForm,
} from './numbers';
import {
  formatAgo,
  formatClock,
  formatDay,
  formatDayClock,
  formatDuration,
  formatMoment,
  formatMonth,
  formatSpan,
  zoneName,
  type Instant,
  type TimeZone,
} from './time';

export type { TimeZone };
export type Currency = 'usd' | 'none';
const bind = (language: string, timeZone: TimeZone, currency: Currency) => ({
  language,
  timeZone,
  currency,
  /** A text in whose place nothing around it moves in Arabic: a name, a number with its unit. */
  isolated: (text: string) => isolated(language, text),
  /** The arrow between a value and the one after it, which points in the direction of reading. */
  arrow: directionOf(language) === 'rtl' ? '←' : '→',
  /** `a, b and c`. */
  list: (texts: readonly string[], type?: 'unit') =>
    new Intl.ListFormat(language, { type }).format(texts.map((text) => isolated(language, text))),
  count: (value: number) => formatCount(language, value),
  difficulty: (value: number) => formatDifficulty(language, value),
  decimal: (value: number, decimals: number) => formatDecimal(language, value, decimals),
  /** Decimals that the server wrote: `0.05` as `0,05`. */
  local: (text: string) => localDecimal(language, text),
  /** `hs` in H/s. */
  hashrate: (hs: number, unit?: HashrateUnit) => formatHashrate(language, hs, unit),
  /** `21.43 PH/s`. */
  hashrateText: (hs: number, unit?: HashrateUnit) =>
    isolated(language, Object.values(formatHashrate(language, hs, unit)).join(' ')),
  /** `decimals` 0: cut, not rounded. */
  percent: (rate: number, decimals?: number) => isolated(language, formatPercent(language, rate, decimals)),
  /** A change as a part of what was before: `−5 %`. */
  change: (part: number, decimals?: 0 | 2) => isolated(language, formatChange(language, part, decimals)),
  btc: (sats: number, form?: BtcForm) => formatBitcoin(language, sats, form),
  /** `1,570 sats`: for amounts far below a bitcoin. */
  sats: (sats: number) => isolated(language, `${formatCount(language, sats)} sats`),
  price: (btc: number) => formatPrice(language, btc),
  usd: (value: number) => formatUsd(language, value),
  clock: (at: Instant) => formatClock(language, timeZone, at),
  day: (at: Instant, year?: boolean) => formatDay(language, timeZone, at, year),
  month: (at: Instant) => formatMonth(language, timeZone, at),
  dayClock: (at: Instant, year?: boolean) => formatDayClock(language, timeZone, at, year),
  moment: (at: Instant) => formatMoment(language, timeZone, at),
  zone: (at: Instant) => zoneName(language, timeZone, at),
  ago: (at: number, now: number) => formatAgo(language, at, now),
  duration: (seconds: number, parts?: 1 | 2) => formatDuration(language, seconds, parts),
  /** `11 months`. */
  span: (days: number) => formatSpan(language, days),
});
type Bound = ReturnType<typeof bind>;

const FormatContext = createContext<Bound>(bind('en', 'utc', 'usd'));

export function FormatProvider({
  language,
  timeZone,
  currency = 'usd',
  children,
}: {
  language: string;
  timeZone: TimeZone;
  currency?: Currency;
  children: ReactNode;
}) {
  const bound = useMemo(() => bind(language, timeZone, currency), [language, timeZone, currency]);
  return <FormatContext value={bound}>{children}</FormatContext>;
}

/** Formatters for the user's language and zone. Days of money are UTC: `formatDay(language, 'utc', day)`. */
export const useFormat = (): Bound => useContext(FormatContext);
