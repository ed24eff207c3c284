/**
 * Closing a UTC day: what every sub-account earned, pay-per-share. gross = mean accepted hashrate over the day x the
 * day's price; less the pool fee. All or nothing, and the same whoever does it how often: earnings are keyed by
 * (sub-account, algorithm, day) and never written twice.
 */
import type { Pool, PoolClient } from 'pg';
import { ALGORITHM_NAMES, ALGORITHMS, hashrateOfWork, isAlgorithm, SATS_PER_BTC, type AlgorithmName } from '@pool/shared/domain';
import { lock, transaction } from '../db/transaction';
import { addDays, dayOf, pricesOf, startOfDay, type Price, type Querier } from './prices';
import { referralShares } from './referral';
import { split } from './split';

export const DAY_S = 86_400;

export type Earned = { grossSat: number; feeSat: number; netSat: number };

/** Satoshis for `work` (sum of difficulties) done in one UTC day. A fraction of a satoshi is not paid. */
export function earnedFor(algorithm: AlgorithmName, work: number, { priceBtc }: Pick<Price, 'priceBtc'>, feePercent: number): Earned {
  const units = hashrateOfWork(algorithm, work, DAY_S) / ALGORITHMS[algorithm].priceUnitHs;
  // A billionth keeps 0.29 * 1e8 from becoming 28,999,999.
  const grossSat = Math.floor(units * priceBtc * SATS_PER_BTC * (1 + 1e-12));
  const [feeSat = 0, netSat = 0] = split(grossSat, [feePercent, 100 - feePercent]);
  return { grossSat, feeSat, netSat };
}

type DayWork = { subAccountId: number; userId: number; algorithm: AlgorithmName; work: number; shares: number; feePercent: number };

async function workOf(client: Querier, day: string, poolFeePercent: number): Promise<DayWork[]> {
  const start = startOfDay(day);
  const { rows } = await client.query<{ id: number; user_id: number; algorithm: string; work: number; shares: number; fee: number | null }>(
    `select a.sub_account_id as id, s.user_id, a.algorithm, sum(a.accepted) as work, sum(a.shares)::int as shares, u.fee_percent as fee
     from account_1h a join sub_account s on s.id = a.sub_account_id join app_user u on u.id = s.user_id
     where a.at >= to_timestamp($1::float8) and a.at < to_timestamp($2::float8) group by 1, 2, 3, 6 order by 1, 3`, [start, start + DAY_S]);
  return rows.flatMap(({ id, user_id: userId, algorithm, work, shares, fee }) =>
    (isAlgorithm(algorithm) ? [{ subAccountId: id, userId, algorithm, work, shares, feePercent: fee ?? poolFeePercent }] : []));
}

/** From the closing on, the day's prices are written down and stay. */
async function fixPrices(client: PoolClient, day: string) {
  const prices = await pricesOf(client, day);
  for (const algorithm of ALGORITHM_NAMES) {
    const { priceBtc, btcPriceUsd, source } = prices[algorithm];
    await client.query('insert into day_price (day, algorithm, price_btc, btc_price_usd, source) values ($1, $2, $3, $4, $5) on conflict do nothing',
      [day, algorithm, priceBtc, btcPriceUsd, source]);
  }
  return prices;
}

type NewEarning = DayWork & Earned & { referralSat: number; referrerId: number | null; ratePercent: number; price: Price };

async function write(client: PoolClient, day: string, rows: NewEarning[]): Promise<void> {
  const json = JSON.stringify(rows.map(({ price, ...row }) => ({
    ...row, meanHashrate: hashrateOfWork(row.algorithm, row.work, DAY_S), priceBtc: price.priceBtc, btcPriceUsd: price.btcPriceUsd,
  })));
  await client.query(
    `with given as (
       select * from json_to_recordset($2::json) as r("subAccountId" int, "userId" int, algorithm text, work float8, shares int, "feePercent" float8, "meanHashrate" float8,
         "priceBtc" float8, "btcPriceUsd" float8, "grossSat" bigint, "feeSat" bigint, "netSat" bigint, "referralSat" bigint, "referrerId" int, "ratePercent" float8)
     ), made as (
       insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd, fee_percent, gross_sat, fee_sat, referral_sat, net_sat)
       select "subAccountId", algorithm, $1::date, work, shares, "meanHashrate", "priceBtc", "btcPriceUsd", "feePercent", "grossSat", "feeSat", "referralSat", "netSat" from given
       on conflict do nothing returning sub_account_id, algorithm, net_sat
     ), accrued as (
       insert into referral_accrual (user_id, referrer_id, sub_account_id, algorithm, day, base_fee_sat, rate_percent, amount_sat)
       select g."userId", g."referrerId", g."subAccountId", g.algorithm, $1::date, g."feeSat", g."ratePercent", g."referralSat"
       from given g join made m on m.sub_account_id = g."subAccountId" and m.algorithm = g.algorithm where g."referrerId" is not null
       on conflict do nothing
     )
     insert into ledger (sub_account_id, kind, amount_sat, ref)
     select sub_account_id, 'earning', net_sat, algorithm || '/' || $1::date::text from made where net_sat > 0`, [day, json]);
}

export type Closed = { days: number; accounts: number; grossSat: number; netSat: number };
export type ClosingTerms = { poolFeePercent: number };

async function closeOne(client: PoolClient, day: string, { poolFeePercent }: ClosingTerms): Promise<void> {
  const prices = await fixPrices(client, day);
  const work = await workOf(client, day, poolFeePercent);
  const shares = await referralShares(client, day, work.map((row) => row.userId));
  const rows = work.map((row): NewEarning => {
    const earned = earnedFor(row.algorithm, row.work, prices[row.algorithm], row.feePercent);
    const referral = shares.get(row.userId);
    const [referralSat = 0] = referral ? split(earned.feeSat, [referral.ratePercent, 100 - referral.ratePercent]) : [];
    return { ...row, ...earned, price: prices[row.algorithm], referralSat, referrerId: referral?.referrerId ?? null, ratePercent: referral?.ratePercent ?? 0 };
  });
  if (rows.length) await write(client, day, rows);
}

const CLOSED_THROUGH = 'accounting.closed_through';

/** The first day nobody has closed: after the last closed one, else the day of the first work. */
async function firstOpenDay(client: PoolClient): Promise<string | null> {
  const { rows: [mark] } = await client.query<{ value: string }>('select value from setting where name = $1', [CLOSED_THROUGH]);
  if (mark) return addDays(mark.value, 1);
  const { rows: [first] } = await client.query<{ at: number | null }>('select extract(epoch from min(at))::float8 as at from account_1h');
  return first?.at == null ? null : dayOf(first.at);
}

async function markClosed(client: PoolClient, day: string): Promise<void> {
  await client.query('insert into setting (name, value) values ($1, to_jsonb($2::text)) on conflict (name) do update set value = excluded.value, updated_at = now()', [CLOSED_THROUGH, day]);
}

export class DayNotFinished extends Error {
  override readonly name = 'DayNotFinished';
}

/**
 * Closes one finished day, or all that are not closed yet. Answers the sums of those days as they now stand, whether
 * this call wrote them or an earlier one. Days are closed one a transaction, one process at a time.
 */
export async function closeDays(pool: Pool, terms: ClosingTerms, now: number, day?: string): Promise<Closed> {
  const today = dayOf(now);
  if (day !== undefined && day >= today) throw new DayNotFinished(`${day} is not over yet`);
  const days: string[] = [];
  for (;;) {
    const done = await transaction(pool, async (client) => {
      await lock(client, 'closing');
      await client.query("set local statement_timeout to '60s'");
      const open = await firstOpenDay(client);
      const next = day ?? (open !== null && open < today ? open : null);
      if (next === null) return null;
      await closeOne(client, next, terms);
      if (open === null || next === open) await markClosed(client, next);
      return next;
    });
    if (done) days.push(done);
    if (!done || day !== undefined) break;
  }
  const { rows: [sums] } = await pool.query<{ accounts: number; gross: number; net: number }>(
    'select count(distinct sub_account_id) as accounts, coalesce(sum(gross_sat), 0) as gross, coalesce(sum(net_sat), 0) as net from earning where day = any($1::date[])', [days]);
  return { days: days.length, accounts: sums?.accounts ?? 0, grossSat: sums?.gross ?? 0, netSat: sums?.net ?? 0 };
}
