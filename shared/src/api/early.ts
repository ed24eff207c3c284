/**
 * Early responses: the page's inline script (shell/src/first.js) starts requests while the scripts download. The first
 * GET of exactly the same URL uses the response, once; a failed one is fetched again.
 */
declare global {
  var poolEarly: Record<string, Promise<Response>> | undefined;
}

/** Like `fetch`, but uses an early response if there is one. */
export async function earlyFetch(url: string, init?: RequestInit): Promise<Response> {
  const started = globalThis.poolEarly?.[url];
  if (started && (init?.method ?? 'GET') === 'GET') {
    delete globalThis.poolEarly?.[url];
    const answer = await started.catch(() => null);
    if (answer?.ok) return answer;
  }
  return fetch(url, init);
}
