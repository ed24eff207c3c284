/** Users and their sub-accounts. */
import { writeAudit } from '../platform/audit';
import { ACCOUNT_NAME } from '@pool/shared/domain';
import type { Pool, PoolClient } from 'pg';
import { firstRow, hasRow, oneRow, type Querier, rowsOf, sql, valueOf } from '../platform/db/querier';
import { sharedRead } from '../platform/db/shared-read';
import { lock, transaction } from '../platform/db/transaction';
import { obstaclesOf, type Obstacle } from './obstacles';
import { problems } from '../platform/refused';

/** Changes of what is a user's take turns until the end of the transaction. */
export const lockUser = (client: PoolClient, id: number): Promise<unknown> =>
  client.query(sql`select from app_user where id = ${id} for no key update`);

/** A user of the pool, in `app_user`. The role is decided here and nowhere else. */
export type AppUser = {
  id: number;
  /** The `sub` of the identity token. */
  identityId: string;
  userName: string;
  email: string | null;
  role: 'miner' | 'admin';
  isLegacyUser: boolean;
  disabled: boolean;
  feePercent: number | null;
  referralAddress: string | null;
  referralAddressBefore: string | null;
  referralHoldUntil: Date | null;
  /** Time until which an admin whom another one has made approves, sends and confirms nothing (new-admin.ts). */
  fullAdminAt: Date | null;
  lastSeenAt: Date | null;
  createdAt: Date;
  /** Increased by a trigger when an admin's edit changes the user: an edit names the version it has seen. */
  version: number;
};
/** A mining account, in `sub_account`; the one with its user's name is the primary. */
export type SubAccountRow = {
  id: number;
  userId: number;
  name: string;
  /** Algorithm name to the sub-account's own Stratum port. */
  ports: Partial<Record<string, number>>;
  proxyPort: number | null;
  btcAddress: string | null;
  /** The address before the last change, and until when nothing is paid (payouts/wallet-rules.ts). */
  addressBefore: string | null;
  addressHoldUntil: Date | null;
  /** The admin who has set the address, until its owner confirms it: that admin does not pay to it. */
  addressSetBy: number | null;
  thresholdSat: number;
  /** Salted hash of the password of its miners; null: any. */
  minerPassword: string | null;
  payoutPaused: boolean;
  createdAt: Date;
  /** A deleted account keeps its history and its name: nobody else may get its miners. */
  deletedAt: Date | null;
  version: number;
};
export type NewAppUser = { identityId: string; userName: string; email: string | null };

export const nameTaken = (db: Querier, name: string): Promise<boolean> =>
  hasRow(db)`select from sub_account where name = ${name} union all select from app_user where user_name = ${name}`;

/** Inserts a user and its primary sub-account of the same name. Call it in a transaction. */
export async function createUser(tx: Querier, { identityId, userName, email }: NewAppUser): Promise<AppUser> {
  const user = await oneRow<AppUser>(tx)`
    insert into app_user (identity_id, user_name, email) values (${identityId}, ${userName}, ${email}) returning *`;
  await tx.query(sql`insert into sub_account (user_id, name) values (${user.id}, ${userName})`);
  return user;
}

/** New names of accounts are found one after the other. */
export const lockNames = (tx: Querier): Promise<unknown> => tx.query('select pg_advisory_xact_lock(7002)');

/** A valid name that no account has, made from the text; call it after `lockNames`. */
export async function freeName(tx: Querier, text: string): Promise<string> {
  const base = nameFrom(text);
  let name = base;
  for (let n = 2; await nameTaken(tx, name); n += 1) name = `${base}-${n}`;
  return name;
}

/** Makes a valid user name from a name or email of a hosted identity service. */
function nameFrom(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/^[^a-z]+/, '')
    .slice(0, 24);
  return ACCOUNT_NAME.test(name) ? name : 'miner';
}

export const userOf = (db: Querier, identityId: string): Promise<AppUser | undefined> =>
  firstRow<AppUser>(db)`select * from app_user where identity_id = ${identityId}`;

/** The user of a token's `sub`, created when the identity is new; only then `facts` is called. */
export async function userOfIdentity(
  db: Pool,
  identityId: string,
  facts: () => Promise<{ userName: string | null; email: string | null }>,
): Promise<AppUser> {
  const known = await userOf(db, identityId);
  if (known) return known;
  const { userName, email } = await facts();
  return transaction(db, async (tx) => {
    await lockNames(tx);
    const made = await userOf(tx, identityId);
    if (made) return made;
    const name = await freeName(tx, userName ?? email?.split('@')[0] ?? '');
    return createUser(tx, { identityId, userName: name, email });
  });
}

export const subAccountsOf = (db: Querier, userId: number): Promise<SubAccountRow[]> =>
  sharedRead(db, `sub-accounts ${userId}`, () =>
    rowsOf<SubAccountRow>(
      db,
      'select * from sub_account where user_id = $1 and deleted_at is null order by id',
      [userId],
      'sub-accounts',
    ),
  );

/** Includes deleted sub-accounts, whose earnings stay visible. */
export const everySubAccountOf = (db: Querier, userId: number): Promise<SubAccountRow[]> =>
  rowsOf<SubAccountRow>(db)`select * from sub_account where user_id = ${userId} order by id`;

/** One sub-account by name; with `ownerId`, only when that user owns it. */
export async function findSubAccount(db: Querier, name: string, ownerId: number | null = null) {
  const row = await firstRow<SubAccountRow>(db)`
    select * from sub_account where name = ${name} and deleted_at is null
      and (${ownerId}::int is null or user_id = ${ownerId})`;
  return row;
}

const KEPT: Record<Obstacle, string> = {
  balance_not_zero: 'There is money to be paid out first.',
  workers_active: 'A worker sent a share in the last 24 hours.',
};

/**
 * Deletes a sub-account of the user. Refuses the primary one, one with a balance, an unfinished payment or unpaid work,
 * and one with a share in the last 24 h. The row is only marked: its earnings stay, and its name stays taken.
 */
export function deleteSubAccount(pool: Pool, user: AppUser, id: number, ip: string, now: number): Promise<void> {
  return transaction(pool, async (client) => {
    // This lock prevents closing a day or opening a payment in the meantime.
    await lock(client, 'closing');
    const name = await valueOf<string>(client)`
      select name from sub_account where id = ${id} and user_id = ${user.id} and deleted_at is null for update`;
    if (name === undefined) throw problems.notFound();
    if (name === user.userName) throw problems.conflict('primary_account', 'The primary sub-account stays.');
    const obstacle = (await obstaclesOf(client, [id], now)).get(id);
    if (obstacle) throw problems.conflict(obstacle, KEPT[obstacle]);
    await client.query(sql`update sub_account set deleted_at = to_timestamp(${now}::float8) where id = ${id}`);
    // Its upstream lists would prevent deleting the upstream configurations they contain.
    await client.query(sql`delete from sub_account_pool_config where sub_account_id = ${id}`);
    await writeAudit(client, { actorId: user.id, ip }, 'sub_account.delete', name, { before: { id } });
  });
}
