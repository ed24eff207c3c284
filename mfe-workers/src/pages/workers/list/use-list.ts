import type { Worker } from '@pool/shared';
import { useSearchParams } from '@pool/shared/router';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { commonUnit } from './common-unit';
import { nextSort, readPlace, writePlace, type ListPlace, type SortKey } from './list-place';
import { filterWorkers, inNameOrder, sortWorkers } from './list-rows';

const SEARCH_DELAY_MS = 250;

/**
 * Filter, search and sort of the list, and functions to change them. The URL holds them. The search text is applied
 * while typing (it must not wait for a navigation) and written to the URL when typing pauses.
 */
export function useList(workers: readonly Worker[] | undefined) {
  const [params, setParams] = useSearchParams();
  const place = useMemo(() => readPlace(params), [params]);
  // Each choice adds an entry to the browser's history; one search adds one, not one per letter.
  const change = useCallback(
    (part: Partial<ListPlace>, replace = false) => setParams((now) => writePlace(now, part), { replace }),
    [setParams],
  );

  const [typed, setTyped] = useState(place.search);
  const [known, setKnown] = useState(place.search);
  const [written, setWritten] = useState<readonly string[]>([]);
  if (known !== place.search) {
    setKnown(place.search);
    const echo = written.lastIndexOf(place.search);
    // A search written here arrives later in the URL, when more may be typed: ignore it. Take over any other change
    // (Back, a link).
    setWritten(echo < 0 ? [] : written.slice(echo + 1));
    if (echo < 0) setTyped(place.search);
  }
  useEffect(() => {
    if (typed === place.search) return;
    const timer = setTimeout(() => {
      setWritten((before) => [...before, typed]);
      change({ search: typed }, place.search !== '' && typed !== '');
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed, place.search, change]);

  const search = useDeferredValue(typed);
  const named = useMemo(() => inNameOrder(workers ?? []), [workers]);
  const { tab, group, sort, direction } = place;
  const sorted = useMemo(() => sortWorkers(named, { sort, direction }), [named, sort, direction]);
  const shown = useMemo(() => filterWorkers(sorted, { tab, group, search }), [sorted, tab, group, search]);
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
