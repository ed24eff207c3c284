/** Fees and the newcomer rule. Each value is valid from a UTC day on, so that closed days never change. */
import type { Pool, PoolClient } from 'pg';
import { ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';
import { addDays, dayOf } from '../../platform/days';
import { firstRow, type Querier, raw, rowsOf, sql, isoTime } from '../../platform/db/querier';
import { together, type Selects } from '../../platform/db/together';
import { transaction } from '../../platform/db/transaction';

/** Terms for all users, set by admins. A database trigger records fees of single users from `app_user.fee_percent`. */
export type PoolTerm =
  /** Percent of the gross. */
  | 'pool_fee'
  /** BTC per PH/s per day, the price of a newcomer's SHA256 work; 0: not used. */
  | 'newbee_cost'
  /** Percent added to a newcomer's measured hashrate. */
  | 'newbee_adjust';

/** A user is a newcomer for this many days, the day of registration included. */
const NEWCOMER_DAYS = 30;

/** Whether a user who registered at `created` is a newcomer on `day`. */
export const isNewcomer = (created: Date, day: string): boolean =>
  day < addDays(dayOf(created.getTime() / 1000), NEWCOMER_DAYS);

export type TermValue = { value: number; since: string | null };

/** The operator's setting POOL_FEE_PERCENT, valid until an admin sets `pool_fee`. */
const DEFAULT_FEE = 'default_fee';
/** Settings of the operator that are kept by day, as terms are. */
export type KeptSetting = typeof DEFAULT_FEE | 'referral_percent' | 'referral_months';
/** The value of a term for all users that is valid on `day`, or the next one that becomes valid after it. */
const stored = async (db: Querier, name: string, at: 'on' | 'after', day: string): Promise<TermValue | null> => {
  const [compared, order] = at === 'on' ? ['<=', 'desc'] : ['>', 'asc'];
  const row = await firstRow<{ value: number; since: string }>(db)`
    select value, since from term
    where name = ${name} and user_id = 0 and since ${raw(compared)} ${day}::date
    order by since ${raw(order)}
    limit 1`;
  return row ?? null;
};

/** The value on `day`. `since` null: no admin has set it, the value is the operator's, without one `fallback`. */
export async function termOn(db: Querier, name: PoolTerm, day: string, fallback: number): Promise<TermValue> {
  const set = await stored(db, name, 'on', day);
  if (set) return set;
  const ofOperator = name === 'pool_fee' ? await stored(db, DEFAULT_FEE, 'on', day) : null;
  return { value: ofOperator?.value ?? fallback, since: null };
}

/** A value that is set but becomes valid after `day`; null without one. */
export async function nextTerm(db: Querier, name: PoolTerm, day: string): Promise<TermValue | null> {
  const next = await stored(db, name, 'after', day);
  if (next || name !== 'pool_fee' || (await stored(db, name, 'on', day))) return next;
  return stored(db, DEFAULT_FEE, 'after', day);
}

const storeTerm = (db: Querier, name: string, value: number, day: string): Promise<unknown> =>
  db.query(sql`insert into term (name, since, value) values (${name}, ${day}, ${value})
    on conflict (name, user_id, since) do update set value = excluded.value`);

/**
 * Stores a setting of the operator: the first value for all days, a changed one from the day after `today` on.
 * Returns the change that is not valid yet; null without one. Only the server that has the database calls it.
 */
export async function keepSetting(
  pool: Pool,
  name: KeptSetting,
  value: number,
  today: string,
): Promise<{ before: number; since: string } | null> {
  return transaction(pool, async (client) => {
    const before = await stored(client, name, 'on', today);
    if (!before) {
      await storeTerm(client, name, value, '0001-01-01');
      return null;
    }
    // Setting the old value again cancels today's change.
    await client.query(sql`delete from term where name = ${name} and since > ${today}::date`);
    if (before.value === value) return null;
    const since = addDays(today, 1);
    await storeTerm(client, name, value, since);
    return { before: before.value, since };
  });
}

/** Sets the value from `day` on. Returns the value before. */
export async function setTerm(
  client: PoolClient,
  name: PoolTerm,
  value: number,
  day: string,
  fallback: number,
): Promise<TermValue> {
  const before = await termOn(client, name, day, fallback);
  await storeTerm(client, name, value, day);
  return before;
}

export type TermChange = { since: string; value: number; by: string | null; at: string | null };

/** All values of a term, newest first, with who set it: the last entry of the audit log about that day. */
export async function termHistory(db: Querier, name: PoolTerm): Promise<TermChange[]> {
  return rowsOf<TermChange>(db)`
    select t.since, t.value, a.by, ${raw(isoTime('a.at'))} as at
    from term t
    left join lateral (
      select u.user_name as by, a.at
      from audit a
      left join app_user u on u.id = a.user_id
      where a.action = 'terms.change' and a.subject = t.name and a.after ->> 'since' = t.since::text
      order by a.id desc
      limit 1
    ) a on true
    where t.name = ${name} and t.user_id = 0
    order by t.since desc
    limit 100`;
}

export type NewcomerRule = { costBtc: number; adjustPercent: number };
export type UserTerms = { feePercent: number; newcomer: NewcomerRule | null };

type TermRow = { name: string; userId: number; since: string; value: number | null };
type TermUser = { id: number; created: Date; fee: number | null };
export type TermRows = { terms: TermRow; users: TermUser };

/** Selects what `termsFrom` needs. */
export const termSelects = (userIds: readonly number[]): Selects<TermRows> => ({
  terms: sql`
    select name, user_id, since, value
    from term
    where user_id = 0 or (name = 'user_fee' and user_id = any(${userIds}::int[]))
    order by since`,
  users: sql`select id, created_at as created, fee_percent as fee from app_user where id = any(${userIds}::int[])`,
});

/** The users' terms on a day, by user id. `poolFeePercent`: where none is stored. */
export function termsFrom(
  { terms, users }: { [K in keyof TermRows]: readonly TermRows[K][] },
  day: string,
  poolFeePercent: number,
): Map<number, UserTerms> {
  const key = (name: string, userId: number): string => `${userId} ${name}`;
  const withFee = new Set(terms.filter(({ name }) => name === 'user_fee').map(({ userId }) => userId));
  const values = new Map<string, number | null>();
  for (const { name, userId, since, value } of terms) if (since <= day) values.set(key(name, userId), value);
  const ofPool = (name: string): number | undefined => values.get(key(name, 0)) ?? undefined;
  const pool = ofPool('pool_fee') ?? ofPool(DEFAULT_FEE) ?? poolFeePercent;
  const [costBtc, adjustPercent] = [ofPool('newbee_cost') ?? 0, ofPool('newbee_adjust') ?? 0];
  return new Map(
    users.map(({ id, created, fee }) => {
      const own = withFee.has(id) ? values.get(key('user_fee', id)) : fee;
      const isNew = isNewcomer(created, day) && (costBtc > 0 || adjustPercent !== 0);
      return [id, { feePercent: own ?? pool, newcomer: isNew ? { costBtc, adjustPercent } : null }];
    }),
  );
}

export const termsOf = async (
  db: Querier,
  day: string,
  userIds: readonly number[],
  poolFeePercent: number,
): Promise<Map<number, UserTerms>> =>
  termsFrom(await together<TermRows>(db, 'terms', termSelects(userIds)), day, poolFeePercent);

/** The newcomer rule as used for one earning. Its price is per PH/s, so it does not apply to SCRYPT. */
export type NewcomerUse = { adjustPercent: number; poolPriceBtc: number | null };

export function newcomerUse(
  rule: NewcomerRule | null,
  algorithm: AlgorithmName,
  poolPriceBtc: number,
): { use: NewcomerUse | null; priceBtc: number } {
  if (!rule) return { use: null, priceBtc: poolPriceBtc };
  const replaces = rule.costBtc > 0 && ALGORITHMS[algorithm].priceUnit === 'PH/s';
  if (!replaces && rule.adjustPercent === 0) return { use: null, priceBtc: poolPriceBtc };
  return {
    use: { adjustPercent: rule.adjustPercent, poolPriceBtc: replaces ? poolPriceBtc : null },
    priceBtc: replaces ? rule.costBtc : poolPriceBtc,
  };
}
