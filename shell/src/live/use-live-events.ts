import type { PoolEvents } from '@pool/shared';
import { LIVE_KEYS, onlineManager, useQueryClient, type QueryClient, type QueryKey } from '@pool/shared/query';
import { useEffect, useState } from 'react';

export type LiveState = 'live' | 'stale' | 'offline';

export const POLL_MS = 30_000;
const RECONNECT_MS = 60_000;
/** After this many refreshes that brought nothing the data on the page counts as old. */
const MISSES_UNTIL_STALE = 2;

const EVENTS = Object.keys(LIVE_KEYS) as (keyof PoolEvents)[];

/** What an event is about, `{account, algorithm}`; empty means everything of its kind. */
type About = Readonly<Record<string, unknown>>;

/** Whether data under `key` is touched: a part of the key that names another account or algorithm says no. */
const touches = (key: QueryKey, about: About): boolean =>
  key.every(
    (part) =>
      typeof part !== 'object' ||
      part === null ||
      Object.entries(part).every(([name, value]) => !(name in about) || about[name] === value),
  );

async function refresh(
  queryClient: QueryClient,
  events: readonly (keyof PoolEvents)[],
  about: About,
): Promise<boolean> {
  const done = await Promise.allSettled(
    events.map((event) =>
      queryClient.invalidateQueries(
        { queryKey: LIVE_KEYS[event], predicate: ({ queryKey }) => touches(queryKey, about) },
        { throwOnError: true, cancelRefetch: false },
      ),
    ),
  );
  return done.every(({ status }) => status === 'fulfilled');
}

function aboutOf({ data }: MessageEvent<unknown>): About {
  try {
    const about: unknown = JSON.parse(String(data));
    return typeof about === 'object' && about !== null ? { ...about } : {};
  } catch {
    return {};
  }
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
    const ask = (events: readonly (keyof PoolEvents)[], about: About = {}) =>
      void refresh(queryClient, events, about).then(note);
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
      for (const event of EVENTS) source.addEventListener(event, (message) => ask([event], aboutOf(message)));
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
