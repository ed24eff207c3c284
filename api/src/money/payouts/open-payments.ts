/**
 * Opens a payment when a balance reaches its threshold. The payment waits for review, or for a payable address. The
 * balance falls only when a payment is sent, so cancelling an unsent payment changes no balance.
 */
import type { Pool, PoolClient } from 'pg';
import { lock, moneyTransaction } from '../../platform/db/transaction';
import { addDays, dayOf } from '../../platform/days';
import { type Querier, rowsOf, sql } from '../../platform/db/querier';
import { REFERRAL_THRESHOLD_SAT } from '../referral/referral';

export type Opened = { id: number; subAccountId: number; account: string; userId: number };

/** SQL of each kind of money. `since`: the first day that it is of; null: not known. */
const MINING = {
  trigger: 'auto',
  is: "p.trigger <> 'referral'",
  address: 's.btc_address',
  hold: 's.address_hold_until',
  paused: 's.payout_paused',
  due: "b.party = 'account' and b.owner_id = s.id and b.owed_sat >= s.threshold_sat and b.owed_sat > 0",
  since: `(select max(period_to) + 1 from payment p
      where p.sub_account_id = s.id and p.trigger <> 'referral' and p.status <> 'cancelled'),
    (select min(day) from earning e where e.sub_account_id = s.id)`,
};
const REFERRAL: typeof MINING = {
  trigger: 'referral',
  is: "p.trigger = 'referral'",
  address: 'u.referral_address',
  hold: 'u.referral_hold_until',
  paused: 'false',
  due: `b.party = 'referrer' and b.owner_id = u.id and s.name = u.user_name and u.referral_address is not null
    and b.owed_sat >= ${REFERRAL_THRESHOLD_SAT}`,
  since: "(select min(day) from referral_accrual a where a.referrer_id = u.id and a.status = 'accrued')",
};
/** Why somebody cannot be paid at time $1 (Unix seconds); `review` when it is possible. */
const reasonOf = ({ address, hold, paused }: typeof MINING): string => `case
  when ${address} is null then 'no_address'
  when ${hold} > to_timestamp($1::float8) then 'address_hold'
  when ${paused} then 'paused'
  else 'review'
end`;
/** A payment in one of these statuses is open; a sub-account has at most one for mining and one for referral. */
export const OPEN = "('pending', 'queued', 'unknown', 'failed')";

/** Updates address and reason of pending payments, of one sub-account or of all. `now`: Unix seconds. */
export async function refreshReasons(db: Querier, now: number, subAccountId?: number): Promise<void> {
  for (const kind of [MINING, REFERRAL])
    await db.query(
      `update payment p set address = ${kind.address}, reason = ${reasonOf(kind)}
       from sub_account s join app_user u on u.id = s.user_id
       where s.id = p.sub_account_id
         and p.status = 'pending' and ${kind.is}
         and ($2::int is null or s.id = $2)
         and (p.reason is distinct from ${reasonOf(kind)} or p.address is distinct from ${kind.address})`,
      [now, subAccountId ?? null],
    );
}

const open = (db: Querier, kind: typeof MINING, now: number): Promise<Opened[]> =>
  rowsOf<Opened>(
    db,
    `with made as (
       insert into payment
         (sub_account_id, period_from, period_to, amount_sat, address, status, reason, trigger, created_at)
       select s.id, coalesce(${kind.since}, $2::date), $2::date, b.owed_sat, ${kind.address},
         'pending', ${reasonOf(kind)}, '${kind.trigger}', to_timestamp($1::float8)
       from balance b, sub_account s join app_user u on u.id = s.user_id
       where ${kind.due}
         and not exists (
           select 1 from payment p where p.sub_account_id = s.id and ${kind.is} and p.status in ${OPEN}
         )
       on conflict do nothing
       returning id, sub_account_id
     )
     select m.id, m.sub_account_id, s.name as account, s.user_id
     from made m
     join sub_account s on s.id = m.sub_account_id`,
    [now, addDays(dayOf(now), -1)],
  );

/** Pays referrers who have set an address, and marks the accruals so that none is paid twice. */
async function openReferral(db: Querier, now: number): Promise<Opened[]> {
  const rows = await open(db, REFERRAL, now);
  for (const { id, userId } of rows)
    await db.query(sql`
      update referral_accrual set status = 'payable', payment_id = ${id} where referrer_id = ${userId}
        and status = 'accrued'`);
  return rows;
}

/** Same as `openPayments`, in the transaction of `client`. */
export async function openPaymentsIn(client: PoolClient, now: number): Promise<Opened[]> {
  await lock(client, 'closing');
  await refreshReasons(client, now);
  return [...(await open(client, MINING, now)), ...(await openReferral(client, now))];
}

/**
 * Opens a payment for every balance that has reached its threshold and has no open payment. Returns the new payments.
 * A unique index allows one open payment each, so concurrent calls never open two. `now`: Unix seconds.
 */
export const openPayments = (pool: Pool, now: number): Promise<Opened[]> =>
  moneyTransaction(pool, (client) => openPaymentsIn(client, now));
