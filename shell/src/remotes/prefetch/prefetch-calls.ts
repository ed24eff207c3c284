import { earlyFetch, type RemoteManifest } from '@pool/shared';
import { earlyRequests } from '@pool/shared/page-start';
import { prefetchUrls, isFirstPage } from '@pool/shared/prefetch-calls';

/** Answers that the page has not used by then are too old for it. */
const USED_WITHIN_MS = 10_000;

/** Sends the `prefetchCalls` of the remote's first page, whose code is still loading; the API client uses the answers. */
export async function sendPrefetchCalls(
  { prefetchCalls = [], basePath }: Pick<RemoteManifest, 'prefetchCalls' | 'basePath'>,
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
  defaults: { account: string; algorithm: string },
  getToken: () => Promise<string | null>,
): Promise<void> {
  const token = isFirstPage(basePath, pathname) && (await getToken());
  if (!token) return;
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const early = earlyRequests();
  for (const url of prefetchUrls(prefetchCalls, search, defaults)) {
    const answer = (early[url] ??= earlyFetch(url, { headers }));
    // After a failure the page asks again, and reports it.
    answer.catch(() => undefined);
    setTimeout(() => {
      if (early[url] === answer) delete early[url];
    }, USED_WITHIN_MS);
  }
}
