import type { PoolEvents } from '@pool/shared';
import { LIVE_KEYS, onlineManager, useQueryClient, type QueryClient } from '@pool/shared/query';
import { useEffect, useState } from 'react';

export type LiveState = 'live' | 'stale' | 'offline';

export const POLL_MS = 30_000;
const RECONNECT_MS = 60_000;
/** After this many refreshes that brought nothing the data on the page counts as old. */
const MISSES_UNTIL_STALE = 2;

const EVENTS = Object.keys(LIVE_KEYS) as (keyof PoolEvents)[];

async function refresh(queryClient: QueryClient, events: readonly (keyof PoolEvents)[]): Promise<boolean> {
  const done = await Promise.allSettled(events.map((event) => queryClient.invalidateQueries({ queryKey: LIVE_KEYS[event] }, { throwOnError: true })));
  return done.every(({ status }) => status === 'fulfilled');
}

/**
 * Keeps live data fresh: the server's events name what changed, and the queries of that kind are asked again.
 * Without the stream (a proxy that buffers, too many tabs) it polls. A hidden tab does nothing and catches up once when it is shown.
 */
export function useLiveEvents(enabled: boolean): LiveState {
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>('live');

  useEffect(() => {
    if (!enabled) return;
    let source: EventSource | null = null;
    let poll: ReturnType<typeof setInterval> | undefined;
    let reconnect: ReturnType<typeof setTimeout> | undefined;
    let misses = 0;

    const note = (fresh: boolean) => {
      misses = fresh ? 0 : misses + 1;
      setState(!onlineManager.isOnline() ? 'offline' : misses >= MISSES_UNTIL_STALE ? 'stale' : 'live');
    };
    const ask = (events: readonly (keyof PoolEvents)[]) => void refresh(queryClient, events).then(note);
    const stopPolling = () => clearInterval(poll);
    const startPolling = () => {
      stopPolling();
      poll = setInterval(() => ask(EVENTS), POLL_MS);
    };
    const disconnect = () => {
      source?.close();
      source = null;
      clearTimeout(reconnect);
      stopPolling();
    };
    const connect = () => {
      disconnect();
      if (!onlineManager.isOnline()) return setState('offline');
      source = new EventSource('/api/events');
      source.onopen = () => {
        stopPolling();
        note(true);
      };
      source.onerror = () => {
        startPolling();
        // While CONNECTING the browser tries again by itself.
        if (source?.readyState === EventSource.CLOSED) reconnect = setTimeout(connect, RECONNECT_MS);
      };
      for (const event of EVENTS) source.addEventListener(event, () => ask([event]));
    };
    const follow = () => {
      if (document.visibilityState === 'hidden') return disconnect();
      connect();
      ask(EVENTS);
    };
    const followNetwork = () => {
      if (onlineManager.isOnline()) return follow();
      disconnect();
      setState('offline');
    };

    if (document.visibilityState === 'visible') connect();
    document.addEventListener('visibilitychange', follow);
    const unsubscribe = onlineManager.subscribe(followNetwork);
    return () => {
      disconnect();
      document.removeEventListener('visibilitychange', follow);
      unsubscribe();
    };
  }, [enabled, queryClient]);
  return state;
}
