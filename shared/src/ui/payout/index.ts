/**
 * Where an account is paid to, from which balance on, and whether at all: the same on the account page and beside its
 * payments. Loaded on demand; its texts are those of the namespace `payout`. Suspends.
 */
import { lazyPart } from '../../lazy-part';

export { walletQuery } from './queries';

export const PayoutPanels = lazyPart<{ account: string; /** The address has changed. */ onAddress?(): void }>(
  'payout',
  async () => (await import('./payout-panels')).PayoutPanels,
);
