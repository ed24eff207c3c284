import { useQueryClient } from '@pool/shared/query';
import { useEffect } from 'react';
import { tried } from '../tried';
import { useWindowEvent } from '../use-window-event';

const CHANGED = 'changedAt';

/** What is changed in one tab is right in the others at once: they ask again for all they show. */
export function useOtherTabs(): void {
  const queryClient = useQueryClient();
  useWindowEvent('storage', ({ key }) => {
    if (key === CHANGED) void queryClient.invalidateQueries();
  });
  useEffect(
    () =>
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        // Other tabs ask again when they get the focus, where the browser has no storage to tell them by.
        tried(() => localStorage.setItem(CHANGED, String(Date.now())));
      }),
    [queryClient],
  );
}
