import { useCallback, useRef } from 'react';
import { useApi } from './services';

/** The pool's tokens are good for five minutes; a call may take a while. */
const FRESH_MS = 240_000;

/**
 * Returns a function that resolves to a token of this user for `origin`, one of the remote's `connect`: a JWT (RS256)
 * whose `aud` is the origin. Send it as `Authorization: Bearer`. Rejects with an `ApiError` 403 while the operator does
 * not allow the origin.
 */
export function useOwnToken(origin: string): () => Promise<string> {
  const api = useApi();
  const last = useRef<{ origin: string; token: string; until: number } | null>(null);
  return useCallback(async () => {
    if (last.current?.origin === origin && Date.now() < last.current.until) return last.current.token;
    const until = Date.now() + FRESH_MS;
    const { token } = await api('POST /remotes/token', { body: { origin } });
    last.current = { origin, token, until };
    return token;
  }, [api, origin]);
}
