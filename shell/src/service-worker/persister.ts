/** Finds the queries that the browser may keep, until they are written (saved-queries.ts). The server says which. */
import { earlyFetch } from '@pool/shared';
import { KEEP_HEADER } from '@pool/shared/page-start';
import type { Query, QueryClient, QueryPersister } from '@pool/shared/query';

/** Queries with new data that may be kept. */
export const keptQueries = new Set<Query>();

/** Whether all answers so far may be kept, by the signal of the query that asks for them. */
const mayKeep = new WeakMap<AbortSignal, boolean>();

/** `fetch` of the API client. */
export async function notingFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const answer = await earlyFetch(url, init);
  const { signal } = init;
  if (signal) mayKeep.set(signal, mayKeep.get(signal) !== false && answer.headers.has(KEEP_HEADER));
  return answer;
}

/** Of all queries of the page. */
export const persister: QueryPersister = async (queryFn, context, query) => {
  const data = await queryFn(context);
  if (mayKeep.get(context.signal)) keptQueries.add(query);
  else keptQueries.delete(query);
  return data;
};

/** Fills the cache with what came with the page. It counts as new: the page's scripts took as long. */
export function withSentQueries(queryClient: QueryClient): QueryClient {
  const { queries = [], isKept } = globalThis.sentView ?? {};
  for (const { queryKey, data } of queries) {
    const query = queryClient.getQueryCache().build(queryClient, { queryKey, initialData: data });
    if (isKept) keptQueries.add(query as Query);
  }
  return queryClient;
}
