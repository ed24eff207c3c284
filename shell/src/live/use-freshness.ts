import { serverTime } from '@pool/shared';
import { liveFigures, useQueryClient, type QueryClient, type QueryKey } from '@pool/shared/query';
import { useNow } from '@pool/shared/ui/core';
import { useCallback, useSyncExternalStore } from 'react';
import { afterEffects } from '../after-effects';
import { usePaused } from './pause';
import { useOnline } from './use-online';

/** Polling beside an open stream: changes caused by time alone (a worker that stops sending) have no event. */
export const SLOW_POLL_MS = 60_000;
/** Key of the time when an open stream broke off last, Unix ms: events after it are missing in what was loaded before. */
export const STREAM_BROKE: QueryKey = ['streamBroke'];

export type Freshness = {
  state: 'live' | 'paused' | 'stale' | 'offline';
  /** When the oldest of the live figures on the page was loaded, Unix seconds; null before the first. */
  at: number | null;
  /** All refreshes fail. */
  down: boolean;
};

/** The time of two missed refreshes, plus some for the responses. */
const LATE_S = (2 * SLOW_POLL_MS) / 1000 + 20;

/** `at failed of broken`: of the live queries on the page; `broken`: the oldest is from before a break of the stream. */
function readCache(queryClient: QueryClient): string {
  const { shown, at } = liveFigures(queryClient);
  const failed = shown.filter(({ state }) => state.status === 'error').length;
  const broken = at !== null && at < serverTime(queryClient.getQueryData<number>(STREAM_BROKE) ?? 0);
  return `${at === null ? '' : Math.floor(at / 1000)} ${failed} ${shown.length} ${broken}`;
}

/** How fresh the page's data is, read from the query cache: both the app bar and the banner use it. */
export function useFreshness(): Freshness {
  const queryClient = useQueryClient();
  const subscribe = useCallback(
    (changed: () => void) =>
      // `added` is emitted while a component renders, and changes nothing here.
      queryClient.getQueryCache().subscribe(({ type }) => type !== 'added' && afterEffects(changed)),
    [queryClient],
  );
  const [at = '', failed, of, broken] = useSyncExternalStore(subscribe, () => readCache(queryClient)).split(' ');
  const online = useOnline();
  const paused = usePaused();
  const now = useNow();
  const time = at === '' ? null : Number(at);
  const late = broken === 'true' || Number(failed) > 0 || (time !== null && now - time > LATE_S);
  return {
    state: !online ? 'offline' : paused ? 'paused' : late ? 'stale' : 'live',
    at: time,
    down: Number(failed) > 0 && failed === of,
  };
}
