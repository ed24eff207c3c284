import { createApiClient, earlyFetch } from '@pool/shared';
import { useEffect } from 'react';
import { useAuthState } from '../auth';
import { hasSignedInMark } from '../auth/early-session';
import { Reporter } from './reporter';

let started = false;

/** Starts the reporter, once for the page. The session of the browser sends, whoever's pages are shown. */
export function useReporter(): void {
  const { getToken } = useAuthState();
  useEffect(() => {
    if (started) return;
    started = true;
    // A page that is left still sends.
    const api = createApiClient({
      getToken: async () => {
        // Reports of a session that has ended are not taken: they are lost.
        if (!hasSignedInMark(document.cookie)) throw new Error('signed out');
        return getToken();
      },
      fetch: (url, init) => earlyFetch(String(url), { ...init, keepalive: true }),
    });
    new Reporter(api).start();
  }, [getToken]);
}
