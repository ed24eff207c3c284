/** What the chart shows, as it stands in the URL: `?timeframe=&tz=`. What is the default is left out. */
import { DEFAULT_TIMEFRAME, TIMEFRAME_NAMES, type Settings, type Timeframe } from '@pool/shared';
import { useSearchParams } from '@pool/shared/router';

type Zone = Settings['timeZone'];
export type ChartPlace = { timeframe: Timeframe; zone: Zone };

export function readChartPlace(params: URLSearchParams, usualZone: Zone): ChartPlace {
  const zone = params.get('tz');
  return {
    timeframe: TIMEFRAME_NAMES.find((name) => name === params.get('timeframe')) ?? DEFAULT_TIMEFRAME,
    zone: zone === 'utc' || zone === 'local' ? zone : usualZone,
  };
}

export function writeChartPlace(params: URLSearchParams, change: Partial<ChartPlace>, usualZone: Zone): URLSearchParams {
  const { timeframe, zone } = { ...readChartPlace(params, usualZone), ...change };
  const next = new URLSearchParams(params);
  const put = (name: string, value: string, usual: string) => (value === usual ? next.delete(name) : next.set(name, value));
  put('timeframe', timeframe, DEFAULT_TIMEFRAME);
  put('tz', zone, usualZone);
  return next;
}

export function useChartPlace(usualZone: Zone): ChartPlace & { change(change: Partial<ChartPlace>): void } {
  const [params, setParams] = useSearchParams();
  return { ...readChartPlace(params, usualZone), change: (change) => setParams((now) => writeChartPlace(now, change, usualZone), { replace: true }) };
}
