/**
 * Rules of a payout address, for the wallet of a sub-account and for a referral wallet. Setting or changing the address
 * requires a recent sign-in; going back to the previous address does not, unless that was set in the last 30 days. The
 * first address is payable at once. A changed address is stored at once, but nothing is paid during the hold: the owner
 * is notified and has that time to cancel.
 */

export type Wallet = {
  btcAddress: string | null;
  /** The address before the held change. */
  addressBefore: string | null;
  /** Nothing is paid before this. */
  addressHoldUntil: Date | null;
};

export type Payable = { state: 'none' } | { state: 'held'; until: Date } | { state: 'payable'; address: string };

const heldAt = ({ addressHoldUntil }: Pick<Wallet, 'addressHoldUntil'>, at: number): Date | null =>
  addressHoldUntil && addressHoldUntil.getTime() > at * 1000 ? addressHoldUntil : null;

/** The address to pay at time `at` (Unix seconds). Call it at each step of a payout. */
export function payableAddress(wallet: Pick<Wallet, 'btcAddress' | 'addressHoldUntil'>, at: number): Payable {
  if (!wallet.btcAddress) return { state: 'none' };
  const until = heldAt(wallet, at);
  return until ? { state: 'held', until } : { state: 'payable', address: wallet.btcAddress };
}

/** The hold at `at` (Unix seconds); null address: unchanged, payouts are held since "it wasn't me". */
export function holdOf(wallet: Wallet, at: number): { until: Date; oldAddress: string | null } | null {
  const until = heldAt(wallet, at);
  return until && { until, oldAddress: wallet.addressBefore };
}

/** The active hold as in the API, if there is one. */
export function holdAnswer(wallet: Wallet, at: number): { hold?: { until: string; oldAddress: string | null } } {
  const hold = holdOf(wallet, at);
  return hold ? { hold: { until: hold.until.toISOString(), oldAddress: hold.oldAddress } } : {};
}

export type WalletChange =
  | { kind: 'none' }
  /** `first`: first address; `change`: starts a hold; `back`: the previous address, which cancels the held change. */
  | { kind: 'first' | 'change' | 'back'; from: string | null; to: Wallet & { btcAddress: string } };

/** The effect of setting `address` at `at` (Unix s); one in a hold restarts it and keeps the first address. */
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

/** Kind of the notification. The first address has no previous one. `byAdmin`: an admin changed it. */
export const walletKind = (change: 'changed' | 'cancelled', oldAddress: string | null, byAdmin: boolean): string => {
  if (change === 'cancelled') return 'wallet_cancelled';
  if (oldAddress === null) return 'wallet_set';
  return byAdmin ? 'wallet_changed_by_admin' : 'wallet_changed';
};
