/** Fees and the newcomer rule: each value holds from a UTC day on, so that no closed day ever changes. */
import type { PoolClient } from 'pg';
import { ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';
import { addDays, dayOf } from '../days';
import type { Querier } from '../db/querier';

/** What an admin sets for everybody; fees of single users follow `app_user.fee_percent` by a trigger. */
export const POOL_TERMS = {
  /** Percent of the gross. */
  pool_fee: { min: 0, max: 100 },
  /** BTC per PH/s per day, the price of a newcomer's SHA256 work; 0 is off. */
  newbee_cost: { min: 0, max: 1 },
  /** Percent added to a newcomer's measured hashrate. */
  newbee_adjust: { min: -100, max: 100 },
} as const;
export type PoolTerm = keyof typeof POOL_TERMS;

/** An account is a newcomer for so many days, the one of its registration included. */
export const NEWCOMER_DAYS = 30;

export type TermValue = { value: number; since: string | null };

/** What holds on `day`; `since` null: nobody has set it, `fallback` holds. */
export async function termOn(db: Querier, name: PoolTerm, day: string, fallback: number): Promise<TermValue> {
  const {
    rows: [row],
  } = await db.query<{ value: number; since: string }>(
    'select value, since from term where name = $1 and user_id = 0 and since <= $2::date order by since desc limit 1',
    [name, day],
  );
  return row ?? { value: fallback, since: null };
}

/** What was set already and holds from a day after `day` on. */
export async function nextTerm(db: Querier, name: PoolTerm, day: string): Promise<TermValue | null> {
  const {
    rows: [row],
  } = await db.query<{ value: number; since: string }>(
    'select value, since from term where name = $1 and user_id = 0 and since > $2::date order by since limit 1',
    [name, day],
  );
  return row ?? null;
}

/** Holds from `day` on. Answers what held before. */
export async function setTerm(
  client: PoolClient,
  name: PoolTerm,
  value: number,
  day: string,
  fallback: number,
): Promise<TermValue> {
  const before = await termOn(client, name, day, fallback);
  await client.query(
    'insert into term (name, since, value) values ($1, $2, $3) on conflict (name, user_id, since) do update set value = excluded.value',
    [name, day, value],
  );
  return before;
}

export type NewcomerRule = { costBtc: number; adjustPercent: number };
export type UserTerms = { feePercent: number; newcomer: NewcomerRule | null };

/** What holds for these users on `day`. */
export async function termsOf(
  db: Querier,
  day: string,
  userIds: readonly number[],
  poolFeePercent: number,
): Promise<Map<number, UserTerms>> {
  const pool = (await termOn(db, 'pool_fee', day, poolFeePercent)).value;
  const costBtc = (await termOn(db, 'newbee_cost', day, 0)).value;
  const adjustPercent = (await termOn(db, 'newbee_adjust', day, 0)).value;
  const { rows } = await db.query<{ id: number; fee: number | null; created: Date }>(
    `select u.id, u.created_at as created, case when exists (select 1 from term t where t.name = 'user_fee' and t.user_id = u.id)
       then (select value from term t where t.name = 'user_fee' and t.user_id = u.id and since <= $2::date order by since desc limit 1) else u.fee_percent end as fee
     from app_user u where u.id = any($1::int[])`,
    [userIds, day],
  );
  return new Map(
    rows.map(({ id, fee, created }) => {
      const isNew =
        day < addDays(dayOf(created.getTime() / 1000), NEWCOMER_DAYS) && (costBtc > 0 || adjustPercent !== 0);
      return [id, { feePercent: fee ?? pool, newcomer: isNew ? { costBtc, adjustPercent } : null }];
    }),
  );
}

/** The rule as it was used for one earning. The cost is a price of PH/s: it says nothing about SCRYPT. */
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
