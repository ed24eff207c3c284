import { useApi } from '@pool/shared/remote';
import { EXPORTED } from '@pool/shared/ui/core';
import { useEffect } from 'react';

/** Tells the organization's log which files its member downloads from the pages. `acts`: the user is such a member. */
export function useExportLog(acts: boolean): void {
  const api = useApi();
  useEffect(() => {
    if (!acts) return;
    const log = (event: Event) => {
      const { detail: file } = event as CustomEvent<string>;
      // The file is there already: that it could not be logged is reported as every failed call is.
      void api('POST /exports', { body: { file } }).catch(() => undefined);
    };
    window.addEventListener(EXPORTED, log);
    return () => window.removeEventListener(EXPORTED, log);
  }, [api, acts]);
}
