import { getInstance } from '@module-federation/enhanced/runtime';

/** Prepares a new try: the runtime would keep a failed load of a shared part for ever. */
export function resetFailedShares(): void {
  for (const versions of Object.values(getInstance()?.shareScopeMap.default ?? {})) {
    for (const part of Object.values(versions)) {
      part.from = '';
      if (!part.loaded) part.loading = null;
    }
  }
}
