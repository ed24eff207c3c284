/** Early responses: the first GET of the same URL uses one, once; a failed one is fetched again. */
declare global {
  var earlyRequests: Record<string, Promise<Response>> | undefined;
}

export const earlyRequests = (): Record<string, Promise<Response>> => (globalThis.earlyRequests ??= {});

/** Like `fetch`, but uses an early response if there is one. */
export async function earlyFetch(url: string, init?: RequestInit): Promise<Response> {
  const started = globalThis.earlyRequests?.[url];
  if (started && (init?.method ?? 'GET') === 'GET') {
    delete globalThis.earlyRequests?.[url];
    const answer = await started.catch(() => null);
    if (answer?.ok) return answer;
  }
  return fetch(url, init);
}
