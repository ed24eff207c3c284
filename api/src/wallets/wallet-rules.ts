/**
 * A payout address and its change; both ask for a recent sign-in, going back does not. The first one counts at once. Another one is written down at once too, but for the
 * length of the hold nothing is paid at all: the owner, told on the old channels, has that long to cancel.
 * The same rules hold for a sub-account's wallet and for a referral wallet.
 */

export type Wallet = {
  btcAddress: string | null;
  /** The address before the change that is held. */
  addressBefore: string | null;
  /** Nothing is paid before this. */
  addressHoldUntil: Date | null;
};

export type Payable = { state: 'none' } | { state: 'held'; until: Date } | { state: 'payable'; address: string };

const heldAt = ({ addressHoldUntil }: Pick<Wallet, 'addressHoldUntil'>, at: number): Date | null =>
  addressHoldUntil && addressHoldUntil.getTime() > at * 1000 ? addressHoldUntil : null;

/** Where to pay at `at` (Unix seconds): ask again at every step of a payout. */
export function payableAddress(wallet: Pick<Wallet, 'btcAddress' | 'addressHoldUntil'>, at: number): Payable {
  if (!wallet.btcAddress) return { state: 'none' };
  const until = heldAt(wallet, at);
  return until ? { state: 'held', until } : { state: 'payable', address: wallet.btcAddress };
}

/** The hold under way: until when, and which address was paid before. */
export function holdOf(wallet: Wallet, at: number): { until: Date; oldAddress: string } | null {
  const until = heldAt(wallet, at);
  return until && wallet.addressBefore ? { until, oldAddress: wallet.addressBefore } : null;
}

export type WalletChange =
  | { kind: 'none' }
  /** `first`: there was none; `change`: held; `back`: the address paid before a held change, so that change is cancelled. */
  | { kind: 'first' | 'change' | 'back'; from: string | null; to: Wallet & { btcAddress: string } };

/** What setting `address` does at `at` (Unix seconds). A change during a hold holds anew, and the old address stays the one before both. */
export function changeWallet(wallet: Wallet, address: string, at: number, holdHours: number): WalletChange {
  const { btcAddress } = wallet;
  if (btcAddress === address) return { kind: 'none' };
  if (btcAddress === null)
    return { kind: 'first', from: null, to: { btcAddress: address, addressBefore: null, addressHoldUntil: null } };
  const hold = holdOf(wallet, at);
  if (hold?.oldAddress === address)
    return { kind: 'back', from: btcAddress, to: { btcAddress: address, addressBefore: null, addressHoldUntil: null } };
  return {
    kind: 'change',
    from: btcAddress,
    to: {
      btcAddress: address,
      addressBefore: hold?.oldAddress ?? btcAddress,
      addressHoldUntil: new Date((at + holdHours * 3600) * 1000),
    },
  };
}

/** What the bell calls it: an address that is set for the first time has none before it. */
export const walletKind = (change: 'changed' | 'cancelled', oldAddress: string | null): string =>
  change === 'changed' && oldAddress === null ? 'wallet_set' : `wallet_${change}`;
