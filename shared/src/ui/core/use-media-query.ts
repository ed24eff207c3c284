import { use, useCallback, useSyncExternalStore } from 'react';
import { matchesWidth, Viewport } from './viewport';

export function useMediaQuery(query: string): boolean {
  const viewport = use(Viewport);
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
    () => viewport !== null && matchesWidth(query, viewport.width),
  );
}

/** Screens of phones, for styles: below 600 px. */
export const PHONE = '(max-width: 599px)';
export const usePhone = (): boolean => useMediaQuery(PHONE);

/** Whether the screen is below 640 px, where tables become cards. */
export const useNarrow = (): boolean => useMediaQuery('(max-width: 639px)');
