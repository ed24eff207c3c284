import { satisfy } from '@module-federation/enhanced/runtime';
import type { RemoteManifest } from '@pool/shared';
import { CONTRACT } from '@pool/shared/contract';
import shared from '@pool/shared/package.json';
import { RemoteFailure } from './failure';

/** Refuses a remote built for another contract or another `shared`, and says which side is older. */
export function checkFit({ name, contract, shared: range, lacks = [] }: RemoteManifest): void {
  const isOfRange = contract === CONTRACT && satisfy(shared.version, range);
  if (isOfRange && lacks.length === 0) return;
  const isNewer = contract === CONTRACT ? satisfy(range.slice(1), `>${shared.version}`) : contract > CONTRACT;
  throw new RemoteFailure(isOfRange || isNewer ? 'shellBehind' : 'remoteBehind', name, undefined, {
    needs: [`contract ${contract}, shared ${range}`, ...lacks].join(', '),
    has: `contract ${CONTRACT}, shared ${shared.version}`,
  });
}
