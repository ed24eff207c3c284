/** What a chart can be compared with: the same timeframe, ended some days earlier. */
import type { Series, Timeframe } from '@pool/shared';

/** H/s, step by step; null: nothing is known. */
export type Points = readonly (number | null)[];

export const COMPARED_DAYS = { day: 1, week: 7 } as const;
export type Compared = keyof typeof COMPARED_DAYS;
export const COMPARED = Object.keys(COMPARED_DAYS) as Compared[];

/** Earlier times of each timeframe whose steps are still there. */
const COMPARABLE: Partial<Record<Timeframe, readonly Compared[]>> = { h2: ['day'], d1: ['day', 'week'], d7: ['week'] };
export const isComparable = (timeframe: Timeframe, compared: Compared): boolean =>
  COMPARABLE[timeframe]?.includes(compared) ?? false;

/** What the URL names, if the timeframe can be compared with it. */
export const comparedOf = (name: string | undefined, timeframe: Timeframe): Compared | undefined =>
  COMPARED.find((compared) => compared === name && isComparable(timeframe, compared));

/** The points of `earlier`, which was so many `days` before, step by step as `series`; null where it has none. */
export function earlierPoints(series: Series, earlier: Series, days: number): (number | null)[] {
  const behind = Math.round((earlier.from + days * 86_400 - series.from) / series.step);
  return series.accepted.map((_, i) => (earlier.step === series.step ? (earlier.accepted[i - behind] ?? null) : null));
}

/** Means of two series over the steps that both have; null when they share no step. */
export function meansOf(points: Points, earlier: Points): { now: number; before: number } | null {
  const both = points.flatMap((point, i) => {
    const other = earlier[i];
    return point === null || other === null || other === undefined ? [] : [[point, other] as const];
  });
  if (both.length === 0) return null;
  const mean = (which: 0 | 1) => both.reduce((sum, pair) => sum + pair[which], 0) / both.length;
  return { now: mean(0), before: mean(1) };
}
