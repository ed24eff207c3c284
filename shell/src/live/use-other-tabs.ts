import { useQueryClient } from '@pool/shared/query';
import { useEffect } from 'react';
import { tried } from '../tried';

const CHANGED = 'changedAt';

/** What is changed in one tab is right in the others at once: they ask again for all they show. */
export function useOtherTabs(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === CHANGED) void queryClient.invalidateQueries();
    };
    addEventListener('storage', follow);
    const unsubscribe = queryClient.getMutationCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return;
      // Without a storage they ask when they get the focus.
      tried(() => localStorage.setItem(CHANGED, String(Date.now())));
    });
    return () => {
      removeEventListener('storage', follow);
      unsubscribe();
    };
  }, [queryClient]);
}
