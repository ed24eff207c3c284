/** The used part of TanStack Query, and the rules of the cache. */
import {
  focusManager,
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  type QueryPersister,
} from '@tanstack/react-query';
import { ApiError } from '../api/client';
import { serverTime } from '../api/clock';
import type { PoolEvents } from '../api/contract';

export {
  focusManager,
  QueryClient,
  QueryClientProvider,
  keepPreviousData,
  onlineManager,
  queryOptions,
  useInfiniteQuery,
  useIsFetching,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
export type { InfiniteData, Query, QueryKey, QueryPersister, QueryState, UseQueryResult } from '@tanstack/react-query';

/** Requests for the same key within this time are one request. */
const DEDUPE_MS = 2_000;
/** Data that came with the page is not asked for while the page's code loads. */
const SENT_FRESH_MS = 30_000;
/** Shortest time between two refetches caused by focus. */
const FOCUS_THROTTLE_MS = 5_000;

/** First parts of the keys that live events refetch: `['workers', {account, algorithm}]` needs no polling. */
export const LIVE_KEYS = {
  hashrate: ['hashrate'],
  workers: ['workers'],
  payment: ['payments'],
  wallet: ['wallet'],
  notification: ['notifications'],
  upstream: ['upstreams'],
  remotes: ['remotes'],
} as const satisfies Record<keyof PoolEvents, readonly [string]>;

/** First words of the keys of figures: the list of remotes is not one of them. */
const { remotes: _, ...FIGURES } = LIVE_KEYS;
const LIVE_WORDS: ReadonlySet<unknown> = new Set(Object.values(FIGURES).flat());

/** The live queries that the page shows. `at`: when the oldest was loaded, Unix ms; null before the first. */
export function liveFigures(queryClient: QueryClient) {
  const shown = queryClient
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ queryKey }) => LIVE_WORDS.has(queryKey[0]) });
  const times = shown.flatMap(({ state }) => state.dataUpdatedAt || []);
  return { shown, at: times.length > 0 ? serverTime(Math.min(...times)) : null };
}

/** What queries report within one task is reported together, so that the page is rendered once for all of it. */
let reports: (() => void)[] = [];
notifyManager.setScheduler((report) => {
  if (reports.push(report) > 1) return;
  setTimeout(() => {
    const together = reports;
    reports = [];
    for (const each of together) each();
  });
});

const worthRetrying = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/** Specification 8: failures are logged. */
// oxlint-disable-next-line no-console -- what the console is for
const log = (error: unknown): void => console.warn('A call failed:', error);

/** Creates the cache of the shell and all remotes. A 4xx is a valid response and is not retried. */
export function createQueryClient({ persister }: { persister?: QueryPersister } = {}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: log }),
    mutationCache: new MutationCache({ onError: log }),
    defaultOptions: {
      queries: {
        persister,
        networkMode: 'online',
        staleTime: ({ state }) => (state.dataUpdateCount === 0 ? SENT_FRESH_MS : DEDUPE_MS),
        // A query that failed was asked too.
        refetchOnWindowFocus: ({ state: { dataUpdatedAt, errorUpdatedAt } }) =>
          Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt) > FOCUS_THROTTLE_MS ? 'always' : false,
        // Without focus do not retry: a retry would wait for the focus, and the page would show no error meanwhile.
        retry: (failures, error) => failures < 2 && worthRetrying(error) && focusManager.isFocused(),
      },
      // Never retry a write automatically: it may be about money.
      mutations: { retry: false },
    },
  });
}
