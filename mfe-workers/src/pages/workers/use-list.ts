import type { Worker } from '@pool/shared';
import { useSearchParams } from '@pool/shared/router';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { commonUnit } from './common-unit';
import { nextSort, readPlace, writePlace, type ListPlace, type SortKey } from './list-place';
import { filterWorkers, inNameOrder, sortWorkers } from './list-rows';

const WRITE_SEARCH_MS = 250;

/**
 * The list as it is asked for, and how to ask otherwise. The address holds the place; typing goes ahead of it
 * (the letters must not wait for a navigation) and is written there when it pauses.
 */
export function useList(workers: readonly Worker[] | undefined) {
  const [params, setParams] = useSearchParams();
  const place = useMemo(() => readPlace(params), [params]);
  // Each choice is a step to go back to; the letters of one search are one step.
  const change = useCallback(
    (part: Partial<ListPlace>, replace = false) => setParams((now) => writePlace(now, part), { replace }),
    [setParams],
  );

  const [typed, setTyped] = useState(place.search);
  const [seen, setSeen] = useState(place.search);
  const [written, setWritten] = useState<readonly string[]>([]);
  if (seen !== place.search) {
    setSeen(place.search);
    const echo = written.lastIndexOf(place.search);
    // What was written comes back later, when more may have been typed. Anything else (Back, a link) is to be followed.
    setWritten(echo < 0 ? [] : written.slice(echo + 1));
    if (echo < 0) setTyped(place.search);
  }
  useEffect(() => {
    if (typed === place.search) return;
    const timer = setTimeout(() => {
      setWritten((before) => [...before, typed]);
      change({ search: typed }, place.search !== '' && typed !== '');
    }, WRITE_SEARCH_MS);
    return () => clearTimeout(timer);
  }, [typed, place.search, change]);

  const search = useDeferredValue(typed);
  const named = useMemo(() => inNameOrder(workers ?? []), [workers]);
  const { tab, sort, direction } = place;
  const sorted = useMemo(() => sortWorkers(named, { sort, direction }), [named, sort, direction]);
  const shown = useMemo(() => filterWorkers(sorted, { tab, search }), [sorted, tab, search]);
  const unit = useMemo(() => commonUnit(named), [named]);

  return {
    place,
    typed,
    setTyped,
    shown,
    unit,
    search,
    change,
    sortBy: (key: SortKey) => change(nextSort(place, key)),
  };
}
