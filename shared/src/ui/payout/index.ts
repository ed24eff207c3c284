/** Where an account is paid to, from which balance on, and whether at all. Suspends. */
import { lazyPart } from '../../react/lazy-part';
import type { WalletPanelProps } from './wallet-panel';

export { rulesQuery, walletQuery, type WalletCalls } from './queries';

export const PayoutPanels = lazyPart<{ account: string; /** The address has changed. */ onAddress?(): void }>(
  'payout',
  async () => (await import(/* webpackChunkName: "payout" */ './payout-panels')).PayoutPanels,
);

export const WalletPanel = lazyPart<WalletPanelProps>(
  'payout',
  async () => (await import(/* webpackChunkName: "payout" */ './wallet-panel')).WalletPanel,
);
