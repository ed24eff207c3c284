import { earlyFetch, type RemoteManifest } from '@pool/shared';
import { firstUrls, isFirstPage } from '@pool/shared/first-calls';

/** Answers that the page has not used by then are too old for it. */
const USED_WITHIN_MS = 10_000;

/** Sends the first calls of the remote's first page, whose code is still loading; the API client uses the answers. */
export async function sendFirstCalls(
  { first = [], basePath }: Pick<RemoteManifest, 'first' | 'basePath'>,
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
  defaults: { account: string; algorithm: string },
  getToken: () => Promise<string | null>,
): Promise<void> {
  const token = isFirstPage(basePath, pathname) && (await getToken());
  if (!token) return;
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const early = (globalThis.poolEarly ??= {});
  for (const url of firstUrls(first, search, defaults)) {
    const answer = (early[url] ??= earlyFetch(url, { headers }));
    // After a failure the page asks again, and reports it.
    answer.catch(() => undefined);
    setTimeout(() => {
      if (early[url] === answer) delete early[url];
    }, USED_WITHIN_MS);
  }
}
