/** The part of TanStack Query the product uses, and the cache's rules (api.md). */
import { focusManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api/client';
import type { PoolEvents } from './api/contract';

export {
  focusManager,
  QueryClient,
  QueryClientProvider,
  infiniteQueryOptions,
  keepPreviousData,
  onlineManager,
  queryOptions,
  useInfiniteQuery,
  useIsFetching,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
export type { QueryKey, QueryState, UseQueryResult } from '@tanstack/react-query';

/** The same key within this time is one request. */
const DEDUPE_MS = 2_000;
/** Focus refetches at most this often. */
const FOCUS_THROTTLE_MS = 5_000;

/**
 * First words of the keys that live events refresh: a query on such data starts its key with one of them
 * (`['workers', {account, algorithm}]`), and needs no polling of its own.
 */
export const LIVE_KEYS = {
  hashrate: ['hashrate'],
  workers: ['workers'],
  payment: ['payments'],
  wallet: ['wallet'],
  notification: ['notifications'],
  upstream: ['upstreams'],
} as const satisfies Record<keyof PoolEvents, readonly [string]>;

const worthRetrying = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/** One cache for the shell and all remotes. A 4xx is an answer, not a fault: it is not asked again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: DEDUPE_MS,
        refetchOnWindowFocus: (query) =>
          Date.now() - query.state.dataUpdatedAt > FOCUS_THROTTLE_MS ? 'always' : false,
        // Out of focus a retry would wait for the focus, and the page meanwhile for an answer.
        retry: (failures, error) => failures < 2 && worthRetrying(error) && focusManager.isFocused(),
      },
      // A write is never repeated by itself: it may be about money.
      mutations: { retry: false },
    },
  });
}
