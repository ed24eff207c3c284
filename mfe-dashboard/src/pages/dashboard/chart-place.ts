/** What the chart shows, as it stands in the URL: `?timeframe=&tz=`, once the reader has chosen. */
import { DEFAULT_TIMEFRAME, TIMEFRAME_NAMES, type Settings, type Timeframe } from '@pool/shared';
import { useSearchParams } from '@pool/shared/router';

type Zone = Settings['timeZone'];
/** `timeframe` is null until one was chosen. */
export type ChartPlace = { timeframe: Timeframe | null; zone: Zone };

export function readChartPlace(params: URLSearchParams, usualZone: Zone): ChartPlace {
  const zone = params.get('tz');
  return {
    timeframe: TIMEFRAME_NAMES.find((name) => name === params.get('timeframe')) ?? null,
    zone: zone === 'utc' || zone === 'local' ? zone : usualZone,
  };
}

export function writeChartPlace(
  params: URLSearchParams,
  change: Partial<ChartPlace>,
  usualZone: Zone,
): URLSearchParams {
  const { timeframe, zone } = { ...readChartPlace(params, usualZone), ...change };
  const next = new URLSearchParams(params);
  const put = (name: string, value: string | null) => (value === null ? next.delete(name) : next.set(name, value));
  put('timeframe', timeframe);
  put('tz', zone === usualZone ? null : zone);
  return next;
}

export function useChartPlace(usualZone: Zone): ChartPlace & { change(change: Partial<ChartPlace>): void } {
  const [params, setParams] = useSearchParams();
  return {
    ...readChartPlace(params, usualZone),
    change: (change) => setParams((now) => writeChartPlace(now, change, usualZone), { replace: true }),
  };
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
