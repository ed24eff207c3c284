/**
 * Closes UTC days: computes what each sub-account earned, pay-per-share. Gross = mean accepted hashrate of the day x
 * the day's price; net = gross less the pool fee. A day is closed in one transaction. Closing it again changes nothing:
 * earnings are keyed by (sub-account, algorithm, day) and never overwritten.
 */
import type { Pool, PoolClient } from 'pg';
import { ALGORITHM_NAMES } from '@pool/shared/domain';
import { longStatements } from '../../platform/db/bounded';
import { lock, moneyTransaction } from '../../platform/db/transaction';
import { addDays, dayOf } from '../../platform/days';
import { type Querier, rowsOf, sql, valueOf, oneValue } from '../../platform/db/querier';
import { type DayWork, workOf } from './day-work';
import { grossOf, meanHashrateOf, partsOf, type Earned } from './pay-per-share';
import { pricesOf } from './prices';
import { referralShares } from '../referral/referral';
import { newcomerUse, termsOf, type NewcomerUse } from './terms';
import { type Withheld, writeWithheld } from './withheld';
import { Refused } from '../../platform/refused';

/** Stores the prices used for the day, so that they never change afterwards. */
async function fixPrices(client: PoolClient, day: string) {
  const prices = await pricesOf(client, day);
  for (const algorithm of ALGORITHM_NAMES) {
    const { priceBtc, btcPriceUsd, source, knownAt } = prices[algorithm];
    // A price copied from an earlier day keeps its `known_at`.
    await client.query(sql`insert into day_price (day, algorithm, price_btc, btc_price_usd, source, known_at)
      values (${day}, ${algorithm}, ${priceBtc}, ${btcPriceUsd}, ${source}, coalesce(${knownAt}, now()))
      on conflict do nothing`);
  }
  return prices;
}

type NewEarning = DayWork &
  Earned & {
    meanHashrate: number;
    feePercent: number;
    priceBtc: number;
    btcPriceUsd: number;
    newcomer: NewcomerUse | null;
    referralSat: number;
    referrerId: number | null;
    ratePercent: number;
  };

/** Writes the earnings, the referrers' accruals and the ledger entries of both, which sum to zero, in one statement. */
async function write(client: PoolClient, day: string, rows: NewEarning[]): Promise<void> {
  await client.query(sql`with given as (
      select *, "subAccountId" || '/' || algorithm || '/' || ${day}::date::text as ref
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        "subAccountId" int, "userId" int, algorithm text, work float8, shares int,
        "feePercent" float8, "meanHashrate" float8, newcomer jsonb, "priceBtc" float8, "btcPriceUsd" float8,
        "grossSat" bigint, "feeSat" bigint, "netSat" bigint,
        "referralSat" bigint, "referrerId" int, "ratePercent" float8)
    ), made as (
      insert into earning
        (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd, fee_percent,
         newcomer, referral_percent, gross_sat, fee_sat, referral_sat, net_sat)
      select "subAccountId", algorithm, ${day}::date, work, shares, "meanHashrate", "priceBtc", "btcPriceUsd",
        "feePercent", newcomer, "ratePercent", "grossSat", "feeSat", "referralSat", "netSat"
      from given
      on conflict do nothing
      returning sub_account_id, algorithm
    ), fresh as (
      select g.* from given g
      join made m on m.sub_account_id = g."subAccountId" and m.algorithm = g.algorithm
    ), accrued as (
      insert into referral_accrual
        (user_id, referrer_id, sub_account_id, algorithm, day, base_fee_sat, rate_percent, amount_sat)
      select "userId", "referrerId", "subAccountId", algorithm, ${day}::date, "feeSat", "ratePercent", "referralSat"
      from fresh
      where "referrerId" is not null
    )
    insert into ledger (party, sub_account_id, user_id, kind, amount_sat, ref)
    select party, sub_account_id, user_id, 'earning', amount, ref
    from (
      select 'account' as party, "subAccountId" as sub_account_id, null::int as user_id, "netSat" as amount,
        algorithm || '/' || ${day}::date::text as ref
      from fresh
      union all
      select 'referrer', null, "referrerId", "referralSat", ref from fresh where "referrerId" is not null
      union all
      select 'pool', null, null, "feeSat" - "referralSat", ref from fresh
      union all
      select 'mined', null, null, -"grossSat", ref from fresh
    ) entries
    where amount <> 0`);
}

export type Closed = { days: number; accounts: number; grossSat: number; netSat: number };
export type ClosingTerms = { poolFeePercent: number };
type ClosingOptions = { day?: string; gate?: Gate };

/** Asked before a day is closed; throws when it must not be. Null: all of it is paid. */
export type Gate = (client: PoolClient, day: string, work: readonly DayWork[]) => Promise<Withheld | null>;

/** Earnings of `work` by the prices and terms of its day; nothing for what is withheld. */
async function earningsOf(
  client: PoolClient,
  day: string,
  work: readonly DayWork[],
  { poolFeePercent }: ClosingTerms,
  withheld: Withheld | null = null,
): Promise<NewEarning[]> {
  const prices = await fixPrices(client, day);
  const users = [...new Set(work.map((row) => row.userId))];
  const terms = await termsOf(client, day, users, poolFeePercent);
  const shares = await referralShares(client, day, users);
  return work.map((row) => {
    const { feePercent, newcomer } = terms.get(row.userId) ?? { feePercent: poolFeePercent, newcomer: null };
    const { btcPriceUsd, priceBtc: poolPriceBtc } = prices[row.algorithm];
    const { use, priceBtc } = newcomerUse(newcomer, row.algorithm, poolPriceBtc);
    const meanHashrate = meanHashrateOf(row.algorithm, row.work, use?.adjustPercent);
    const referral = shares.get(row.userId);
    const ratePercent = referral?.ratePercent ?? 0;
    const grossSat = withheld?.isOf(row) ? 0 : grossOf(row.algorithm, meanHashrate, priceBtc);
    return {
      ...row,
      ...partsOf(grossSat, feePercent, ratePercent),
      meanHashrate,
      feePercent,
      priceBtc,
      btcPriceUsd,
      newcomer: use,
      referrerId: referral?.referrerId ?? null,
      ratePercent,
    };
  });
}

async function closeOne(client: PoolClient, day: string, terms: ClosingTerms, gate?: Gate): Promise<void> {
  const work = await workOf(client, day);
  const withheld = (await gate?.(client, day, work)) ?? null;
  const rows = await earningsOf(client, day, work, terms, withheld);
  await write(client, day, rows);
  if (!withheld) return;
  const kept = rows.filter(withheld.isOf).map((row) => ({
    ...row,
    // It may be more than a satoshi column holds.
    grossSat: Math.min(grossOf(row.algorithm, row.meanHashrate, row.priceBtc), Number.MAX_SAFE_INTEGER),
  }));
  await writeWithheld(client, day, kept, withheld);
}

/** Books an earning of nothing where all work of an account came after the day was closed, for a correction to pay. */
export async function beginEarning(
  client: PoolClient,
  { subAccountId, algorithm, day }: Pick<DayWork, 'subAccountId' | 'algorithm'> & { day: string },
  terms: ClosingTerms,
): Promise<void> {
  const closed = await closedThrough(client);
  if (closed === null || day > closed) return;
  const late = (await workOf(client, day)).filter(
    (row) => row.subAccountId === subAccountId && row.algorithm === algorithm,
  );
  const nothing = late.map((row) => ({ ...row, work: 0, shares: 0 }));
  await write(client, day, await earningsOf(client, day, nothing, terms));
}

const CLOSED_THROUGH = 'accounting.closed_through';

/** Selects the last closed day as `value`; no row when no day is closed. */
export const CLOSED_THROUGH_SELECT = sql`select value #>> '{}' as value from setting where name = ${CLOSED_THROUGH}`;

export const closedThrough = async (db: Querier): Promise<string | null> =>
  (await valueOf<string>(db)`${CLOSED_THROUGH_SELECT}`) ?? null;

/** The first day that is not closed: the one after the last closed day, else the day of the first work. */
export async function firstOpenDay(client: Querier): Promise<string | null> {
  const closed = await closedThrough(client);
  if (closed) return addDays(closed, 1);
  const first = await oneValue<number | null>(client)`select extract(epoch from min(at))::float8 from account_1h`;
  return first === null ? null : dayOf(first);
}

async function markClosed(client: PoolClient, day: string): Promise<void> {
  await client.query(sql`insert into setting (name, value) values (${CLOSED_THROUGH}, to_jsonb(${day}::text))
    on conflict (name) do update set value = excluded.value, updated_at = now()`);
}

/** Thrown when a day cannot be closed; the message names the day and the reason. */
export class DayNotClosed extends Refused {
  override readonly name = 'DayNotClosed';
  constructor(code: 'day_not_finished' | 'day_not_counted' | 'day_not_plausible' | 'clocks_disagree', detail: string) {
    super(code === 'day_not_finished' ? 400 : 409, code, { detail });
  }
}

/** Closes `day`, or the first open day before `today`, one process at a time. Returns it; null when no day is open. */
async function closeNext(
  client: PoolClient,
  terms: ClosingTerms,
  today: string,
  { day, gate }: ClosingOptions,
): Promise<string | null> {
  // Waiting for another process that closes takes as long as closing does.
  await longStatements(client, 60_000);
  await lock(client, 'closing');
  const closed = await closedThrough(client);
  // Work of a closed day that was counted late is paid only where an admin decides so (ops/late-work.ts).
  if (day !== undefined && closed !== null && day <= closed) return day;
  const open = await firstOpenDay(client);
  const next = day ?? (open !== null && open < today ? open : null);
  if (next === null) return null;
  await closeOne(client, next, terms, gate);
  if (open === null || next === open) await markClosed(client, next);
  return next;
}

/** Closes one or all finished days, each in its transaction, and returns their sums. `now`: Unix seconds. */
export async function closeDays(
  pool: Pool,
  terms: ClosingTerms,
  now: number,
  day?: string,
  gate?: Gate,
): Promise<Closed> {
  const today = dayOf(now);
  if (day !== undefined && day >= today)
    throw new DayNotClosed(
      'day_not_finished',
      `${day} is not over yet (days are UTC, and are closed ten minutes after their end).`,
    );
  const days: string[] = [];
  for (;;) {
    const done = await moneyTransaction(pool, (client) => closeNext(client, terms, today, { day, gate }));
    if (done) days.push(done);
    if (!done || day !== undefined) break;
  }
  const sums = await sumsOfDays(pool, days);
  return {
    days: days.length,
    accounts: new Set(sums.flatMap(({ accountIds }) => accountIds)).size,
    grossSat: sums.reduce((sum, { grossSat }) => sum + grossSat, 0),
    netSat: sums.reduce((sum, { netSat }) => sum + netSat, 0),
  };
}

export type DaySums = Earned & { day: string; accountIds: number[]; referralSat: number };

async function sumsOfDays(db: Querier, days: readonly string[]): Promise<DaySums[]> {
  return rowsOf<DaySums>(db)`
    select day, array_agg(distinct sub_account_id) as account_ids, sum(gross_sat) as gross_sat,
      sum(fee_sat) as fee_sat, sum(referral_sat) as referral_sat, sum(net_sat) as net_sat
    from earning
    where day = any(${days}::date[])
    group by 1
    order by 1`;
}

/** Closes all finished days up to the one that `gate` throws at, for a preview that is rolled back. */
export async function closeAllIn(
  client: PoolClient,
  terms: ClosingTerms,
  now: number,
  gate: Gate,
): Promise<{ days: DaySums[]; stopped: unknown }> {
  const days: string[] = [];
  let stopped: unknown = null;
  for (;;) {
    const done = await closeNext(client, terms, dayOf(now), { gate }).catch((error: unknown) => {
      if (!(error instanceof DayNotClosed)) throw error;
      stopped = error;
      return null;
    });
    if (done === null) return { days: await sumsOfDays(client, days), stopped };
    days.push(done);
  }
}
