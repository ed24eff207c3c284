import { createApiClient, earlyFetch } from '@pool/shared';
import { useEffect } from 'react';
import { useAuthContext } from '../auth/auth-provider';
import { hasSignedInMark } from '../auth/early-session';
import { Reporter } from './reporter';

let started = false;

/** Starts the reporter, once for the page. The session of the browser sends, whoever's pages are shown. */
export function useReporter(): void {
  const { store } = useAuthContext();
  useEffect(() => {
    if (started) return;
    started = true;
    // A page that is left still sends.
    const api = createApiClient({
      getToken: async () => {
        const token = await store.getToken();
        // Without a session, or of one that ends, here or in another tab, reports are not taken: they are lost.
        const isOver = token === null || store.isLeaving() || !hasSignedInMark(document.cookie);
        if (isOver) throw new Error('signed out');
        return token;
      },
      fetch: (url, init) => earlyFetch(String(url), { ...init, keepalive: true }),
    });
    new Reporter(api).start();
  }, [store]);
}
