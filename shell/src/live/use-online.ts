import { useSyncExternalStore } from 'react';

/** Calls `changed` when the network goes or comes back; returns what ends that. */
export function onNetwork(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** Whether the browser has a network. Unlike `onlineManager` it also knows of a page that was opened without one. */
export const useOnline = (): boolean => useSyncExternalStore(onNetwork, () => navigator.onLine);
