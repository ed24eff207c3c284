/** Which sub-accounts a caller may read. Every query checks the owner; a forbidden account is not found. */
import { isAdmin, type PoolAbility } from '@pool/shared/ability';
import { ALL_ACCOUNTS } from '@pool/shared/domain';
import type { Account } from '../../money/payouts/balance';
import { everySubAccountOf, findSubAccount, subAccountsOf, type SubAccountRow } from '../../accounts/accounts';
import type { Pool } from 'pg';
import type { Config } from '../../platform/config';
import { dayOf } from '../../platform/days';
import { firstRow, type Querier, sql } from '../../platform/db/querier';
import { TtlCache } from '../../platform/ttl-cache';
import { termOn } from '../../money/accounting/terms';
import { isHidden } from '../auth/account-limits';
import { homeOf, type Principal } from '../auth/principal';
import { looksAt } from '../auth/view-as';
import { problems } from '../../platform/refused';

type Needs = { pool: Pool; config: Pick<Config, 'POOL_FEE_PERCENT'> };

/** Percent for users without a fee of their own, as of today. */
export const poolFee = async ({ pool, config, now }: Needs & { now(): number }, day = dayOf(now())): Promise<number> =>
  (await termOn(pool, 'pool_fee', day, config.POOL_FEE_PERCENT)).value;

export const rulesOf = (ability: PoolAbility): { action: string; subject: string }[] =>
  ability.rules.map(({ action, subject }) => ({ action: String(action), subject: String(subject) }));

/** Access by caller, which is one request or one page with the calls of its first view. */
const listed = new WeakMap<Principal, Promise<SubAccountRow[]>>();

const seen = (me: Principal, rows: SubAccountRow[]): SubAccountRow[] => rows.filter(({ id }) => !isHidden(me, id));

export const accountsOf = async (db: Querier, me: Principal): Promise<SubAccountRow[]> =>
  seen(me, await subAccountsOf(db, me.user.id));

/** The caller's sub-accounts. Read once for a caller: use it in calls that read only. */
export function ownAccounts({ pool }: Pick<Needs, 'pool'>, me: Principal): Promise<SubAccountRow[]> {
  const list = listed.get(me) ?? accountsOf(pool, me);
  listed.set(me, list);
  return list;
}

/** A sub-account by name (default: the primary): the user's own, for an admin anybody's. */
export async function readableAccount(
  deps: Needs,
  me: Principal,
  name: string = homeOf(me),
): Promise<SubAccountRow & { feePercent: number }> {
  const own = (await ownAccounts(deps, me)).find((account) => account.name === name);
  const row = own ?? (isAdmin(me.ability) ? await findSubAccount(deps.pool, name) : undefined);
  if (!row) throw problems.notFound();
  await looksAt(me, row.userId);
  return { ...row, feePercent: deps.config.POOL_FEE_PERCENT };
}

type ReadableWorker = { id: number; algorithm: string; account: number; owner: number; subject: string };
/** A worker by its number: the user's own, for an admin anybody's. `subject`: its name in the log. */
export async function readableWorker(db: Querier, me: Principal, id: number): Promise<ReadableWorker> {
  const own = isAdmin(me.ability) ? null : (await everySubAccountOf(db, me.user.id)).map((account) => account.id);
  const row = await firstRow<ReadableWorker>(db)`
    select w.id, w.algorithm, s.id as account, s.user_id as owner, s.name || '.' || w.name as subject
    from worker w join sub_account s on s.id = w.sub_account_id
    where w.id = ${id} and ${own ? sql`w.sub_account_id = any(${own}::int[])` : sql`true`}`;
  if (!row) throw problems.notFound();
  await looksAt(me, row.owner);
  return row;
}

const keyOf = ({ user, member }: Principal): string => `${user.id} ${member?.accounts?.join() ?? ''}`;

/** Ids of `readableAccount` from a short cache, for what is asked often. An account's name and owner never change. */
export class AccountIds {
  private readonly known = new TtlCache<Pick<SubAccountRow, 'id' | 'userId'>>(10_000, 10_000);
  private readonly own = new TtlCache<number[]>(5000, 10_000);
  constructor(private readonly deps: Needs) {}

  forget(): void {
    this.known.clear();
    this.own.clear();
  }

  private async one(me: Principal, name: string = homeOf(me)): Promise<number> {
    const { id, userId } = await this.known.get(`${isAdmin(me.ability) ? 'admin' : keyOf(me)} ${name}`, () =>
      readableAccount(this.deps, me, name),
    );
    await looksAt(me, userId);
    return id;
  }

  whole(me: Principal): Promise<number[]> {
    return this.own.get(keyOf(me), async () => (await ownAccounts(this.deps, me)).map((row) => row.id));
  }

  /** The ids of one sub-account by name, or of all. */
  async named(me: Principal, name?: string): Promise<number[]> {
    return name === ALL_ACCOUNTS ? this.whole(me) : [await this.one(me, name)];
  }
}

/** One sub-account by name, or all that the caller has or had. */
export async function readableAccounts(deps: Needs, me: Principal, name?: string): Promise<Account[]> {
  if (name !== ALL_ACCOUNTS) return [await readableAccount(deps, me, name)];
  const { POOL_FEE_PERCENT: feePercent } = deps.config;
  return seen(me, await everySubAccountOf(deps.pool, me.user.id)).map((row) => ({ ...row, feePercent }));
}
