import { useUrlState } from '@pool/shared/router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { PLACE, readPlace, writtenPlace, type ListPlace } from './list-place';

const SEARCH_DELAY_MS = 250;

type Change = (part: Partial<ListPlace>, replace?: boolean) => void;

/**
 * Filter, search and sort of the list, and the function that changes them. The URL holds them; a choice is shown at
 * once, and not only when the shell has gone to its address.
 */
export function usePlace(): { place: ListPlace; change: Change } {
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
  return { place, change };
}

/** The search as it is typed. It is written to the URL when typing pauses. */
export function useTyped(search: string, change: Change): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(search);
  const [known, setKnown] = useState(search);
  const [searches, setSearches] = useState<readonly string[]>([]);
  if (known !== search) {
    setKnown(search);
    const echo = searches.lastIndexOf(search);
    // A search written here arrives later in the URL, when more may be typed: ignore it. Take over any other change
    // (Back, a link).
    setSearches(echo < 0 ? [] : searches.slice(echo + 1));
    if (echo < 0) setTyped(search);
  }
  useEffect(() => {
    if (typed === search) return;
    const timer = setTimeout(() => {
      setSearches((before) => [...before, typed]);
      change({ search: typed }, search !== '' && typed !== '');
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed, search, change]);
  return [typed, setTyped];
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
