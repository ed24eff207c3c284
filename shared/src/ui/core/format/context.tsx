import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { isolated } from '../../../i18n/isolated';
import type { HashrateParts, HashrateUnit } from '../../../domain';
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
type Bound = {
  /** A text in whose place nothing around it moves in Arabic: a name, a number with its unit. */
  isolated(text: string): string;
  /** `a, b and c`. */
  list(texts: readonly string[], type?: 'unit'): string;
  language: string;
  timeZone: TimeZone;
  currency: Currency;
  count(value: number): string;
  decimal(value: number, decimals: number): string;
  difficulty(value: number): string;
  /** Decimals that the server wrote: `0.05` as `0,05`. */
  local(text: string): string;
  /** `hs` in H/s. */
  hashrate(hs: number, unit?: HashrateUnit): HashrateParts;
  /** `21.43 PH/s`. */
  hashrateText(hs: number, unit?: HashrateUnit): string;
  /** `decimals` 0: cut, not rounded. */
  percent(rate: number, decimals?: number): string;
  /** A change as a part of what was before: `−5 %`. */
  change(part: number, decimals?: 0 | 2): string;
  btc(sats: number, form?: BtcForm): string;
  /** `1,570 sats`: for amounts far below a bitcoin. */
  sats(sats: number): string;
  price(btc: number): string;
  usd(value: number): string;
  clock(at: Instant): string;
  day(at: Instant, year?: boolean): string;
  month(at: Instant): string;
  dayClock(at: Instant, year?: boolean): string;
  moment(at: Instant): string;
  zone(at: Instant): string;
  ago(at: number, now: number): string;
  duration(seconds: number, parts?: 1 | 2): string;
  /** `11 months`. */
  span(days: number): string;
};

const bind = (language: string, zone: TimeZone, currency: Currency): Bound => ({
  isolated: (text) => isolated(language, text),
  list: (texts, type) => new Intl.ListFormat(language, { type }).format(texts.map((text) => isolated(language, text))),
  language,
  timeZone: zone,
  currency,
  count: (value) => formatCount(language, value),
  difficulty: (value) => formatDifficulty(language, value),
  decimal: (value, decimals) => formatDecimal(language, value, decimals),
  local: (text) => localDecimal(language, text),
  hashrate: (hs, unit) => formatHashrate(language, hs, unit),
  hashrateText: (hs, unit) => isolated(language, Object.values(formatHashrate(language, hs, unit)).join(' ')),
  percent: (rate, decimals) => isolated(language, formatPercent(language, rate, decimals)),
  change: (part, decimals) => isolated(language, formatChange(language, part, decimals)),
  btc: (sats, form) => formatBitcoin(language, sats, form),
  sats: (sats) => isolated(language, `${formatCount(language, sats)} sats`),
  price: (btc) => formatPrice(language, btc),
  usd: (value) => formatUsd(language, value),
  clock: (at) => formatClock(language, zone, at),
  day: (at, year) => formatDay(language, zone, at, year),
  month: (at) => formatMonth(language, zone, at),
  dayClock: (at, year) => formatDayClock(language, zone, at, year),
  moment: (at) => formatMoment(language, zone, at),
  zone: (at) => zoneName(language, zone, at),
  ago: (at, now) => formatAgo(language, at, now),
  duration: (seconds, parts) => formatDuration(language, seconds, parts),
  span: (days) => formatSpan(language, days),
});

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
