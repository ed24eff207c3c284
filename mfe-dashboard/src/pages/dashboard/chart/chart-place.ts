/**
 * What the chart shows, in the URL: `?timeframe=&tz=&group=&compare=&events=`, once the user has chosen it. Links to
 * other pages keep timeframe and zone. Each choice is an entry of the browser's history.
 */
import { DEFAULT_TIMEFRAME, TIMEFRAME_NAMES, type Timeframe } from '@pool/shared';
import { useIsOfAll } from '@pool/shared/remote';
import { oneOf, shortText, useUrlState } from '@pool/shared/router';

/** `compare`: see tools/compared.ts. */
const PLACE = {
  timeframe: oneOf(TIMEFRAME_NAMES),
  tz: shortText,
  /** A worker group; undefined: all workers. */
  group: shortText,
  compare: shortText,
  /** Whether they are marked. */
  events: oneOf(['on', 'off'], 'on'),
};

export function useChartPlace() {
  const [place, ...change] = useUrlState(PLACE);
  const isOfAll = useIsOfAll();
  // A group is of one account.
  return [isOfAll ? { ...place, group: undefined } : place, ...change] as const;
}

/** Points of a day's chart below which the live view is the default. */
const MIN_DAY_POINTS = 6;

/** The default timeframe: the day, or live while a miner that finds shares has less than an hour of history. */
export const usualTimeframe = (day: readonly (number | null)[] | undefined, hs: number | undefined): Timeframe =>
  day && day.filter((point) => point !== null).length < MIN_DAY_POINTS && hs !== undefined && hs > 0
    ? 'h2'
    : DEFAULT_TIMEFRAME;
