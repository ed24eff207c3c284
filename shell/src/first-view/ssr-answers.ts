/** Answers that came with the page, for the queries of its first view (api/src/web/first-view/page-view.ts). */
import type { AnsweredQuery } from '@pool/shared/first-view';
import type { QueryClient } from '@pool/shared/query';

declare global {
  /** Written by boot-inline.js. `answers`: by URL. */
  var ssrAnswers: { answers: Record<string, unknown>; queries: AnsweredQuery[] } | null | undefined;
}

/**
 * Fills the cache, so that the first rendering of a page has its data. The answers count as new: they are as old as the
 * page's scripts took to load.
 */
export function withSsrAnswers(queryClient: QueryClient): QueryClient {
  const cache = queryClient.getQueryCache();
  for (const [queryKey, url, paged] of globalThis.ssrAnswers?.queries ?? []) {
    // What is on the screen is asked for again already.
    if (cache.find({ queryKey })?.getObserversCount()) continue;
    const answer = globalThis.ssrAnswers?.answers[url];
    queryClient.setQueryData(queryKey, paged ? { pages: [answer], pageParams: [null] } : answer);
    delete globalThis.earlyRequests?.[url];
  }
  return queryClient;
}

/** They are for the first page only. */
export function forgetSsrAnswers(): void {
  globalThis.ssrAnswers = null;
}
