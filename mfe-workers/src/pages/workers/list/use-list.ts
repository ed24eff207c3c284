import type { Worker } from '@pool/shared';
import { useSearchParams } from '@pool/shared/router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { commonUnit } from './common-unit';
import { nextSort, readPlace, writePlace, type ListPlace, type SortKey } from './list-place';
import { countWorkers, filterWorkers, sortWorkers } from './list-rows';

const SEARCH_DELAY_MS = 250;

const NONE: readonly Worker[] = [];

/**
 * Filter, search and sort of the list, and functions to change them. The URL holds them; a choice is shown at once, and
 * not only when the shell has gone to its address. The search text is written to the URL when typing pauses.
 */
export function useList(workers: readonly Worker[] = NONE) {
  const [params, setParams] = useSearchParams();
  const written = useMemo(() => readPlace(params), [params]);
  const [chosen, setChosen] = useState({ before: written, place: written });
  const place = chosen.before === written ? chosen.place : written;
  const latest = useRef(place);
  useEffect(() => {
    latest.current = place;
  });
  // Each choice adds an entry to the browser's history; one search adds one, not one per letter. A choice made before
  // the address has the one before it keeps both.
  const change = useCallback(
    (part: Partial<ListPlace>, replace = false) => {
      const next = { ...latest.current, ...part };
      latest.current = next;
      setChosen({ before: written, place: next });
      setParams((now) => writePlace(now, next), { replace });
    },
    [setParams, written],
  );

  const [typed, setTyped] = useState(place.search);
  const [known, setKnown] = useState(place.search);
  const [searches, setSearches] = useState<readonly string[]>([]);
  if (known !== place.search) {
    setKnown(place.search);
    const echo = searches.lastIndexOf(place.search);
    // A search written here arrives later in the URL, when more may be typed: ignore it. Take over any other change
    // (Back, a link).
    setSearches(echo < 0 ? [] : searches.slice(echo + 1));
    if (echo < 0) setTyped(place.search);
  }
  useEffect(() => {
    if (typed === place.search) return;
    const timer = setTimeout(() => {
      setSearches((before) => [...before, typed]);
      change({ search: typed }, place.search !== '' && typed !== '');
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed, place.search, change]);

  const { tab, group, sort, direction } = place;
  const sorted = useMemo(() => sortWorkers(workers, { sort, direction }), [workers, sort, direction]);
  const shown = useMemo(() => filterWorkers(sorted, { tab, group, search: typed }), [sorted, tab, group, typed]);
  const counts = useMemo(() => countWorkers(workers, group), [workers, group]);
  const unit = useMemo(() => commonUnit(workers), [workers]);

  return {
    place,
    typed,
    setTyped,
    shown,
    counts,
    unit,
    change,
    sortBy: (key: SortKey) => change(nextSort(place, key)),
  };
}
