/**
 * Payouts. A payment is opened when the balance reaches the threshold, waits for review, is queued, sent, confirmed.
 * The balance falls when a payment is sent, so one that is cancelled before needs nothing given back.
 */
import type { Pool, PoolClient } from 'pg';
import type { Payment } from '@pool/shared/api/contract';
import { lock, transaction } from '../db/transaction';
import { addDays, dayOf, type Querier } from './prices';

type PaymentRow = {
  id: number; account: string; sub_account_id: number; period_from: string; period_to: string; amount_sat: number; network_fee_sat: number;
  address: string | null; txid: string | null; status: Payment['status']; reason: string | null; trigger: Payment['trigger'];
  created_at: Date; sent_at: Date | null; confirmed_at: Date | null; usd_at_send: number | null;
};

const COLUMNS = `p.id, s.name as account, p.sub_account_id, p.period_from, p.period_to, p.amount_sat, p.network_fee_sat, p.address, p.txid, p.status, p.reason,
  p.trigger, p.created_at, p.sent_at, p.confirmed_at, p.usd_at_send`;

const toPayment = (row: PaymentRow): Payment => ({
  id: row.id, account: row.account, subAccountId: row.sub_account_id, periodFrom: row.period_from, periodTo: row.period_to,
  amountSat: row.amount_sat, networkFeeSat: row.network_fee_sat, address: row.address, txid: row.txid, status: row.status, reason: row.reason, trigger: row.trigger,
  createdAt: row.created_at.toISOString(), sentAt: row.sent_at?.toISOString() ?? null, confirmedAt: row.confirmed_at?.toISOString() ?? null, usdAtSend: row.usd_at_send,
});

export type Range = { from?: string; to?: string };

/** Payments of some sub-accounts, newest first, `limit` after the first `offset`. Days are of the creation, both included. */
export async function paymentsOf(db: Querier, subAccountIds: number[], { from, to }: Range, { limit, offset }: { limit: number; offset: number }): Promise<{ rows: Payment[]; total: number }> {
  const where = `p.sub_account_id = any($1::int[]) and ($2::date is null or p.created_at >= $2::date::timestamp at time zone 'UTC')
    and ($3::date is null or p.created_at < ($3::date + 1)::timestamp at time zone 'UTC')`;
  const values = [subAccountIds, from ?? null, to ?? null];
  const { rows } = await db.query<PaymentRow>(`select ${COLUMNS} from payment p join sub_account s on s.id = p.sub_account_id where ${where} order by p.id desc limit $4 offset $5`, [...values, limit, offset]);
  const { rows: [count] } = await db.query<{ total: number }>(`select count(*) as total from payment p where ${where}`, values);
  return { rows: rows.map(toPayment), total: count?.total ?? 0 };
}

export type Balance = { unpaidSat: number; paidSat: number; heldSat: number; payouts: number; last: Payment | null; open: Payment | null };

/** `unpaidSat`: all that was earned and not sent; `heldSat`: the part of it that waits in an open payment. */
export async function balanceOf(db: Querier, subAccountId: number): Promise<Balance> {
  const { rows: [sums] } = await db.query<{ unpaid: number; held: number; paid: number; payouts: number }>(
    `select (select coalesce(sum(amount_sat), 0) from ledger where sub_account_id = $1) as unpaid,
       coalesce(sum(amount_sat) filter (where status in ('pending', 'queued')), 0) as held,
       coalesce(sum(amount_sat) filter (where status in ('sent', 'confirmed')), 0) as paid, count(*) filter (where status in ('sent', 'confirmed')) as payouts
     from payment where sub_account_id = $1`, [subAccountId]);
  const { rows } = await db.query<PaymentRow>(
    `select ${COLUMNS} from payment p join sub_account s on s.id = p.sub_account_id where p.sub_account_id = $1 and (p.status in ('pending', 'queued')
       or p.id = (select max(id) from payment where sub_account_id = $1 and status in ('sent', 'confirmed'))) order by p.id desc`, [subAccountId]);
  const payments = rows.map(toPayment);
  const isOpen = ({ status }: Payment): boolean => status === 'pending' || status === 'queued';
  return {
    unpaidSat: sums?.unpaid ?? 0, paidSat: sums?.paid ?? 0, heldSat: sums?.held ?? 0, payouts: sums?.payouts ?? 0,
    open: payments.find(isOpen) ?? null, last: payments.find((payment) => !isOpen(payment)) ?? null,
  };
}

/**
 * Opens a payment for every sub-account whose balance has reached its threshold and that has none open. It waits for
 * an address, or for review. Answers the new ones. Never opens two: the table allows one open payment.
 */
export function openPayments(pool: Pool, now: number): Promise<{ id: number; subAccountId: number; account: string; userId: number }[]> {
  return transaction(pool, async (client) => {
    await lock(client, 'closing');
    await client.query(
      `update payment p set address = s.btc_address, reason = 'review' from sub_account s
       where s.id = p.sub_account_id and p.status = 'pending' and p.reason = 'no_address' and s.btc_address is not null`);
    const { rows } = await client.query<{ id: number; sub_account_id: number; account: string; user_id: number }>(
      `with balance as (select sub_account_id, sum(amount_sat) as sats from ledger group by 1),
       made as (
         insert into payment (sub_account_id, period_from, period_to, amount_sat, address, status, reason, trigger, created_at)
         select s.id,
           coalesce((select max(period_to) + 1 from payment p where p.sub_account_id = s.id and p.status <> 'cancelled'), (select min(day) from earning e where e.sub_account_id = s.id), $1::date),
           $1::date, b.sats, s.btc_address, 'pending', case when s.btc_address is null then 'no_address' else 'review' end, 'auto', to_timestamp($2::float8)
         from balance b join sub_account s on s.id = b.sub_account_id
         where b.sats >= s.threshold_sat and b.sats > 0
           and not exists (select 1 from payment p where p.sub_account_id = s.id and p.status in ('pending', 'queued', 'failed'))
         on conflict do nothing returning id, sub_account_id)
       select m.id, m.sub_account_id, s.name as account, s.user_id from made m join sub_account s on s.id = m.sub_account_id`, [addDays(dayOf(now), -1), now]);
    return rows.map((row) => ({ id: row.id, subAccountId: row.sub_account_id, account: row.account, userId: row.user_id }));
  });
}

export type PaymentChange =
  | { to: 'queued'; note?: string }
  | { to: 'sent'; txid: string; networkFeeSat?: number; usdAtSend?: number }
  | { to: 'confirmed' }
  | { to: 'failed' | 'cancelled'; note?: string };

const FROM: Record<PaymentChange['to'], Payment['status'][]> = {
  queued: ['pending', 'failed'], sent: ['queued'], confirmed: ['sent'], failed: ['queued', 'sent'], cancelled: ['pending', 'queued'],
};

/**
 * Moves a payment on; false when it is not in a state that allows it (somebody else was faster). The state is part of
 * the UPDATE itself, and what was sent leaves the balance in the same transaction. `at`: Unix seconds.
 */
export function movePayment(pool: Pool, id: number, change: PaymentChange, at: number): Promise<boolean> {
  return transaction(pool, async (client) => {
    const set = (assignments: string, values: unknown[]) => client.query<{ sub_account_id: number; amount_sat: number; sent_at: Date | null }>(
      `update payment set status = $2, ${assignments} where id = $1 and status = any($3::text[]) returning sub_account_id, amount_sat, sent_at`, [id, change.to, FROM[change.to], ...values]);
    const book = async (client_: PoolClient, kind: 'payout' | 'payout_reversal', subAccountId: number, amountSat: number): Promise<void> => {
      const { rows: [done] } = await client_.query<{ n: number }>('select count(*) as n from ledger where sub_account_id = $1 and kind = $2 and (ref = $3 or ref like $4)', [subAccountId, kind, String(id), `${id}/%`]);
      const ref = done?.n ? `${id}/${done.n + 1}` : String(id);
      await client_.query('insert into ledger (sub_account_id, kind, amount_sat, ref, at) values ($1, $2, $3, $4, to_timestamp($5::float8))', [subAccountId, kind, amountSat, ref, at]);
    };
    if (change.to === 'sent') {
      const { rows: [row] } = await set('txid = $4, network_fee_sat = $5, usd_at_send = $6, sent_at = to_timestamp($7::float8), reason = null', [change.txid, change.networkFeeSat ?? 0, change.usdAtSend ?? null, at]);
      if (row) await book(client, 'payout', row.sub_account_id, -row.amount_sat);
      return row !== undefined;
    }
    if (change.to === 'confirmed') return (await set('confirmed_at = to_timestamp($4::float8)', [at])).rows.length > 0;
    const { rows: [row] } = await set("note = coalesce($4, note), reason = case when $2 = 'queued' then null else reason end", [change.note ?? null]);
    if (row && change.to === 'failed' && row.sent_at) await book(client, 'payout_reversal', row.sub_account_id, row.amount_sat);
    return row !== undefined;
  });
}
