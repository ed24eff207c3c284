/** Answers that came with the page, for the queries of its view (api/src/pages/first-view/page-view.ts). */
import { earlyRequests, setSsrAnswers, ssrAnswers } from '@pool/shared/page-start';
import type { QueryClient } from '@pool/shared/query';
import { keepAnswer } from '../service-worker/kept-answers';

/** Fills the cache for the first rendering. The answers count as new: the page's scripts took as long. */
export function withSsrAnswers(queryClient: QueryClient): QueryClient {
  const cache = queryClient.getQueryCache();
  const { queries = [], answers = {} } = ssrAnswers() ?? {};
  for (const [queryKey, url, paged] of queries) {
    // What is on the screen is asked for again already.
    if (cache.find({ queryKey })?.getObserversCount()) continue;
    const answer = answers[url];
    keepAnswer(url, answer);
    queryClient.setQueryData(queryKey, paged ? { pages: [answer], pageParams: [null] } : answer);
    delete earlyRequests()[url];
  }
  return queryClient;
}

/** They are for the first page only. */
export const forgetSsrAnswers = (): void => setSsrAnswers(null);
