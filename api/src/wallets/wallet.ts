/** The payout address of a sub-account: set, changed, cancelled; by its owner only. */
import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import type { Wallet as WalletAnswer } from '@pool/shared/api/contract';
import type { Bus } from '../bus';
import type { Db, DbOrTx } from '../db/database';
import { audit, notification, subAccount, walletChange } from '../db/schema';
import type { SubAccountRow } from '../accounts/accounts';
import { shortAddress } from './bitcoin-address';
import { changeWallet, holdOf, walletKind } from './wallet-rules';

const SHOWN = 50;

/** As the API answers it. `now`: Unix seconds. */
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
    .limit(SHOWN);
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

/** Who changes what, from where; `now` in Unix seconds. `name` must be a sub-account of `userId`. */
export type WalletRequest = { userId: number; name: string; ip: string; now: number };
export type Told = {
  account: string;
  change: 'changed' | 'cancelled';
  oldAddress: string | null;
  newAddress: string;
  until: string | null;
};
type Refused = 'not_found' | 'reverification_required' | 'no_pending_change';
export type WalletResult = { refused: Refused } | { refused: null; account: SubAccountRow };

/** The caller's sub-account, locked; an attempt at anybody else's is written down. */
async function locked(tx: DbOrTx, { userId, name, ip }: WalletRequest): Promise<SubAccountRow | undefined> {
  const [row] = await tx
    .select()
    .from(subAccount)
    .where(and(eq(subAccount.name, name), eq(subAccount.userId, userId), isNull(subAccount.deletedAt)))
    .for('update');
  if (!row) await tx.insert(audit).values({ userId, action: 'wallet.refused', subject: name, ip });
  return row;
}

/** Ends the changes that are held now. */
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

/** The bell's row, in the transaction of the change: nobody is told of what did not happen, and none happens untold. */
async function tell(
  tx: DbOrTx,
  userId: number,
  { account, change, oldAddress, newAddress, until }: Told,
): Promise<number> {
  const values = { account, newAddress, ...(oldAddress ? { oldAddress } : {}), ...(until ? { until } : {}) };
  const [row] = await tx
    .insert(notification)
    .values({ userId, kind: walletKind(change, oldAddress), values })
    .returning({ id: notification.id });
  if (!row) throw new Error('no row');
  return row.id;
}

type Done = { result: WalletResult; told?: { data: Told; id: number } };

async function inOne(db: Db, bus: Bus, userId: number, work: (tx: DbOrTx) => Promise<Done>): Promise<WalletResult> {
  const { result, told } = await db.transaction(work);
  if (told) {
    bus.publish({ type: 'wallet', data: told.data, userId });
    bus.publish({ type: 'notification', data: { id: told.id }, userId });
  }
  return result;
}

/** Sets a checked address. `recent`: the password was given a moment ago, which every address but the one before asks for. */
export function setWallet(
  db: Db,
  bus: Bus,
  request: WalletRequest,
  address: string,
  { recent, holdHours }: { recent: boolean; holdHours: number },
): Promise<WalletResult> {
  const { userId, name, ip, now } = request;
  const at = new Date(now * 1000);
  return inOne(db, bus, userId, async (tx) => {
    const row = await locked(tx, request);
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
    await tx.insert(audit).values({
      userId,
      action,
      subject: name,
      before: { btcAddress: change.from },
      after: { btcAddress: address, holdUntil: addressHoldUntil },
      ip,
    });
    const data: Told = {
      account: name,
      change: change.kind === 'back' ? 'cancelled' : 'changed',
      oldAddress: change.from && shortAddress(change.from),
      newAddress: shortAddress(address),
      until: addressHoldUntil?.toISOString() ?? null,
    };
    return { result: { refused: null, account }, told: { data, id: await tell(tx, userId, data) } };
  });
}

/** Goes back to the address from before the change that is held. Needs no recent sign-in: whoever is warned must be quick. */
export function cancelChange(db: Db, bus: Bus, request: WalletRequest): Promise<WalletResult> {
  const { userId, name, ip, now } = request;
  return inOne(db, bus, userId, async (tx) => {
    const row = await locked(tx, request);
    if (!row) return { result: { refused: 'not_found' } };
    const hold = holdOf(row, now);
    if (!hold) return { result: { refused: 'no_pending_change' } };
    const account = await write(tx, row, { btcAddress: hold.oldAddress, addressBefore: null, addressHoldUntil: null });
    await endHeld(tx, row.id, 'cancelled', new Date(now * 1000));
    await tx.insert(audit).values({
      userId,
      action: 'wallet.cancel',
      subject: name,
      before: { btcAddress: row.btcAddress },
      after: { btcAddress: hold.oldAddress },
      ip,
    });
    const data: Told = {
      account: name,
      change: 'cancelled',
      oldAddress: row.btcAddress && shortAddress(row.btcAddress),
      newAddress: shortAddress(hold.oldAddress),
      until: null,
    };
    return { result: { refused: null, account }, told: { data, id: await tell(tx, userId, data) } };
  });
}
