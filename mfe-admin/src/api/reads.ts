import type { ApiClient } from '@pool/shared';
import { pagedQuery, type Ask, type Page } from '@pool/shared/pages';
import { keepPreviousData, useInfiniteQuery, type QueryKey } from '@pool/shared/query';
import { useApi, useServiceQuery } from '@pool/shared/remote';

/** How often a page that shows a running pool is read again. */
export const INTERVAL_MS = 30_000;

type Options = { enabled?: boolean; refetchInterval?: number; staleTime?: number; refetchOnWindowFocus?: boolean };

export const useRead = <Data>(
  queryKey: QueryKey,
  ask: (api: ApiClient, signal: AbortSignal) => Promise<Data>,
  options?: Options,
) => useServiceQuery(({ api }) => ({ ...options, queryKey, queryFn: ({ signal }) => ask(api, signal) }));

/** A list that the server pages. The rows of the list before stay until those of the next are there. */
export function useList<P extends Page<unknown>>(
  queryKey: QueryKey,
  ask: (api: ApiClient, part: Parameters<Ask<P>>[0]) => Promise<P>,
) {
  const api = useApi();
  return useInfiniteQuery({ ...pagedQuery(queryKey, (part) => ask(api, part)), placeholderData: keepPreviousData });
}
