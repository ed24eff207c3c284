/**
 * For developing one remote against a deployed pool: `localStorage['remote-override:workers'] =
 * 'http://localhost:3100/remoteEntry.js'`. Not in production builds: code that can write the storage would control the
 * page.
 */
import type { RemoteManifest } from '@pool/shared';

const PREFIX = 'remote-override:';
export const mayOverride = process.env.NODE_ENV !== 'production';

/** Names of the remotes that are loaded from an override. */
export const overridden = (): string[] =>
  mayOverride
    ? Object.keys(localStorage)
        .filter((key) => key.startsWith(PREFIX))
        .map((key) => key.slice(PREFIX.length))
    : [];

export function resetOverrides(): void {
  for (const name of overridden()) localStorage.removeItem(PREFIX + name);
}

export function withOverride(manifest: RemoteManifest): RemoteManifest {
  const entry = mayOverride ? localStorage.getItem(PREFIX + manifest.name) : null;
  return entry ? { ...manifest, entry, preload: [], files: undefined } : manifest;
}
