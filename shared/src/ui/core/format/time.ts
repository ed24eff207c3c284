import { dateFormat, numberFormat } from './intl';
import { serverTime } from '../../../api/clock';
import { ofLanguage, type Language } from '../../../i18n/languages';

/** Time zone of displayed times. */
export type TimeZone = 'utc' | 'local';
/** Unix seconds, an ISO 8601 string, or a Date. */
export type Instant = number | string | Date;

const zoneOf = (zone: TimeZone): string | undefined => (zone === 'utc' ? 'UTC' : undefined);
const dateOf = (at: Instant): Date => (typeof at === 'number' ? new Date(at * 1000) : new Date(at));

/** `14:32`. */
export const formatClock = (language: string, zone: TimeZone, at: Instant): string =>
  dateFormat(language, zoneOf(zone), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(dateOf(at));

const yearOf = (zone: TimeZone, date: Date): number => (zone === 'utc' ? date.getUTCFullYear() : date.getFullYear());
const isOtherYear = (zone: TimeZone, at: Instant): boolean =>
  yearOf(zone, dateOf(at)) !== yearOf(zone, new Date(serverTime()));
const withYear = (year: boolean) => year && ({ year: 'numeric' } as const);

/** `21 Nov`, or `21 Nov 2025` with the year: that of another year than this one, unless `year` says otherwise. */
export const formatDay = (
  language: string,
  zone: TimeZone,
  at: Instant,
  year: boolean = isOtherYear(zone, at),
): string =>
  dateFormat(language, zoneOf(zone), { day: 'numeric', month: 'short', ...withYear(year) }).format(dateOf(at));

/** `Nov`; of another year `Nov 2025`. */
export const formatMonth = (language: string, zone: TimeZone, at: Instant): string =>
  dateFormat(language, zoneOf(zone), { month: 'short', ...withYear(isOtherYear(zone, at)) }).format(dateOf(at));

/** Two UTC days as one text: `1 – 20 Nov 2026`. */
export const formatDays = (language: string, from: Instant, to: Instant): string =>
  dateFormat(language, 'UTC', { day: 'numeric', month: 'short', year: 'numeric' }).formatRange(
    dateOf(from),
    dateOf(to),
  );

/** `UTC`, or the offset of the reader's zone at that time, in the same form in every language: `UTC+05:30`. */
export function zoneName(language: string, zone: TimeZone, at: Instant): string {
  if (zone === 'utc') return 'UTC';
  const written = dateFormat(language, undefined, { timeZoneName: 'longOffset' }).format(dateOf(at));
  return `UTC${/[+−-]\d\d:\d\d/.exec(written)?.[0] ?? '+00:00'}`;
}

/** `21 Nov, 14:32`, with the comma of the language; with the year like `formatDay`. */
export const formatDayClock = (language: string, zone: TimeZone, at: Instant, year?: boolean): string =>
  `${formatDay(language, zone, at, year)}${language === 'ar' ? '،' : ','} ${formatClock(language, zone, at)}`;

/** `21 Nov 2025, 14:32 UTC`. */
export const formatMoment = (language: string, zone: TimeZone, at: Instant): string =>
  `${formatDayClock(language, zone, at, true)} ${zoneName(language, zone, at)}`;

const SIZES = [86_400, 3600, 60, 1] as const;
/** Short units of durations. Intl's short forms are longer ("34 sec.") and differ between browsers. */
const UNITS: Record<Language, readonly [string, string, string, string]> = {
  en: ['d', 'h', 'min', 's'],
  ru: ['д', 'ч', 'мин', 'с'],
  fr: ['j', 'h', 'min', 's'],
  ar: ['ي', 'س', 'د', 'ث'],
};
const AGO: Record<Language, (age: string) => string> = {
  en: (age) => `${age} ago`,
  ru: (age) => `${age} назад`,
  fr: (age) => `il y a ${age}`,
  ar: (age) => `قبل ${age}`,
};

/** A duration in its one or two largest units: `34 s`, `24 min`, `5 d 8 h`. */
export function formatDuration(language: string, seconds: number, parts: 1 | 2 = 1): string {
  const units = ofLanguage(UNITS, language);
  let rest = Math.max(0, Math.floor(seconds));
  const first = SIZES.findIndex((size) => rest >= size);
  const words: string[] = [];
  SIZES.forEach((size, index) => {
    const starts = first === -1 ? SIZES.length - 1 : first;
    if (index < starts || index >= starts + parts) return;
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || index === starts) words.push(`${count}\u00a0${units[index]}`);
  });
  return words.join(' ');
}

/** A long time in round words: `11 months`, `230 years`. */
export function formatSpan(language: string, days: number): string {
  const [value, unit] = days < 60 ? [days, 'day'] : days < 730 ? [days / 30.44, 'month'] : [days / 365.25, 'year'];
  return numberFormat(language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 }).format(value);
}

/** `4 s ago`; `at` and `now` in Unix seconds. */
export function formatAgo(language: string, at: number, now: number): string {
  const age = formatDuration(language, now - at);
  return ofLanguage(AGO, language)(age);
}
