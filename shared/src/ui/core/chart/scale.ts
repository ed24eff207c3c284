/** Axes: round values from zero, and round times. */
import type { TimeZone } from '../format/time';

const ROUND = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The smallest round step with which `intervals` steps from zero reach `max`. */
function roundStep(max: number, intervals: number): number {
  const raw = max / intervals;
  const power = 10 ** Math.floor(Math.log10(raw));
  return (ROUND.find((r) => r * power >= raw * (1 - 1e-9)) ?? 10) * power;
}

/** Tick values from zero to at least `max`: three or four intervals, whichever leaves less empty space. */
export function valueTicks(max: number, prefer: 3 | 4 = 4): number[] {
  if (!(max > 0)) return [0, 1];
  const other = prefer === 4 ? 3 : 4;
  const [step, count] = [prefer, other]
    .map((n) => [roundStep(max, n), n] as const)
    .reduce((best, next) => (next[0] * next[1] < best[0] * best[1] * (1 - 1e-9) ? next : best));
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/** The fewest decimals that distinguish the ticks. */
export function tickDecimals(ticks: readonly number[]): number {
  const step = ticks[1] ?? 1;
  return [0, 1, 2, 3].find((d) => Math.abs(step - Number(step.toFixed(d))) < step / 1e6) ?? 4;
}

const MINUTE = 60;
const QUARTER = 900;
const HOUR = 3600;
const DAY = 86_400;
const STEPS = [
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  4 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
];
const MONTH_STEPS = [1, 2, 3, 6, 12];

export type TimeTicks = { at: number[]; kind: 'clock' | 'day' | 'month' };

/** Clock fields in the user's time zone or UTC. The Date constructor handles days with 23 or 25 hours. */
const wall = (zone: TimeZone) => ({
  read: (t: number) => {
    const d = new Date(t * 1000);
    return zone === 'utc'
      ? {
          year: d.getUTCFullYear(),
          month: d.getUTCMonth(),
          day: d.getUTCDate(),
          minute: d.getUTCHours() * 60 + d.getUTCMinutes(),
          weekday: d.getUTCDay(),
        }
      : {
          year: d.getFullYear(),
          month: d.getMonth(),
          day: d.getDate(),
          minute: d.getHours() * 60 + d.getMinutes(),
          weekday: d.getDay(),
        };
  },
  make: (year: number, month: number, day: number) =>
    (zone === 'utc' ? Date.UTC(year, month, day) : new Date(year, month, day).getTime()) / 1000,
});

/** At most `most` round times between `from` and `to` (Unix seconds), round in the displayed time zone. */
export function timeTicks(from: number, to: number, zone: TimeZone, most: number): TimeTicks {
  const { read, make } = wall(zone);
  const start = read(from);
  const step = STEPS.find((s) => (to - from) / s <= most);
  const collect = (next: (i: number) => number): number[] => {
    const at: number[] = [];
    for (let i = 0, t = next(0); t <= to; t = next((i += 1))) if (t >= from && at.at(-1) !== t) at.push(t);
    return at;
  };
  if (step === undefined) {
    const months = MONTH_STEPS.find((m) => (to - from) / (m * 30.4 * DAY) <= most) ?? 12;
    return {
      kind: 'month',
      at: collect((i) => make(start.year, Math.floor(start.month / months) * months + i * months, 1)),
    };
  }
  if (step >= DAY) {
    // Weeks start on Monday.
    const back = step % (7 * DAY) === 0 ? (start.weekday + 6) % 7 : 0;
    return { kind: 'day', at: collect((i) => make(start.year, start.month, start.day - back + (i * step) / DAY)) };
  }
  // Real time goes on through the hour that a clock repeats or leaves out; clocks are whole quarters of an hour from UTC.
  const grid = step < QUARTER ? 5 * MINUTE : QUARTER;
  const at: number[] = [];
  for (let t = Math.ceil(from / grid) * grid; t <= to; t += grid)
    if ((read(t).minute * MINUTE) % step === 0 && t - (at.at(-1) ?? -Infinity) > step / 2) at.push(t);
  return { kind: 'clock', at };
}
