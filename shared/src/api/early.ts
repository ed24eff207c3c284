/**
 * Answers asked for before the code that wants them was there: the page's inline script (shell/src/first.js) starts
 * them while the scripts download. Each is taken once, by the first GET of the very same URL; one that failed is asked for again
 * the ordinary way.
 */
declare global {
  var poolEarly: Record<string, Promise<Response>> | undefined;
}

/** `fetch`, but an answer already under way is used. */
export async function earlyFetch(url: string, init?: RequestInit): Promise<Response> {
  const started = globalThis.poolEarly?.[url];
  if (started && (init?.method ?? 'GET') === 'GET') {
    delete globalThis.poolEarly?.[url];
    const answer = await started.catch(() => null);
    if (answer?.ok) return answer;
  }
  return fetch(url, init);
}
