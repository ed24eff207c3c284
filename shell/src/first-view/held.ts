/** Answers that came with the page, for the queries of its first view (api/src/web/first-view/page-view.ts). */
import type { QueryClient, QueryKey } from '@pool/shared/query';

declare global {
  /** Written by first.js. `queries`: their keys, and the URLs of the answers that are their data. */
  var poolHeld: { answers: Record<string, unknown>; queries: [QueryKey, string][] } | null | undefined;
}

/**
 * Fills the cache, so that the first rendering of a page has its data. The answers count as new: they are as old as the
 * page's scripts took to load.
 */
export function withHeldAnswers(queryClient: QueryClient): QueryClient {
  const cache = queryClient.getQueryCache();
  for (const [queryKey, url] of globalThis.poolHeld?.queries ?? []) {
    // What is on the screen is asked for again already.
    if (cache.find({ queryKey })?.getObserversCount()) continue;
    queryClient.setQueryData(queryKey, globalThis.poolHeld?.answers[url]);
    delete globalThis.poolEarly?.[url];
  }
  return queryClient;
}

/** They are for the first page only. */
export function forgetHeldAnswers(): void {
  globalThis.poolHeld = null;
}
