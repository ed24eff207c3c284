/**
 * A payout address, of a sub-account or of referral money: its owner sets it, changes it, or cancels a change; an admin
 * changes it by the same rules.
 */
import type { Pool } from 'pg';
import type { Language } from '@pool/shared/i18n/languages';
import { writeAudit } from '../accounts/audit';
import type { Bus } from '../bus';
import type { Querier } from '../db/querier';
import { moneyTransaction } from '../db/transaction';
import { writeMail } from '../mail/mail';
import { enqueue } from '../outbox/outbox';
import { shortAddress } from './bitcoin-address';
import { changeWallet, holdOf, walletKind, type Wallet, type WalletChange } from './wallet-rules';

/**
 * `name`: of the sub-account, or of the user. `adminId`: the admin who acts for the owner. `ip`: the request's address,
 * for the audit log. `now`: Unix seconds.
 */
export type WalletOwner = {
  userId: number;
  name: string;
  adminId?: number;
  ip: string;
  /** Of the page that asks. */
  language: Language;
  now: number;
};
/** `id`: of the row that has the wallet. */
export type StoredWallet = Wallet & { id: number };
type Change = Exclude<WalletChange, { kind: 'none' }>;

/** Where wallets of one kind are stored. */
export type WalletStore = {
  /** The first word of its actions in the audit log. */
  action: string;
  /** Name of the address in the audit log. */
  field: string;
  /** Locks the wallet; undefined when there is none of that name, or it is not the user's own. */
  lock(client: Querier, owner: WalletOwner): Promise<StoredWallet | undefined>;
  write(client: Querier, wallet: StoredWallet): Promise<unknown>;
  /** Adds a change to the wallet's history, where it has one. */
  record?(client: Querier, id: number, change: Change, at: Date): Promise<unknown>;
};

type WalletRefusal = 'not_found' | 'reverification_required' | 'no_pending_change' | 'no_address';
export type WalletResult = { refused: WalletRefusal } | { refused: null; wallet: StoredWallet };
type Places = { pool: Pool; bus: Bus; store: WalletStore };

/** Sets a checked address. `recent`: the sign-in is recent, which is required unless it is the previous address. */
export const setWallet = (
  places: Places,
  owner: WalletOwner,
  address: string,
  { recent, holdHours }: { recent: boolean; holdHours: number },
): Promise<WalletResult> =>
  apply(places, owner, (wallet) => {
    // A first address is paid to at once: only its owner sets it.
    if (owner.adminId !== undefined && wallet.btcAddress === null) return 'no_address';
    const change = changeWallet(wallet, address, owner.now, holdHours);
    return recent || change.kind === 'none' || change.kind === 'back' ? change : 'reverification_required';
  });

/** Cancels the held change. Requires no recent sign-in, so that a warned owner can act quickly. */
export const cancelChange = (places: Places, owner: WalletOwner): Promise<WalletResult> =>
  apply(places, owner, (wallet) => {
    const hold = holdOf(wallet, owner.now);
    return hold ? changeWallet(wallet, hold.oldAddress, owner.now, 0) : 'no_pending_change';
  });

/** Changes the wallet, with its audit entry and its notification in one transaction; then publishes both events. */
async function apply(
  { pool, bus, store }: Places,
  owner: WalletOwner,
  decide: (wallet: Wallet) => WalletChange | WalletRefusal,
): Promise<WalletResult> {
  const { userId, name, adminId, ip, now } = owner;
  const actor = { actorId: adminId ?? userId, ip };
  const { event, ...result } = await moneyTransaction(
    pool,
    async (client): Promise<WalletResult & { event?: Event }> => {
      const wallet = await store.lock(client, owner);
      if (!wallet) {
        await writeAudit(client, actor, `${store.action}.refused`, name);
        return { refused: 'not_found' };
      }
      const change = decide(wallet);
      if (typeof change === 'string') return { refused: change };
      if (change.kind === 'none') return { refused: null, wallet };
      const { kind, from, to } = change;
      const written = { id: wallet.id, ...to };
      await store.write(client, written);
      await store.record?.(client, wallet.id, change, new Date(now * 1000));
      await writeAudit(client, actor, `${store.action}.${kind === 'back' ? 'cancel' : 'change'}`, name, {
        before: { [store.field]: from },
        after: { [store.field]: to.btcAddress, holdUntil: to.addressHoldUntil },
      });
      const data: EventData = {
        account: name,
        change: kind === 'back' ? 'cancelled' : 'changed',
        oldAddress: from && shortAddress(from),
        newAddress: shortAddress(to.btcAddress),
        until: to.addressHoldUntil?.toISOString() ?? null,
      };
      const id = await writeNotification(client, owner, data);
      await mailHold(client, owner, data, `wallet ${id}`);
      return { refused: null, wallet: written, event: { data, id } };
    },
  );
  if (event) {
    bus.publish({ type: 'wallet', data: event.data, userId });
    bus.publish({ type: 'notification', data: { id: event.id }, userId });
  }
  return result as WalletResult;
}

type EventData = {
  account: string;
  change: 'changed' | 'cancelled';
  oldAddress: string | null;
  newAddress: string;
  until: string | null;
};
type Event = { data: EventData; id: number };

async function writeNotification(
  client: Querier,
  { userId, adminId }: WalletOwner,
  { account, change, oldAddress, newAddress, until }: EventData,
): Promise<number> {
  const values = { account, newAddress, ...(oldAddress ? { oldAddress } : {}), ...(until ? { until } : {}) };
  const { rows } = await client.query<{ id: number }>(
    'insert into notification (user_id, kind, values) values ($1, $2, $3) returning id',
    [userId, walletKind(change, oldAddress, adminId !== undefined), JSON.stringify(values)],
  );
  if (!rows[0]) throw new Error('no row');
  return rows[0].id;
}

/**
 * Tells a change that is held by mail too, to a confirmed address: who has no Telegram may not look at the pages for
 * three days. The sender wakes with the notification's event.
 */
async function mailHold(
  client: Querier,
  { userId, language, now }: WalletOwner,
  { account, oldAddress, newAddress, until }: EventData,
  dedupe: string,
): Promise<void> {
  if (!until || !oldAddress) return;
  const { rows } = await client.query<{ email: string; language: Language }>(
    `select i.email, coalesce(
       (select t.language from telegram_connection t where t.user_id = u.id and t.status = 'linked' limit 1), $2
     ) as language
     from app_user u
     join identity_user i on i.id = u.identity_id
     where u.id = $1 and i.email_verified_at is not null`,
    [userId, language],
  );
  const values = { name: account, oldAddress, newAddress, until: until.slice(0, 16).replace('T', ' ') };
  const mails = rows.map((owner) => ({
    channel: 'mail' as const,
    target: owner.email,
    dedupe,
    content: JSON.stringify(writeMail({ language: owner.language, kind: 'wallet_changed', values })),
  }));
  await enqueue(client, mails, now);
}
