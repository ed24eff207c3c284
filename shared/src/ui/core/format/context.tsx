import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { formatCount, formatPercent, formatUsd } from './numbers';
import {
  formatAgo,
  formatClock,
  formatDay,
  formatDuration,
  formatMoment,
  formatMonth,
  zoneName,
  type Instant,
  type TimeZone,
} from './time';

export type { TimeZone };
type Bound = {
  language: string;
  timeZone: TimeZone;
  count(value: number): string;
  percent(rate: number, decimals?: number): string;
  usd(value: number): string;
  clock(at: Instant): string;
  day(at: Instant, year?: boolean): string;
  month(at: Instant): string;
  moment(at: Instant): string;
  zone(at: Instant): string;
  ago(at: number, now: number): string;
  duration(seconds: number, parts?: 1 | 2): string;
};

const bind = (language: string, zone: TimeZone): Bound => ({
  language,
  timeZone: zone,
  count: (value) => formatCount(language, value),
  percent: formatPercent,
  usd: (value) => formatUsd(language, value),
  clock: (at) => formatClock(language, zone, at),
  day: (at, year) => formatDay(language, zone, at, year),
  month: (at) => formatMonth(language, zone, at),
  moment: (at) => formatMoment(language, zone, at),
  zone: (at) => zoneName(language, zone, at),
  ago: (at, now) => formatAgo(language, at, now),
  duration: (seconds, parts) => formatDuration(language, seconds, parts),
});

const FormatContext = createContext<Bound>(bind('en', 'utc'));

export function FormatProvider({
  language,
  timeZone,
  children,
}: {
  language: string;
  timeZone: TimeZone;
  children: ReactNode;
}) {
  const bound = useMemo(() => bind(language, timeZone), [language, timeZone]);
  return <FormatContext value={bound}>{children}</FormatContext>;
}

/**
 * Formatters for the user's language and time zone. Days of money are UTC: format them with `formatDay(language, 'utc',
 * day)`.
 */
export const useFormat = (): Bound => useContext(FormatContext);
