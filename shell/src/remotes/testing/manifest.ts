import type { RemoteManifest } from '@pool/shared';
import { CONTRACT } from '@pool/shared/contract';
import shared from '@pool/shared/package.json';

/** The manifest of a remote that fits this shell and brings nothing; `facts` overrides fields. */
export const remoteManifest = (name: string, facts: Partial<RemoteManifest> = {}): RemoteManifest => ({
  name,
  version: '1',
  contract: CONTRACT,
  shared: `^${shared.version}`,
  basePath: `/${name}`,
  nav: [],
  entry: `/remotes/${name}/1/remoteEntry.js`,
  preload: [],
  ...facts,
});
