/**
 * Timeframe and time zone of the chart in the URL: `?timeframe=&tz=`, once the user has chosen them. Links to other
 * pages keep both.
 */
import { DEFAULT_TIMEFRAME, TIMEFRAME_NAMES, type Settings, type Timeframe } from '@pool/shared';
import { useSearchParams } from '@pool/shared/router';

/** Null until the user has chosen a timeframe. */
export const readTimeframe = (params: URLSearchParams): Timeframe | null =>
  TIMEFRAME_NAMES.find((name) => name === params.get('timeframe')) ?? null;

/** `choose` adds an entry to the browser's history. */
export function useChartPlace() {
  const [params, setParams] = useSearchParams();
  const choose = (name: 'timeframe' | 'tz', value: Timeframe | Settings['timeZone']) =>
    setParams((now) => {
      const next = new URLSearchParams(now);
      next.set(name, value);
      return next;
    });
  return { timeframe: readTimeframe(params), choose };
}

/** Points of a day's chart below which the live view is the default. */
const MIN_DAY_POINTS = 6;

/**
 * The default timeframe: the day, or live while a new miner has less than an hour of history, so that the first shares
 * show at once. `day`: points of the day's chart; `hs`: current hashrate (H/s); both undefined while unknown.
 */
export const usualTimeframe = (day: readonly (number | null)[] | undefined, hs: number | undefined): Timeframe =>
  day && day.filter((point) => point !== null).length < MIN_DAY_POINTS && hs !== undefined && hs > 0
    ? 'h2'
    : DEFAULT_TIMEFRAME;
