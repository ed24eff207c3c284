import type { RemoteManifest, Session } from '@pool/shared';
import { useCallback } from 'react';
import { useAuthState } from '../../auth';
import { loadRemoteModule, wasLoaded } from '../federation';
import { sendPrefetchCalls } from './prefetch-calls';

/** What a pressed link to a remote does before the click: loads the remote, and sends the first calls of its page. */
export function usePressRemote({ userName, algorithm, isLegacyUser, viewingAs }: Session) {
  const { getToken } = useAuthState();
  return useCallback(
    async (remote: RemoteManifest, link: HTMLAnchorElement): Promise<void> => {
      if (wasLoaded(remote)) return;
      // Legacy users' pages and those of another user make other calls.
      if (!isLegacyUser && !viewingAs) void sendPrefetchCalls(remote, link, { account: userName, algorithm }, getToken);
      await loadRemoteModule(remote);
    },
    [userName, algorithm, isLegacyUser, viewingAs, getToken],
  );
}
