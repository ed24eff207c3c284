/** What the chart shows, as it stands in the URL: `?timeframe=&tz=`, once the reader has chosen. Both go along from page to page. */
import { DEFAULT_TIMEFRAME, TIMEFRAME_NAMES, type Settings, type Timeframe } from '@pool/shared';
import { useSearchParams } from '@pool/shared/router';

/** Null until one was chosen. */
export const readTimeframe = (params: URLSearchParams): Timeframe | null =>
  TIMEFRAME_NAMES.find((name) => name === params.get('timeframe')) ?? null;

/** `choose` makes a step of its own in the browser's history. */
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

/** Fewer points than this do not make a day's chart. */
const ENOUGH_POINTS = 6;

/**
 * The timeframe nobody chose: the day, but live while a new miner has not an hour of history, so that the first shares are seen at once.
 * `day` are the known points of the day's chart, `hs` the hashrate now (H/s); undefined while unknown.
 */
export const usualTimeframe = (day: readonly (number | null)[] | undefined, hs: number | undefined): Timeframe =>
  day && day.filter((point) => point !== null).length < ENOUGH_POINTS && hs !== undefined && hs > 0
    ? 'h2'
    : DEFAULT_TIMEFRAME;
