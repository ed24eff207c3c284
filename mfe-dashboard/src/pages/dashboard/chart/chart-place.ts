/**
 * What the chart shows, in the URL: `?timeframe=&tz=&group=&compare=&events=`, once the user has chosen it. Links to
 * other pages keep timeframe and zone. Each choice is an entry of the browser's history.
 */
import { DEFAULT_TIMEFRAME, TIMEFRAME_NAMES, type Timeframe } from '@pool/shared';
import { useSearchParams } from '@pool/shared/router';

/** Null until the user has chosen a timeframe. */
export const readTimeframe = (params: URLSearchParams): Timeframe | null =>
  TIMEFRAME_NAMES.find((name) => name === params.get('timeframe')) ?? null;

/**
 * `group`: a worker group; undefined: all workers. `compare`: see more/compared.ts. `events`: whether they are marked.
 */
export function useChartPlace() {
  const [params, setParams] = useSearchParams();
  /** Null takes the choice out of the URL. */
  const choose = (name: 'timeframe' | 'tz' | 'group' | 'compare' | 'events', value: string | null) =>
    setParams((now) => {
      const next = new URLSearchParams(now);
      if (value === null) next.delete(name);
      else next.set(name, value);
      return next;
    });
  return {
    timeframe: readTimeframe(params),
    group: params.get('group')?.slice(0, 64) || undefined,
    compare: params.get('compare'),
    events: params.get('events') !== 'off',
    choose,
  };
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
