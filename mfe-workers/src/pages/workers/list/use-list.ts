import { countWorkers, WORKER_STATES, type Worker, hashrateUnit, type HashrateUnit } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useMemo } from 'react';
import { wholeOf, type LiveWorkers } from '../../../api/live-workers';
import { useEventWorkers } from '../../../api/event-workers';
import { inTab, matchingWorkers, sortWorkers, type StateWords } from './list-rows';
import { useHeld } from './use-held';
import { usePlace, useTyped } from './use-place';

/** The unit that suits most workers: one for the whole column, so that the decimals align. */
function commonUnit(workers: readonly Worker[]): HashrateUnit {
  // Counted by powers of a thousand: to find the unit of each of 10,000 workers would take longer than to draw them.
  const counts: number[] = [];
  for (const { h24 } of workers) {
    if (h24 < 1) continue;
    const power = Math.floor(Math.log10(h24) / 3);
    counts[power] = (counts[power] ?? 0) + 1;
  }
  const most = Math.max(...Object.values(counts));
  return most > 0 ? hashrateUnit(1000 ** counts.indexOf(most)) : 'T';
}

const NONE: readonly Worker[] = [];

/**
 * The rows of the list, as they are filtered, searched and sorted, and functions to change that. `ready`: what is chosen
 * can be shown; of a list that begins with trouble, only trouble first.
 */
export function useList(data: LiveWorkers | undefined) {
  const workers = data?.workers ?? NONE;
  const { place, change } = usePlace();
  const [typed, setTyped] = useTyped(place.search, change);
  const { tab, group, event, sort, direction } = place;
  const { data: among = null } = useEventWorkers(event);
  const sorted = useMemo(() => sortWorkers(workers, { sort, direction }), [workers, sort, direction]);
  const { t } = useTranslation();
  const words = useMemo(
    () => Object.fromEntries(WORKER_STATES.map((state) => [state, t(`ui.state.${state}`)])) as StateWords,
    [t],
  );
  const matching = useMemo(
    () => matchingWorkers(sorted, { group, search: typed, among }, words),
    [sorted, group, typed, among, words],
  );
  const fresh = useMemo(() => inTab(matching, tab), [matching, tab]);
  const { rows: shown, hold } = useHeld(fresh, workers, [tab, group, event, typed, sort, direction].join('\n'));
  const isAll = typed.trim() === '' && group === null && event === null;
  const ready =
    (wholeOf(data) !== undefined && (event === null || among !== null)) ||
    (data !== undefined && isAll && tab === 'all' && sort === 'trouble' && direction === 'asc');
  const counts = useMemo(() => (isAll && data ? data.counts : countWorkers(matching)), [isAll, data, matching]);
  const unit = useMemo(() => commonUnit(workers), [workers]);

  return { place, typed, setTyped, matching, shown: ready ? shown : NONE, hold, ready, counts, unit, change };
}
