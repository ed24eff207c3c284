import type { RemoteManifest } from '@pool/shared';
import type { i18n } from '@pool/shared/i18n';
import { useEffect, useRef } from 'react';

/** A remote that was deployed while the page is open brings texts of its own: they are fetched when the list shows another version. */
export function useFreshTexts(instance: Pick<i18n, 'reloadResources'>, remotes: readonly RemoteManifest[]): void {
  const versions = remotes.map(({ name, version }) => `${name}/${version}`).join(' ');
  const known = useRef('');
  useEffect(() => {
    const before = known.current;
    known.current = versions;
    if (before && before !== versions) void instance.reloadResources();
  }, [instance, versions]);
}
