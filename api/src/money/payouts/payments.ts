/** Reads payments: for their owners, and with notes for admins. */
import type { z } from 'zod';
import type { AdminPayment, Contract, Payment, PaymentSums } from '@pool/shared/api/contract';
import {
  firstRow,
  isoTime,
  join,
  onDays,
  pageOf,
  prefixPattern,
  type Querier,
  raw,
  rowsOf,
  sql,
  type Sql,
} from '../../platform/db/querier';
import { together, type Selects } from '../../platform/db/together';
import { type Balance, balanceFrom, balanceSelect } from '../ledger/ledger';
import { OPEN } from './open-payments';

const COLUMNS = `p.id, s.name as account, p.sub_account_id, p.period_from, p.period_to, p.amount_sat, p.network_fee_sat,
  p.address, p.txid, p.status, p.reason, p.trigger, ${isoTime('p.created_at')} as created_at,
  ${isoTime('p.queued_at')} as queued_at, ${isoTime('p.sent_at')} as sent_at,
  ${isoTime('p.confirmed_at')} as confirmed_at, p.usd_at_send`;

/** The hold of the payee's address; null once it has ended. */
const HELD_UNTIL = `(case
  when p.trigger = 'referral' then case when u.referral_hold_until > now() then u.referral_hold_until end
  else case when s.address_hold_until > now() then s.address_hold_until end
end)`;
const ADMIN_COLUMNS = `${COLUMNS}, u.user_name, p.note, p.version, p.key, a.user_name as approved_by,
  ${isoTime(HELD_UNTIL)} as held_until`;
const ADMIN_FROM = `from payment p
  join sub_account s on s.id = p.sub_account_id
  join app_user u on u.id = s.user_id
  left join app_user a on a.id = p.queued_by`;

type PaymentFilter = Omit<z.output<Contract['GET /getPayments/']['query']>, 'limit' | 'cursor' | 'order'>;

const ID = /^\d{1,15}$/;

/** Payments of sub-accounts that pass `test`, or of users who do. */
const accountsNamed = (test: Sql): Sql => sql`
  p.sub_account_id = any(array(
     select s.id from sub_account s join app_user u on u.id = s.user_id where s.name ${test} or u.user_name ${test}
   ))`;

/** Payments with this number, transaction or address. Each alternative has an index of its own. */
const foundBy = (search: string): Sql => sql`
  p.id = ${ID.test(search) ? search : null}::bigint or p.txid = lower(${search}) or p.address = ${search}`;

const where = (conditions: readonly Sql[]): Sql =>
  conditions.length > 0 ? sql`where (${join(conditions, ') and (')})` : sql``;

/** Payments of all users. `totalSat` and `sums` are of all matching payments, also of other pages. */
export async function allPayments(
  db: Querier,
  { id, status, trigger, account, search, from, to }: PaymentFilter,
  { limit, offset, order }: { limit: number; offset: number; order: 'newest' | 'oldest' },
): Promise<{ rows: AdminPayment[]; total: number; totalSat: number; sums: PaymentSums }> {
  // A sub-select in place of the array of `accountsNamed` would be read for every payment.
  const conditions = [
    ...(id ? [sql`p.id = ${id}`] : []),
    ...(trigger ? [sql`p.trigger = ${trigger}`] : []),
    ...(account ? [accountsNamed(sql`= ${account}`)] : []),
    ...(search ? [sql`${foundBy(search)} or ${accountsNamed(sql`like ${prefixPattern(search.toLowerCase())}`)}`] : []),
    ...onDays('p.created_at', { from, to }),
  ];
  const sums = await rowsOf<PaymentSums[number]>(db)`
    select p.status, count(*) as count, sum(p.amount_sat) as total_sat from payment p ${where(conditions)} group by 1`;
  const ofStatus = status ? [...conditions, sql`p.status = ${status}`] : conditions;
  const inOrder = raw(DIRECTION[order]);
  const rows = await rowsOf<AdminPayment>(db)`
    select ${raw(ADMIN_COLUMNS)} ${raw(ADMIN_FROM)}
    where p.id in (
      select p.id from payment p ${where(ofStatus)}
      order by p.id ${inOrder}
      limit ${limit} offset ${offset}
    )
    order by p.id ${inOrder}`;
  const shown = sums.filter((sum) => !status || sum.status === status);
  return {
    rows,
    total: shown.reduce((total, { count }) => total + count, 0),
    totalSat: shown.reduce((total, { totalSat }) => total + totalSat, 0),
    sums,
  };
}
const DIRECTION = { newest: 'desc', oldest: 'asc' } as const;

export async function paymentById(db: Querier, id: number): Promise<AdminPayment | null> {
  const row = await firstRow<AdminPayment>(db)`select ${raw(ADMIN_COLUMNS)} ${raw(ADMIN_FROM)} where p.id = ${id}`;
  return row ?? null;
}

/** `search`: id, transaction or address of payouts. */
export type Range = { from?: string; to?: string; search?: string };

/** `mining`: payments of earnings. `referral`: payments to the owner for users they referred. */
export type Money = 'mining' | 'referral';

/** Payments of the sub-accounts, newest first. `from` and `to`: days of creation, both included. */
export async function paymentsOf(
  db: Querier,
  subAccountIds: number[],
  { from, to, search }: Range,
  page: { limit: number; offset: number },
  money: Money = 'mining',
): Promise<{ rows: Payment[]; total: number }> {
  const conditions = [
    sql`p.sub_account_id = any(${subAccountIds}::int[])`,
    sql`(p.trigger = 'referral') = ${money === 'referral'}`,
    ...(search ? [foundBy(search)] : []),
    ...onDays('p.created_at', { from, to }),
  ];
  const matching = sql`from payment p join sub_account s on s.id = p.sub_account_id ${where(conditions)}`;
  const select = { columns: raw(COLUMNS), from: matching, order: 'p.id desc' };
  return pageOf<Payment>(db, select, page);
}

export type BalanceRows = { balance: Balance; payments: Payment };

/** Selects what `balanceFromRows` needs. `these`: the ids of sub-accounts, as they stand after `sub_account_id`. */
export const balanceSelects = (these: Sql): Selects<BalanceRows> => {
  const mining = sql`
    select ${raw(COLUMNS)}
    from payment p
    join sub_account s on s.id = p.sub_account_id
    where p.sub_account_id ${these} and p.trigger <> 'referral'`;
  return {
    balance: balanceSelect('account', these),
    payments: sql`(${mining} and p.status in ${raw(OPEN)})
      union all (${mining} and p.status in ('sent', 'confirmed') order by p.id desc limit 1)`,
  };
};

/** `unpaidSat`: earned and not sent. `heldSat`: the part of it in an open payment. */
export function balanceFromRows(rows: { [K in keyof BalanceRows]: BalanceRows[K][] }) {
  const { owedSat, paidSat, payouts } = balanceFrom(rows.balance);
  const { payments } = rows;
  const isOpen = ({ status }: Payment): boolean => status !== 'sent' && status !== 'confirmed';
  const open = payments.find(isOpen) ?? null;
  return {
    unpaidSat: owedSat,
    paidSat,
    heldSat: open?.amountSat ?? 0,
    payouts,
    open,
    last: payments.find((payment) => !isOpen(payment)) ?? null,
  };
}

export const balanceOf = async (db: Querier, subAccountId: number) =>
  balanceFromRows(await together<BalanceRows>(db, 'balance', balanceSelects(sql`= ${subAccountId}`)));

/** Payouts of sub-accounts that were sent between `since` and `until` (Unix seconds), newest first. */
export async function payoutsSent(
  db: Querier,
  subAccountIds: readonly number[],
  { since, until, limit }: { since: number; until: number; limit: number },
): Promise<{ id: number; subAccountId: number; at: number; amountSat: number }[]> {
  return rowsOf<{ id: number; subAccountId: number; at: number; amountSat: number }>(db)`
    select id, sub_account_id, extract(epoch from sent_at)::int as at, amount_sat
    from payment
    where sub_account_id = any(${subAccountIds}::int[]) and status in ('sent', 'confirmed')
      and sent_at >= to_timestamp(${since}::float8) and sent_at < to_timestamp(${until}::float8)
    order by sent_at desc, id desc
    limit ${limit}`;
}
