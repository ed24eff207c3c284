import { getInstance } from '@module-federation/enhanced/runtime';

/**
 * Prepares a new try: shared parts belong to no remote, and one that failed is fetched again. The runtime counts a part
 * as of the remote that loaded it first, removes it with that remote, and keeps a failed load for ever.
 */
export function resetFailedShares(): void {
  for (const versions of Object.values(getInstance()?.shareScopeMap.default ?? {})) {
    for (const part of Object.values(versions)) {
      part.from = '';
      if (!part.loaded) part.loading = null;
    }
  }
}
