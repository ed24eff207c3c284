/** Corrects an earning of a closed day: reverses the booked amounts and books the right ones; the ledger keeps both. */
import type { PoolClient } from 'pg';
import type { z } from 'zod';
import { type Earned, partsOf } from './pay-per-share';
import { lock } from '../../platform/db/transaction';
import { book, type Entry, owedTo, owedToReferrer } from '../ledger/ledger';
import { OPEN } from '../payouts/open-payments';
import {
  firstRow,
  isoTime,
  oneValue,
  pageOf,
  prefixPattern,
  type Querier,
  raw,
  rowsOf,
  sql,
} from '../../platform/db/querier';
import type { Adjustment, Contract } from '@pool/shared/api/contract';
import { problems } from '../../platform/refused';

/** Newest first. `search`: the beginning of a sub-account's or user's name. */
export async function adjustmentsOf(
  db: Querier,
  search: string | undefined,
  page: { limit: number; offset: number },
): Promise<{ rows: Adjustment[]; total: number }> {
  const columns = sql`j.id, ${raw(isoTime('j.created_at'))} as at, s.name as account, j.algorithm, j.day,
    j.gross_sat_before, j.gross_sat, j.note,
    (select user_name from app_user where id = j.user_id) as by,
    not exists (
      select 1 from earning_adjustment later
      where later.sub_account_id = j.sub_account_id and later.algorithm = j.algorithm and later.day = j.day
        and later.id > j.id
    ) as last`;
  const named = search ? prefixPattern(search.toLowerCase()) : null;
  const from = sql`from earning_adjustment j
    join sub_account s on s.id = j.sub_account_id
    join app_user u on u.id = s.user_id
    where ${named}::text is null or s.name like ${named} or u.user_name like ${named}`;
  return pageOf<Adjustment>(db, { columns, from, order: 'j.id desc' }, page);
}

/**
 * `expectedGrossSat`: the gross the admin has read; refused when another correction has changed it since. `paidWork`:
 * late work the correction pays, all work of the day that `LateWork` named; without it late work stays unpaid.
 */
export type NewAdjustment = z.output<Contract['PUT /earnings/{day}']['body']> & { day: string; userId: number };
const CHANGED = 'The earning was corrected since it was read: read it again.';
const UNDER_WAY = 'A payment of this money is at a node: set it to sent or failed first.';

type Parts = Earned & { referralSat: number };
type Found = Parts & {
  id: number;
  work: number;
  feePercent: number;
  referralPercent: number;
  referrerId: number | null;
};

/** A payment given to a node may be on the chain already: its amount must stay owed until that is known. */
async function checkUnderWay(client: PoolClient, subAccountId: number, referrerId: number | null): Promise<void> {
  const rows = await rowsOf<{ amountSat: number; referral: boolean }>(client)`
    select p.amount_sat, p.trigger = 'referral' as referral
    from payment p
    join sub_account s on s.id = p.sub_account_id
    where p.status = 'unknown'
      and case when p.trigger = 'referral' then s.user_id = ${referrerId} else s.id = ${subAccountId} end`;
  for (const { amountSat, referral } of rows) {
    const owed = referral ? await owedToReferrer(client, referrerId ?? 0) : await owedTo(client, subAccountId);
    if (owed < amountSat) throw problems.conflict('payment_under_way', UNDER_WAY);
  }
}

/** An earlier correction. `work`: what was paid after it, as a sum of difficulties. */
type Correction = { work: number; grossSatBefore: number };

/** The day's paid work after `corrections` (newest first), a sum of difficulties; any beyond it is late work. */
async function paidAfter(
  client: PoolClient,
  { id, work: earned }: Found,
  [last, previous]: readonly Correction[],
  { algorithm, day, grossSat, paidWork }: Pick<NewAdjustment, 'algorithm' | 'day' | 'grossSat' | 'paidWork'>,
): Promise<number> {
  const paid = last?.work ?? earned;
  if (paidWork === undefined) {
    // The reversal of a correction takes back what that paid.
    return last?.grossSatBefore === grossSat ? (previous?.work ?? earned) : paid;
  }
  const counted = await oneValue<number>(client)`
    select coalesce(sum(accepted order by at), 0)
    from account_1h
    where sub_account_id = ${id} and algorithm = ${algorithm}
      and at >= ${day}::date::timestamp at time zone 'UTC'
      and at < (${day}::date + 1)::timestamp at time zone 'UTC'`;
  return Math.max(paid, Math.min(paidWork, counted));
}

/** Sets a new gross, split by the day's percentages. Null: no such earning. `at`: Unix seconds. */
export async function adjustEarning(
  client: PoolClient,
  { account, algorithm, day, grossSat, expectedGrossSat, paidWork, note, userId }: NewAdjustment,
  at: number,
): Promise<{ before: Parts; after: Parts } | null> {
  await lock(client, 'payouts');
  const found = await firstRow<Found>(client)`
    select s.id, e.work, e.gross_sat, e.fee_sat, e.net_sat, e.referral_sat, e.fee_percent, e.referral_percent,
      (select referrer_id from referral_accrual a
       where a.sub_account_id = e.sub_account_id and a.algorithm = e.algorithm and a.day = e.day) as referrer_id
    from earning e
    join sub_account s on s.id = e.sub_account_id
    where s.name = ${account} and e.algorithm = ${algorithm} and e.day = ${day}::date
    for update of e`;
  if (!found) return null;
  if (found.grossSat !== expectedGrossSat) throw problems.conflict('earning_changed', CHANGED);
  // Count after locking the row: another correction may have finished while this one waited.
  const corrections = await rowsOf<Correction>(client)`
    select work, gross_sat_before from earning_adjustment
    where sub_account_id = ${found.id} and algorithm = ${algorithm} and day = ${day}::date
    order by id desc`;
  const earlier = corrections.length;
  const { grossSat: grossSatBefore, feeSat, netSat, referralSat } = found;
  const before: Parts = { grossSat: grossSatBefore, feeSat, netSat, referralSat };
  const after = partsOf(grossSat, found.feePercent, found.referrerId === null ? 0 : found.referralPercent);
  const own = `${algorithm}/${day}`;
  const entries = (parts: Parts, sign: 1 | -1, nth: number): Entry[] => {
    const suffix = nth > 1 ? `#${nth}` : '';
    const ref = `${found.id}/${own}${suffix}`;
    return [
      { party: 'account', subAccountId: found.id, amountSat: sign * parts.netSat, ref: `${own}${suffix}` },
      ...(found.referrerId === null
        ? []
        : [{ party: 'referrer' as const, userId: found.referrerId, amountSat: sign * parts.referralSat, ref }]),
      { party: 'pool', amountSat: sign * (parts.feeSat - parts.referralSat), ref },
      { party: 'mined', amountSat: -sign * parts.grossSat, ref },
    ];
  };
  await book(client, 'earning_reversal', entries(before, -1, earlier + 1), at);
  await book(client, 'earning', entries(after, 1, earlier + 2), at);
  await checkUnderWay(client, found.id, found.referrerId);
  await client.query(sql`update earning
    set gross_sat = ${after.grossSat}, fee_sat = ${after.feeSat}, net_sat = ${after.netSat},
      referral_sat = ${after.referralSat}, status = 'adjusted'
    where sub_account_id = ${found.id} and algorithm = ${algorithm} and day = ${day}::date`);
  // A paid accrual keeps its amount; the difference is in the referrer's balance. One that is worth something again is
  // of the payment it was of, if that is open still.
  await client.query(sql`update referral_accrual
    set base_fee_sat = ${after.feeSat},
      amount_sat = ${after.referralSat}::bigint,
      status = case
        when ${after.referralSat}::bigint = 0 then 'reversed'
        when status <> 'reversed' then status
        when exists (select from payment p where p.id = payment_id and p.status in ${raw(OPEN)}) then 'payable'
        else 'accrued'
      end
    where sub_account_id = ${found.id} and algorithm = ${algorithm} and day = ${day}::date and status <> 'paid'`);
  const work = await paidAfter(client, found, corrections, { algorithm, day, grossSat, paidWork });
  await client.query(sql`
    insert into earning_adjustment
      (sub_account_id, algorithm, day, gross_sat_before, gross_sat, note, user_id, created_at, work)
    values (${found.id}, ${algorithm}, ${day}, ${before.grossSat}, ${after.grossSat}, ${note}, ${userId},
      to_timestamp(${at}::float8), ${work})`);
  return { before, after };
}
