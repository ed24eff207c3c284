/** Users and their sub-accounts: who exists, who owns what. */
import { and, asc, eq, sql } from 'drizzle-orm';
import { ACCOUNT_NAME } from '@pool/shared/domain';
import type { Db, DbOrTx } from '../db/database';
import { appUser, subAccount } from '../db/schema';

export type AppUser = typeof appUser.$inferSelect;
export type SubAccountRow = typeof subAccount.$inferSelect;
export type NewAppUser = { identityId: string; userName: string; email: string | null };

export const nameTaken = async (db: DbOrTx, name: string): Promise<boolean> =>
  (await db.select({ id: subAccount.id }).from(subAccount).where(eq(subAccount.name, name))).length > 0
  || (await db.select({ id: appUser.id }).from(appUser).where(eq(appUser.userName, name))).length > 0;

/** The rows of a new user: itself and its primary sub-account of the same name. Run it in a transaction. */
export async function createUser(tx: DbOrTx, { identityId, userName, email }: NewAppUser): Promise<AppUser> {
  const [user] = await tx.insert(appUser).values({ identityId, userName, email }).returning();
  if (!user) throw new Error('no row');
  await tx.insert(subAccount).values({ userId: user.id, name: userName });
  return user;
}

/** A user name made of whatever the identity service knows, for services whose names are not ours. */
function nameFrom(wish: string): string {
  const name = wish.toLowerCase().replace(/[^a-z0-9_-]/g, '').replace(/^[^a-z]+/, '').slice(0, 24);
  return ACCOUNT_NAME.test(name) ? name : 'miner';
}

/**
 * The user a token's `sub` names; the first sight of it makes the user. Safe when many requests see it first at once.
 * `facts` is asked only then.
 */
export async function userOfIdentity(db: Db, identityId: string, facts: () => Promise<{ userName: string | null; email: string | null }>): Promise<AppUser> {
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

export const subAccountsOf = (db: DbOrTx, userId: number): Promise<SubAccountRow[]> =>
  db.select().from(subAccount).where(eq(subAccount.userId, userId)).orderBy(asc(subAccount.id));

/** One sub-account by name; of one owner only, when given. Ownership is in the query itself. */
export async function findSubAccount(db: DbOrTx, name: string, ownerId?: number): Promise<SubAccountRow | undefined> {
  const rows = await db.select().from(subAccount).where(and(eq(subAccount.name, name), ownerId === undefined ? undefined : eq(subAccount.userId, ownerId)));
  return rows[0];
}

/** What the embedded sign-up asks of the pool. */
export const poolAccounts = (db: Db) => ({
  nameTaken: (name: string): Promise<boolean> => nameTaken(db, name),
  userCreated: async (user: NewAppUser, tx: DbOrTx): Promise<void> => { await createUser(tx, user); },
});
