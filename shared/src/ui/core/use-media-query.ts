import { useCallback, useSyncExternalStore } from 'react';

/** Whether `query` matches now; follows changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}

/** Under 640 px tables become cards (pages.md). */
export const useNarrow = (): boolean => useMediaQuery('(max-width: 639px)');
