import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

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
export function useWhenOnline(retry: () => void, enabled = true): void {
  const onOnline = useEffectEvent(() => {
    if (enabled) retry();
  });
  useEffect(() => {
    const listener = () => onOnline();
    addEventListener('online', listener);
    return () => removeEventListener('online', listener);
  }, []);
}
