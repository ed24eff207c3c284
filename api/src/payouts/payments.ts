/** Reads payments: for their owners, and with notes for admins. */
import type { AdminPayment, Payment } from '@pool/shared/api/contract';
import type { Querier } from '../db/querier';
import { accountBalance } from '../ledger/ledger';

type PaymentRow = {
  id: number;
  account: string;
  sub_account_id: number;
  period_from: string;
  period_to: string;
  amount_sat: number;
  network_fee_sat: number;
  address: string | null;
  txid: string | null;
  status: Payment['status'];
  reason: string | null;
  trigger: Payment['trigger'];
  created_at: Date;
  sent_at: Date | null;
  confirmed_at: Date | null;
  usd_at_send: number | null;
};

const COLUMNS = `p.id, s.name as account, p.sub_account_id, p.period_from, p.period_to, p.amount_sat, p.network_fee_sat,
  p.address, p.txid, p.status, p.reason, p.trigger, p.created_at, p.sent_at, p.confirmed_at, p.usd_at_send`;

const toPayment = (row: PaymentRow): Payment => ({
  id: row.id,
  account: row.account,
  subAccountId: row.sub_account_id,
  periodFrom: row.period_from,
  periodTo: row.period_to,
  amountSat: row.amount_sat,
  networkFeeSat: row.network_fee_sat,
  address: row.address,
  txid: row.txid,
  status: row.status,
  reason: row.reason,
  trigger: row.trigger,
  createdAt: row.created_at.toISOString(),
  sentAt: row.sent_at?.toISOString() ?? null,
  confirmedAt: row.confirmed_at?.toISOString() ?? null,
  usdAtSend: row.usd_at_send,
});

type AdminRow = PaymentRow & { user_name: string; note: string | null; version: number };
const ADMIN_COLUMNS = `${COLUMNS}, u.user_name, p.note, p.version`;
const ADMIN_FROM = `from payment p
  join sub_account s on s.id = p.sub_account_id
  join app_user u on u.id = s.user_id`;
const toAdminPayment = (row: AdminRow): AdminPayment => ({
  ...toPayment(row),
  userName: row.user_name,
  note: row.note,
  version: row.version,
});

export type PaymentFilter = {
  status?: Payment['status'];
  trigger?: Payment['trigger'];
  account?: string;
  from?: string;
  to?: string;
};

/** Payments of all users, newest first. `totalSat`: the sum of all matching payments, also of other pages. */
export async function allPayments(
  db: Querier,
  { status, trigger, account, from, to }: PaymentFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: AdminPayment[]; total: number; totalSat: number }> {
  const matching = `${ADMIN_FROM}
    where ($1::text is null or p.status = $1)
      and ($2::text is null or p.trigger = $2)
      and ($3::text is null or s.name = $3 or u.user_name = $3)
      and ($4::date is null or p.created_at >= $4::date::timestamp at time zone 'UTC')
      and ($5::date is null or p.created_at < ($5::date + 1)::timestamp at time zone 'UTC')`;
  const values = [status ?? null, trigger ?? null, account ?? null, from ?? null, to ?? null];
  const { rows } = await db.query<AdminRow>(
    `select ${ADMIN_COLUMNS} ${matching} order by p.id desc limit $6 offset $7`,
    [...values, limit, offset],
  );
  const {
    rows: [sums],
  } = await db.query<{ total: number; sats: number }>(
    `select count(*) as total, coalesce(sum(p.amount_sat), 0) as sats ${matching}`,
    values,
  );
  return { rows: rows.map(toAdminPayment), total: sums?.total ?? 0, totalSat: sums?.sats ?? 0 };
}

export async function paymentById(db: Querier, id: number): Promise<AdminPayment | null> {
  const {
    rows: [row],
  } = await db.query<AdminRow>(`select ${ADMIN_COLUMNS} ${ADMIN_FROM} where p.id = $1`, [id]);
  return row ? toAdminPayment(row) : null;
}

export type Range = { from?: string; to?: string };

/** `mining`: payments of earnings. `referral`: payments to the owner for users they referred. */
export type Money = 'mining' | 'referral';

/** Payments of the sub-accounts, newest first. `from` and `to`: days of creation, both included. */
export async function paymentsOf(
  db: Querier,
  subAccountIds: number[],
  { from, to }: Range,
  { limit, offset }: { limit: number; offset: number },
  money: Money = 'mining',
): Promise<{ rows: Payment[]; total: number }> {
  const where = `
    where p.sub_account_id = any($1::int[])
      and (p.trigger = 'referral') = ${money === 'referral'}
      and ($2::date is null or p.created_at >= $2::date::timestamp at time zone 'UTC')
      and ($3::date is null or p.created_at < ($3::date + 1)::timestamp at time zone 'UTC')`;
  const values = [subAccountIds, from ?? null, to ?? null];
  const { rows } = await db.query<PaymentRow>(
    `select ${COLUMNS}
     from payment p
     join sub_account s on s.id = p.sub_account_id
     ${where}
     order by p.id desc
     limit $4 offset $5`,
    [...values, limit, offset],
  );
  const {
    rows: [count],
  } = await db.query<{ total: number }>(`select count(*) as total from payment p ${where}`, values);
  return { rows: rows.map(toPayment), total: count?.total ?? 0 };
}

export type Balance = {
  unpaidSat: number;
  paidSat: number;
  heldSat: number;
  payouts: number;
  last: Payment | null;
  open: Payment | null;
};

/** `unpaidSat`: earned and not sent. `heldSat`: the part of it in an open payment. */
export async function balanceOf(db: Querier, subAccountId: number): Promise<Balance> {
  const { owedSat, paidSat, payouts } = await accountBalance(db, subAccountId);
  const mining = `
    select ${COLUMNS}
    from payment p
    join sub_account s on s.id = p.sub_account_id
    where p.sub_account_id = $1 and p.trigger <> 'referral'`;
  const { rows } = await db.query<PaymentRow>(
    `(${mining} and p.status in ('pending', 'queued', 'unknown'))
     union all (${mining} and p.status in ('sent', 'confirmed') order by p.id desc limit 1)`,
    [subAccountId],
  );
  const payments = rows.map(toPayment);
  const isOpen = ({ status }: Payment): boolean => status === 'pending' || status === 'queued' || status === 'unknown';
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
