/** Which sub-accounts a caller may read. Ownership is part of every query; whatever is not allowed does not exist. */
import { asc, eq } from 'drizzle-orm';
import type { Account } from '../pool/balance';
import { appUser, subAccount } from '../db/schema';
import { findSubAccount, subAccountsOf, type SubAccountRow } from '../pool/accounts';
import type { Deps } from './deps';
import type { Principal } from './principal';
import { problems } from './problem';

/** A sub-account by name (without one: the primary). A user finds only its own; an admin reads everybody's. */
export async function readableAccount({ database, config }: Pick<Deps, 'database' | 'config'>, me: Principal, name?: string): Promise<SubAccountRow & { feePercent: number }> {
  const row = await findSubAccount(database.db, name ?? me.user.userName, me.user.role === 'admin' ? undefined : me.user.id);
  if (!row) throw problems.notFound();
  const [owner] = row.userId === me.user.id ? [me.user] : await database.db.select().from(appUser).where(eq(appUser.id, row.userId));
  return { ...row, feePercent: owner?.feePercent ?? config.POOL_FEE_PERCENT };
}

/** One named sub-account, or all of the caller's own. */
export async function readableAccounts(deps: Pick<Deps, 'database' | 'config'>, me: Principal, name?: string): Promise<Account[]> {
  if (name !== undefined) return [await readableAccount(deps, me, name)];
  return (await subAccountsOf(deps.database.db, me.user.id)).map((row) => ({ ...row, feePercent: me.user.feePercent ?? deps.config.POOL_FEE_PERCENT }));
}

/** Ids of the sub-accounts that make up "the whole account". */
export async function ownAccountIds({ database }: Pick<Deps, 'database'>, me: Principal): Promise<number[]> {
  const rows = await database.db.select({ id: subAccount.id }).from(subAccount).where(eq(subAccount.userId, me.user.id)).orderBy(asc(subAccount.id));
  return rows.map((row) => row.id);
}
