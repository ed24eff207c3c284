import { ALL_ACCOUNTS, type PoolEvents } from '@pool/shared';
import {
  focusManager,
  LIVE_KEYS,
  onlineManager,
  useQueryClient,
  type QueryClient,
  type QueryKey,
  type QueryState,
} from '@pool/shared/query';
import { useEffect } from 'react';
import { tried } from '../tried';
import { followTrace } from './traces';
import { SLOW_POLL_MS, STREAM_BROKE } from './use-freshness';

/** Polling without a stream. */
export const POLL_MS = 30_000;
const RECONNECT_MS = 60_000;
/** Returning to the tab asks, and opens the stream, at most this often. */
const FOCUS_THROTTLE_MS = 5_000;

const EVENTS = Object.keys(LIVE_KEYS) as (keyof PoolEvents)[];
/** Not the remotes: their list has a slow poll of its own (remotes/registry.ts). */
const POLLED = EVENTS.filter((event) => event !== 'remotes');

/** The server ends the stream of a user who got another role: after a break it is asked who the user is now. */
const WHO_KEYS: QueryKey[] = [['userInfo'], ['remotes']];

/** The `{account, algorithm}` an event concerns; empty: everything of its kind. */
type About = Readonly<Record<string, unknown>>;

/** Whether the event concerns data under `key`: not if the key names another account or algorithm, and not all. */
const touches = (key: QueryKey, about: About): boolean =>
  key.every(
    (part) =>
      typeof part !== 'object' ||
      part === null ||
      Object.entries(part).every(
        ([name, value]) => !(name in about) || about[name] === value || value === ALL_ACCOUNTS,
      ),
  );

/** The error of data that never came would give way to a skeleton with each event: it stays for a while. */
const ERROR_MS = 15_000;
const mayAsk = ({ data, errorUpdatedAt }: QueryState): boolean =>
  data !== undefined || Date.now() - errorUpdatedAt > ERROR_MS;

function refresh(queryClient: QueryClient, events: readonly (keyof PoolEvents)[], about?: About): void {
  for (const event of events)
    void queryClient.invalidateQueries(
      {
        queryKey: LIVE_KEYS[event],
        predicate: ({ queryKey, state }) => !about || (touches(queryKey, about) && mayAsk(state)),
        // A change of this page, under way, may be what the event tells of, and asks again when it is made.
        refetchType: about && queryClient.isMutating() > 0 ? 'none' : 'active',
      },
      { cancelRefetch: false },
    );
}

function aboutOf({ data }: MessageEvent<unknown>): About {
  const about = tried(() => JSON.parse(String(data)) as unknown);
  return typeof about === 'object' ? { ...about } : {};
}

/** Asks, once no change is under way, for what events of that time have left. */
const refreshLeft = (queryClient: QueryClient): (() => void) =>
  queryClient.getMutationCache().subscribe(({ type }) => {
    if (type !== 'updated' || queryClient.isMutating() > 0) return;
    const predicate = ({ state }: { state: QueryState }) => state.isInvalidated && mayAsk(state);
    void queryClient.refetchQueries({ type: 'active', predicate }, { cancelRefetch: false });
  });

/**
 * Refetches the queries that the server's events name; polls too. Hidden or paused: once afterwards. `getToken`: renews
 * the session's cookie, which is all that the stream has; null: without a stream.
 */
export function useLiveEvents(getToken: (() => Promise<unknown>) | null): void {
  const queryClient = useQueryClient();

  useEffect(() => {
    let source: EventSource | null = null;
    let pace = 0;
    let poll: ReturnType<typeof setInterval> | undefined;
    let reconnect: ReturnType<typeof setTimeout> | undefined;
    let refreshedAt = 0;
    let delayed: ReturnType<typeof setTimeout> | undefined;

    const pollEvery = (ms: number) => {
      // A stream that keeps failing must not postpone the next poll each time.
      if (ms === pace) return;
      pace = ms;
      clearInterval(poll);
      if (ms > 0) poll = setInterval(() => refresh(queryClient, POLLED), ms);
    };
    let broken = false;
    let attempt = 0;
    const connect = async (renew: () => Promise<unknown>) => {
      const own = (attempt += 1);
      await renew().catch(() => undefined);
      if (own !== attempt) return;
      source = new EventSource('/api/events');
      source.onopen = () => {
        pollEvery(SLOW_POLL_MS);
        if (!broken) return;
        broken = false;
        for (const queryKey of WHO_KEYS) void queryClient.invalidateQueries({ queryKey });
        refresh(queryClient, EVENTS);
      };
      source.onerror = () => {
        broken = true;
        if (pace === SLOW_POLL_MS) queryClient.setQueryData(STREAM_BROKE, Date.now());
        pollEvery(POLL_MS);
        // While CONNECTING the browser retries by itself.
        if (source?.readyState !== EventSource.CLOSED) return;
        reconnect = setTimeout(() => void connect(renew), RECONNECT_MS);
        // Refused: the session may be over, which the calls learn.
        refresh(queryClient, POLLED);
      };
      // The server asks to connect anew, with today's session.
      source.addEventListener('renew', () => {
        source?.close();
        void connect(renew);
      });
      for (const event of EVENTS)
        source.addEventListener(event, (message) => {
          const about = aboutOf(message);
          followTrace(about.traceparent);
          refresh(queryClient, [event], about);
        });
    };
    const stop = () => {
      attempt += 1;
      source?.close();
      source = null;
      clearTimeout(reconnect);
      clearTimeout(delayed);
      pollEvery(0);
    };
    const start = () => {
      pollEvery(POLL_MS);
      if (getToken) void connect(getToken);
    };
    const comeBack = () => {
      refreshedAt = Date.now();
      start();
      refresh(queryClient, POLLED);
    };
    const follow = () => {
      stop();
      if (!focusManager.isFocused() || !onlineManager.isOnline()) return;
      const wait = refreshedAt + FOCUS_THROTTLE_MS - Date.now();
      if (wait > 0) delayed = setTimeout(comeBack, wait);
      else comeBack();
    };

    if (focusManager.isFocused() && onlineManager.isOnline()) start();
    const unsubscribe = [focusManager.subscribe(follow), onlineManager.subscribe(follow), refreshLeft(queryClient)];
    return () => {
      stop();
      unsubscribe.forEach((end) => end());
    };
  }, [queryClient, getToken]);
}
