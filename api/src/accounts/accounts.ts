/** Users and their sub-accounts. */
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { writeAudit } from './audit';
import { ACCOUNT_NAME } from '@pool/shared/domain';
import type { Pool } from 'pg';
import type { Db, DbOrTx } from '../db/database';
import { builtOnce } from '../db/prepared';
import { appUser, subAccount } from '../db/schema';
import { sharedRead } from '../db/shared-read';
import { lock, transaction } from '../db/transaction';
import { obstaclesOf, type Obstacle } from './sub-account-facts';

export type AppUser = typeof appUser.$inferSelect;
export type SubAccountRow = typeof subAccount.$inferSelect;
export type NewAppUser = { identityId: string; userName: string; email: string | null };

export const nameTaken = async (db: DbOrTx, name: string): Promise<boolean> =>
  (await db.select({ id: subAccount.id }).from(subAccount).where(eq(subAccount.name, name))).length > 0 ||
  (await db.select({ id: appUser.id }).from(appUser).where(eq(appUser.userName, name))).length > 0;

/** Inserts a user and its primary sub-account of the same name. Call it in a transaction. */
export async function createUser(tx: DbOrTx, { identityId, userName, email }: NewAppUser): Promise<AppUser> {
  const [user] = await tx.insert(appUser).values({ identityId, userName, email }).returning();
  if (!user) throw new Error('no row');
  await tx.insert(subAccount).values({ userId: user.id, name: userName });
  return user;
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

/**
 * The user of a token's `sub`; creates the user when the identity is new. Safe under concurrent first requests. Calls
 * `facts` only for a new identity.
 */
export async function userOfIdentity(
  db: Db,
  identityId: string,
  facts: () => Promise<{ userName: string | null; email: string | null }>,
): Promise<AppUser> {
  const find = async (tx: DbOrTx) => (await tx.select().from(appUser).where(eq(appUser.identityId, identityId)))[0];
  const known = await find(db);
  if (known) return known;
  const { userName, email } = await facts();
  const base = nameFrom(userName ?? email?.split('@')[0] ?? '');
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(7002)`);
    const made = await find(tx);
    if (made) return made;
    let name = base;
    for (let n = 2; await nameTaken(tx, name); n += 1) name = `${base}-${n}`;
    return createUser(tx, { identityId, userName: name, email });
  });
}

const subAccounts = builtOnce((db) =>
  db
    .select()
    .from(subAccount)
    .where(and(eq(subAccount.userId, sql.placeholder('userId')), isNull(subAccount.deletedAt)))
    .orderBy(asc(subAccount.id))
    .prepare('sub-accounts'),
);
export const subAccountsOf = (db: DbOrTx, userId: number): Promise<SubAccountRow[]> =>
  sharedRead(db, `sub-accounts ${userId}`, () => subAccounts(db).execute({ userId }));

/** Includes deleted sub-accounts, whose earnings stay visible. */
export const everySubAccountOf = (db: DbOrTx, userId: number): Promise<SubAccountRow[]> =>
  db.select().from(subAccount).where(eq(subAccount.userId, userId)).orderBy(asc(subAccount.id));

/** One sub-account by name; with `ownerId`, only when that user owns it. */
export async function findSubAccount(db: DbOrTx, name: string, ownerId?: number): Promise<SubAccountRow | undefined> {
  const rows = await db
    .select()
    .from(subAccount)
    .where(
      and(
        eq(subAccount.name, name),
        isNull(subAccount.deletedAt),
        ownerId === undefined ? undefined : eq(subAccount.userId, ownerId),
      ),
    );
  return rows[0];
}

export type DeleteRefused = 'not_found' | 'primary_account' | Obstacle;

/**
 * Deletes a sub-account of the user. Refuses the primary one, one with a balance, an unfinished payment or unpaid work,
 * and one with a share in the last 24 h. The row is only marked: its earnings stay, and its name stays taken. Returns
 * null when deleted.
 */
export function deleteSubAccount(
  pool: Pool,
  user: AppUser,
  id: number,
  ip: string,
  now: number,
): Promise<DeleteRefused | null> {
  return transaction(pool, async (client) => {
    // This lock prevents closing a day or opening a payment in the meantime.
    await lock(client, 'closing');
    const {
      rows: [row],
    } = await client.query<{ name: string }>(
      'select name from sub_account where id = $1 and user_id = $2 and deleted_at is null for update',
      [id, user.id],
    );
    if (!row) return 'not_found';
    if (row.name === user.userName) return 'primary_account';
    const obstacle = (await obstaclesOf(client, [id], now)).get(id);
    if (obstacle) return obstacle;
    await client.query('update sub_account set deleted_at = to_timestamp($2::float8) where id = $1', [id, now]);
    // Its upstream lists would prevent deleting the upstream configurations they contain.
    await client.query('delete from sub_account_pool_config where sub_account_id = $1', [id]);
    await writeAudit(client, { actorId: user.id, ip }, 'sub_account.delete', row.name, { before: { id } });
    return null;
  });
}
