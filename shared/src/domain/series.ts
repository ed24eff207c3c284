/** Timeframes of a history chart: span and step in seconds. `h2` is the live view. */
export const TIMEFRAMES = {
  h2: { span: 2 * 3600, step: 60 },
  d1: { span: 86_400, step: 600 },
  d7: { span: 7 * 86_400, step: 3600 },
  d30: { span: 30 * 86_400, step: 3 * 3600 },
  d90: { span: 90 * 86_400, step: 6 * 3600 },
  y1: { span: 365 * 86_400, step: 86_400 },
} as const;
export type Timeframe = keyof typeof TIMEFRAMES;
export const TIMEFRAME_NAMES = Object.keys(TIMEFRAMES) as [Timeframe, ...Timeframe[]];
export const DEFAULT_TIMEFRAME: Timeframe = 'd1';

/** Mean of the points without gaps; null when all are gaps. */
export function meanOf(points: readonly (number | null)[]): number | null {
  const known = points.filter((p): p is number => p !== null);
  return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
}
