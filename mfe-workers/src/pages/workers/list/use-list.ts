import { countWorkers, WORKER_STATES, type Worker, hashrateUnit, type HashrateUnit } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useUrlState } from '@pool/shared/router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { wholeOf, type LiveWorkers } from '../../../api/live-workers';
import { useEventWorkers } from '../../../api/event-workers';
import { PLACE, readPlace, writtenPlace, type ListPlace } from './list-place';
import { inTab, matchingWorkers, sortWorkers, type StateWords } from './list-rows';

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

const SEARCH_DELAY_MS = 250;

const NONE: readonly Worker[] = [];

/**
 * Filter, search and sort of the list, and functions to change them. The URL holds them; a choice is shown at once, and
 * not only when the shell has gone to its address. The search text is written to the URL when typing pauses.
 * `ready`: what is chosen can be shown; of a list that begins with trouble, only trouble first.
 */
export function useList(data: LiveWorkers | undefined) {
  const workers = data?.workers ?? NONE;
  const [url, set] = useUrlState(PLACE);
  const written = useMemo(() => readPlace(url), [url]);
  const [chosen, setChosen] = useState({ before: written, place: written });
  const place = chosen.before === written ? chosen.place : written;
  const latest = useRef(place);
  useEffect(() => {
    latest.current = place;
  });
  const writeLater = useAfterPaint(set);
  // Each choice adds an entry to the browser's history; one search adds one, not one per letter. A choice made before
  // the address has the one before it keeps both.
  const change = useCallback(
    (part: Partial<ListPlace>, replace = false) => {
      const next = { ...latest.current, ...part };
      latest.current = next;
      setChosen({ before: written, place: next });
      writeLater((set) => set(writtenPlace(next), { replace }));
    },
    [writeLater, written],
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

/**
 * While `hold(true)`, rows stay in their order and place as their figures change, and new ones follow them: nothing moves
 * under a pointer. `choice`: of the user, by which the rows are chosen and sorted; another one shows its own rows.
 */
function useHeld(fresh: readonly Worker[], workers: readonly Worker[], choice: string) {
  const [held, setHeld] = useState<{ choice: string; rows: readonly Worker[] } | null>(null);
  if (held && held.choice !== choice) setHeld({ choice, rows: fresh });
  const rows = useMemo(() => {
    if (held?.choice !== choice || held.rows === fresh) return fresh;
    const now = new Map(workers.map((worker) => [worker.id, worker]));
    const kept = held.rows.flatMap(({ id }) => now.get(id) ?? []);
    const known = new Set(kept);
    return [...kept, ...fresh.filter((worker) => !known.has(worker))];
  }, [held, choice, fresh, workers]);
  const hold = (on: boolean) => setHeld(on ? { choice, rows } : null);
  return { rows, hold };
}

/**
 * Calls a function that it is given, with the latest `value`, when what was chosen is on screen: for a new address the
 * shell draws itself anew too. What waits is done at once before the next is taken, and not at all once the page is
 * left.
 */
function useAfterPaint<Value>(value: Value) {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  const waiting = useRef<{ act: (value: Value) => void; stop: () => void }>(null);
  useEffect(() => () => waiting.current?.stop(), []);
  return useCallback((act: (value: Value) => void) => {
    const flush = () => {
      const now = waiting.current;
      waiting.current = null;
      now?.stop();
      now?.act(latest.current);
    };
    flush();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(flush);
    });
    waiting.current = {
      act,
      stop: () => {
        cancelAnimationFrame(frame);
        clearTimeout(timer);
      },
    };
  }, []);
}
