import { dateFormat, numberFormat } from './intl';

/** Zone times are shown in. */
export type TimeZone = 'utc' | 'local';
/** Unix seconds, an ISO 8601 string, or a Date. */
export type Instant = number | string | Date;

const zoneOf = (zone: TimeZone): string | undefined => (zone === 'utc' ? 'UTC' : undefined);
export const dateOf = (at: Instant): Date => (typeof at === 'number' ? new Date(at * 1000) : new Date(at));

/** `14:32`. */
export const formatClock = (language: string, zone: TimeZone, at: Instant): string =>
  dateFormat(language, zoneOf(zone), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(dateOf(at));

/** `21 Nov`, or `21 Nov 2025` with the year. */
export const formatDay = (language: string, zone: TimeZone, at: Instant, year = false): string =>
  dateFormat(language, zoneOf(zone), { day: 'numeric', month: 'short', ...(year && { year: 'numeric' }) }).format(dateOf(at));

/** `Nov`. */
export const formatMonth = (language: string, zone: TimeZone, at: Instant): string =>
  dateFormat(language, zoneOf(zone), { month: 'short' }).format(dateOf(at));

/** `UTC`, or the reader's zone with its offset at that time: `GMT+3`. */
export function zoneName(language: string, zone: TimeZone, at: Instant): string {
  if (zone === 'utc') return 'UTC';
  return dateFormat(language, undefined, { timeZoneName: 'shortOffset' }).formatToParts(dateOf(at)).find((p) => p.type === 'timeZoneName')?.value ?? '';
}

/** `21 Nov 2025, 14:32 UTC`. */
export const formatMoment = (language: string, zone: TimeZone, at: Instant): string =>
  `${formatDay(language, zone, at, true)}, ${formatClock(language, zone, at)} ${zoneName(language, zone, at)}`;

const AGES = [[86_400, 'day'], [3600, 'hour'], [60, 'minute'], [1, 'second']] as const;
const unitFormat = (language: string, unit: string) => numberFormat(language, { style: 'unit', unit, unitDisplay: 'short' });

/** How long `seconds` is, in its one or two largest units: `34 sec`, `5 days 8 hr`; the language's own short forms. */
export function formatDuration(language: string, seconds: number, parts: 1 | 2 = 1): string {
  const whole = Math.max(0, Math.floor(seconds));
  const at = Math.max(0, AGES.findIndex(([size]) => whole >= size));
  const first = whole >= 1 ? at : AGES.length - 1;
  let rest = whole;
  const words: string[] = [];
  for (const [size, unit] of AGES.slice(first, first + parts)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || words.length === 0) words.push(unitFormat(language, unit).format(count));
  }
  return words.join(' ');
}

const relatives = new Map<string, Intl.RelativeTimeFormat>();
/** `4 sec ago`, `2 days ago`; `at` and `now` in Unix seconds. */
export function formatAgo(language: string, at: number, now: number): string {
  let format = relatives.get(language);
  if (!format) relatives.set(language, (format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { style: 'short', numeric: 'always' })));
  const age = Math.max(0, Math.floor(now - at));
  const [size, unit] = AGES.find(([seconds]) => age >= seconds) ?? [1, 'second'];
  return format.format(-Math.floor(age / size), unit);
}
