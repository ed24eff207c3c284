import type { RemoteManifest } from '@pool/shared';
import { reloadTexts, type i18n } from '@pool/shared/i18n';
import { useEffect, useRef } from 'react';

/** Refetches the texts when a remote was deployed while the page is open: it has new texts. */
export function useFreshTexts(
  instance: Pick<i18n, 'reloadResources' | 'emit'>,
  remotes: readonly RemoteManifest[],
): void {
  const versions = remotes.map(({ name, version }) => `${name}/${version}`).join(' ');
  const known = useRef('');
  useEffect(() => {
    const before = known.current;
    known.current = versions;
    if (before && before !== versions) void reloadTexts(instance);
  }, [instance, versions]);
}
