/** The payout address of a sub-account: its owner sets it, changes it, or cancels a change. */
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { writeAudit } from '../accounts/audit';
import type { Wallet as WalletAnswer } from '@pool/shared/api/contract';
import type { Bus } from '../bus';
import type { Db, DbOrTx } from '../db/database';
import { notification, subAccount, walletChange } from '../db/schema';
import { DURABLE } from '../db/transaction';
import type { SubAccountRow } from '../accounts/accounts';
import { shortAddress } from './bitcoin-address';
import { changeWallet, holdOf, walletKind } from './wallet-rules';

const MAX_HISTORY = 50;

/** The wallet as in the API. `now`: Unix seconds. */
export async function walletOf(
  db: DbOrTx,
  account: Pick<SubAccountRow, 'id' | 'btcAddress' | 'addressBefore' | 'addressHoldUntil'>,
  now: number,
): Promise<WalletAnswer> {
  const hold = holdOf(account, now);
  const rows = await db
    .select()
    .from(walletChange)
    .where(eq(walletChange.subAccountId, account.id))
    .orderBy(desc(walletChange.id))
    .limit(MAX_HISTORY);
  return {
    btcAddress: account.btcAddress,
    ...(hold ? { hold: { until: hold.until.toISOString(), oldAddress: hold.oldAddress } } : {}),
    history: rows.map(({ id, createdAt, oldAddress, newAddress, effectiveAt, status }) => ({
      id,
      at: createdAt.toISOString(),
      oldAddress,
      newAddress,
      effectiveAt: effectiveAt.toISOString(),
      status: status === 'set' ? (effectiveAt.getTime() > now * 1000 ? 'held' : 'done') : status,
    })),
  };
}

/** `name`: a sub-account of `userId`. `ip`: the request's address, for the audit log. `now`: Unix seconds. */
export type WalletRequest = { userId: number; name: string; ip: string; now: number };
type WalletEvent = {
  account: string;
  change: 'changed' | 'cancelled';
  oldAddress: string | null;
  newAddress: string;
  until: string | null;
};
type Refused = 'not_found' | 'reverification_required' | 'no_pending_change';
export type WalletResult = { refused: Refused } | { refused: null; account: SubAccountRow };

/** Locks and returns the user's sub-account. Writes an audit row when it is not the user's own. */
async function lockAccount(tx: DbOrTx, { userId, name, ip }: WalletRequest): Promise<SubAccountRow | undefined> {
  const [row] = await tx
    .select()
    .from(subAccount)
    .where(and(eq(subAccount.name, name), eq(subAccount.userId, userId), isNull(subAccount.deletedAt)))
    .for('update');
  if (!row) await writeAudit(tx, { actorId: userId, ip }, 'wallet.refused', name);
  return row;
}

/** Sets a new status for the changes whose hold has not ended. */
const endHeld = (tx: DbOrTx, subAccountId: number, status: 'cancelled' | 'replaced', at: Date): Promise<unknown> =>
  tx
    .update(walletChange)
    .set({ status })
    .where(
      and(
        eq(walletChange.subAccountId, subAccountId),
        eq(walletChange.status, 'set'),
        gt(walletChange.effectiveAt, at),
      ),
    );

async function write(
  tx: DbOrTx,
  row: SubAccountRow,
  to: Pick<SubAccountRow, 'btcAddress' | 'addressBefore' | 'addressHoldUntil'>,
): Promise<SubAccountRow> {
  const [written] = await tx
    .update(subAccount)
    .set({ btcAddress: to.btcAddress, addressBefore: to.addressBefore, addressHoldUntil: to.addressHoldUntil })
    .where(eq(subAccount.id, row.id))
    .returning();
  if (!written) throw new Error('no row');
  return written;
}

/** Writes the notification in the transaction of the change, so that neither exists without the other. */
async function writeNotification(
  tx: DbOrTx,
  userId: number,
  { account, change, oldAddress, newAddress, until }: WalletEvent,
): Promise<number> {
  const values = { account, newAddress, ...(oldAddress ? { oldAddress } : {}), ...(until ? { until } : {}) };
  const [row] = await tx
    .insert(notification)
    .values({ userId, kind: walletKind(change, oldAddress), values })
    .returning({ id: notification.id });
  if (!row) throw new Error('no row');
  return row.id;
}

type Done = { result: WalletResult; event?: { data: WalletEvent; notificationId: number } };

/** Runs `work` in a transaction, then publishes its event. */
async function changeAndPublish(
  db: Db,
  bus: Bus,
  userId: number,
  work: (tx: DbOrTx) => Promise<Done>,
): Promise<WalletResult> {
  const { result, event } = await db.transaction(async (tx) => {
    await tx.execute(sql.raw(DURABLE));
    return work(tx);
  });
  if (event) {
    bus.publish({ type: 'wallet', data: event.data, userId });
    bus.publish({ type: 'notification', data: { id: event.notificationId }, userId });
  }
  return result;
}

/** Sets a checked address. `recent`: the sign-in is recent, which is required unless it is the previous address. */
export function setWallet(
  db: Db,
  bus: Bus,
  request: WalletRequest,
  address: string,
  { recent, holdHours }: { recent: boolean; holdHours: number },
): Promise<WalletResult> {
  const { userId, name, ip, now } = request;
  const at = new Date(now * 1000);
  return changeAndPublish(db, bus, userId, async (tx) => {
    const row = await lockAccount(tx, request);
    if (!row) return { result: { refused: 'not_found' } };
    const change = changeWallet(row, address, now, holdHours);
    if (change.kind === 'none') return { result: { refused: null, account: row } };
    if (change.kind !== 'back' && !recent) return { result: { refused: 'reverification_required' } };
    const account = await write(tx, row, change.to);
    const { addressHoldUntil } = change.to;
    await endHeld(tx, row.id, change.kind === 'back' ? 'cancelled' : 'replaced', at);
    if (change.kind !== 'back')
      await tx.insert(walletChange).values({
        subAccountId: row.id,
        oldAddress: change.from,
        newAddress: address,
        effectiveAt: addressHoldUntil ?? at,
        createdAt: at,
      });
    const action = change.kind === 'back' ? 'wallet.cancel' : 'wallet.change';
    await writeAudit(tx, { actorId: userId, ip }, action, name, {
      before: { btcAddress: change.from },
      after: { btcAddress: address, holdUntil: addressHoldUntil },
    });
    const data: WalletEvent = {
      account: name,
      change: change.kind === 'back' ? 'cancelled' : 'changed',
      oldAddress: change.from && shortAddress(change.from),
      newAddress: shortAddress(address),
      until: addressHoldUntil?.toISOString() ?? null,
    };
    return {
      result: { refused: null, account },
      event: { data, notificationId: await writeNotification(tx, userId, data) },
    };
  });
}

/** Cancels the held change. Requires no recent sign-in, so that a warned owner can act quickly. */
export function cancelChange(db: Db, bus: Bus, request: WalletRequest): Promise<WalletResult> {
  const { userId, name, ip, now } = request;
  return changeAndPublish(db, bus, userId, async (tx) => {
    const row = await lockAccount(tx, request);
    if (!row) return { result: { refused: 'not_found' } };
    const hold = holdOf(row, now);
    if (!hold) return { result: { refused: 'no_pending_change' } };
    const account = await write(tx, row, { btcAddress: hold.oldAddress, addressBefore: null, addressHoldUntil: null });
    await endHeld(tx, row.id, 'cancelled', new Date(now * 1000));
    await writeAudit(tx, { actorId: userId, ip }, 'wallet.cancel', name, {
      before: { btcAddress: row.btcAddress },
      after: { btcAddress: hold.oldAddress },
    });
    const data: WalletEvent = {
      account: name,
      change: 'cancelled',
      oldAddress: row.btcAddress && shortAddress(row.btcAddress),
      newAddress: shortAddress(hold.oldAddress),
      until: null,
    };
    return {
      result: { refused: null, account },
      event: { data, notificationId: await writeNotification(tx, userId, data) },
    };
  });
}
