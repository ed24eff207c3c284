import { useSyncExternalStore } from 'react';
import { useWindowEvent } from '../use-window-event';

function onNetwork(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** Whether the browser has a network. Unlike `onlineManager` it also knows of a page that was opened without one. */
export const useOnline = (): boolean => useSyncExternalStore(onNetwork, () => navigator.onLine);

/** Calls `retry` once the network is back. */
export const useWhenOnline = (retry: () => void, enabled = true): void =>
  useWindowEvent('online', () => {
    if (enabled) retry();
  });
