/** A payout address of a sub-account or of referral money, changed by its owner or, by the same rules, an admin. */
import type { Pool } from 'pg';
import type { Call } from '@pool/shared/api/contract';
import { endHeld, holdUntil } from '../../accounts/waiting/waiting';
import { doerNow, writeAudit } from '../../platform/audit';
import { writeNotes } from '../../messages/notifications';
import type { Bus } from '../../platform/bus';
import { hasRow, type Querier } from '../../platform/db/querier';
import { afterCommit, moneyTransaction } from '../../platform/db/transaction';
import { shortAddress } from './bitcoin-address';
import { changeWallet, holdOf, walletKind, type Wallet, type WalletChange } from './wallet-rules';
import { problems } from '../../platform/refused';

/**
 * `name`: the sub-account's, or the user's. `adminId`: the admin who acts for the owner. `ip`: the request's address,
 * for the audit log. `now`: Unix seconds.
 */
export type WalletOwner = { userId: number; name: string; adminId?: number; ip: string; now: number };
/** `id`: the row's that has the wallet. `addressSetBy`: the admin who has set the address and its owner has not confirmed. */
export type StoredWallet = Wallet & { id: number; addressSetBy?: number | null };

/** Where wallets of one kind are stored. */
export type WalletStore = {
  /** The call that sets an address of this kind. */
  call: Call;
  /** The first word of its actions in the audit log. */
  action: string;
  /** Name of the address in the audit log. */
  field: string;
  /** Locks the wallet; undefined when there is none of that name, or it is not the user's own. */
  lock(client: Querier, owner: WalletOwner): Promise<StoredWallet | undefined>;
  write(client: Querier, wallet: StoredWallet): Promise<unknown>;
};

type Places = { pool: Pool; bus: Bus; store: WalletStore };

/**
 * Whether an address was set in the last 30 days, as long as a session lives. Going back to it from an old session
 * might be a thief's answer to an owner who has taken a change back.
 */
async function isRecent(
  client: Querier,
  action: string,
  field: string,
  name: string,
  address: string,
): Promise<boolean> {
  return hasRow(client)`select from audit
    where subject = ${name} and action = ${`${action}.change`} and after ->> ${field} = ${address}
      and at > now() - interval '30 days' limit 1`;
}

/**
 * Sets a checked address. `recent`: the sign-in is recent, required unless it is an older previous address. Returns
 * null when the owner has no such wallet.
 */
export const setWallet = (
  places: Places,
  owner: WalletOwner,
  address: string,
  { recent, holdHours }: { recent: boolean; holdHours: number },
): Promise<StoredWallet | null> =>
  apply(places, owner, async (wallet, isNew) => {
    // A first address is paid to at once: only its owner sets it.
    if (owner.adminId !== undefined && wallet.btcAddress === null)
      throw problems.conflict('no_address', 'Only its owner sets a first address.');
    const change = changeWallet(wallet, address, owner.now, holdHours);
    if (recent || (change.kind === 'none' && !confirms(wallet, owner))) return change;
    if (change.kind !== 'back' || (await isNew(address))) throw problems.reverify();
    return change;
  });

/** The owner sets the address that an admin has set. */
const confirms = ({ addressSetBy }: StoredWallet, { adminId }: WalletOwner): boolean =>
  Boolean(addressSetBy) && adminId === undefined;

/** Cancels the held change, so that a warned owner can act quickly: by the rules of setting the address before. */
export const cancelChange = (places: Places, owner: WalletOwner, recent: boolean): Promise<StoredWallet | null> =>
  apply(places, owner, async (wallet, isNew) => {
    const oldAddress = holdOf(wallet, owner.now)?.oldAddress;
    if (!oldAddress) throw problems.conflict('no_pending_change', 'There is no change that is held.');
    if (!recent && (await isNew(oldAddress))) throw problems.reverify();
    return changeWallet(wallet, oldAddress, owner.now, 0);
  });

/** Changes the wallet, with its audit entry and its notification in one transaction; then publishes both events. */
function apply(
  { pool, bus, store }: Places,
  owner: WalletOwner,
  decide: (wallet: StoredWallet, isNew: (address: string) => Promise<boolean>) => Promise<WalletChange>,
): Promise<StoredWallet | null> {
  const { userId, name, adminId, ip, now } = owner;
  const actor = { actorId: adminId ?? userId, ip };
  return moneyTransaction(pool, async (client) => {
    const wallet = await store.lock(client, owner);
    if (!wallet) {
      await writeAudit(client, actor, `${store.action}.refused`, name);
      return null;
    }
    const change = await decide(wallet, (address) => isRecent(client, store.action, store.field, name, address));
    if (change.kind === 'none') {
      if (!confirms(wallet, owner)) return wallet;
      const confirmed = { ...wallet, addressSetBy: null };
      await store.write(client, confirmed);
      await writeAudit(client, actor, `${store.action}.confirm`, name, {
        after: { [store.field]: wallet.btcAddress },
      });
      return confirmed;
    }
    const { kind, from, to } = change;
    const written = { id: wallet.id, addressSetBy: adminId ?? null, ...to };
    await store.write(client, written);
    const held = { call: store.call, userId, subject: String(wallet.id), at: new Date(now * 1000) };
    await endHeld(client, held, kind === 'back' ? 'taken_back' : 'replaced');
    const shown = {
      account: name,
      before: from === null ? null : { address: from },
      after: { address: to.btcAddress },
    };
    if (kind !== 'back')
      await holdUntil(client, { ...held, shown, askedBy: doerNow(actor), until: to.addressHoldUntil ?? held.at });
    await writeAudit(client, actor, `${store.action}.${kind === 'back' ? 'cancel' : 'change'}`, name, {
      before: { [store.field]: from },
      after: { [store.field]: to.btcAddress, holdUntil: to.addressHoldUntil },
    });
    const data = {
      account: name,
      change: kind === 'back' ? ('cancelled' as const) : ('changed' as const),
      oldAddress: from && shortAddress(from),
      newAddress: shortAddress(to.btcAddress),
      until: to.addressHoldUntil?.toISOString() ?? null,
    };
    afterCommit(client, () => bus.publish({ type: 'wallet', data, userId }));
    const { account, oldAddress, newAddress, until } = data;
    const values = { account, newAddress, ...(oldAddress ? { oldAddress } : {}), ...(until ? { until } : {}) };
    const noteKind = walletKind(data.change, oldAddress, adminId !== undefined);
    await writeNotes(client, [{ userId, kind: noteKind, values }], now);
    return written;
  });
}
