import type { RemoteManifest } from '@pool/shared';
import { useEffect, useState } from 'react';
import { whenQuiet } from '../session/when-quiet';

/**
 * Whether a newer shell or remote than this page's is deployed. Installs the service worker, which tells of the shell;
 * the list tells of the remotes.
 */
export function useNewVersion(remotes: readonly Pick<RemoteManifest, 'name' | 'version'>[]): {
  isNew: boolean;
  dismiss(): void;
} {
  const [build, setBuild] = useState('');
  const versions = remotes.map(({ name, version }) => `${name}/${version}`).join(' ');
  const deployed = versions && `${build} ${versions}`;
  const [known, setKnown] = useState(deployed);
  // The page of another user has no list of its own.
  if (known === '' && deployed !== '') setKnown(deployed);
  useEffect(
    () =>
      whenQuiet(() => {
        // Without a worker (a private window, a full disk) nothing is missing but speed.
        import(/* webpackChunkName: "idle" */ './register')
          .then(({ register }) => register(setBuild))
          .catch(() => undefined);
      }),
    [],
  );
  return { isNew: known !== '' && deployed !== known, dismiss: () => setKnown(deployed) };
}
