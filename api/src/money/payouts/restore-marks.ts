/**
 * A database that has lost commits (a failover to a standby that had not got them, a restored copy) offers payments for
 * sending that were handed over. What DATA_DIR knows of them (`payment-log.ts`) is put back: such a payment becomes
 * `unknown`, which only a person ends.
 */
import type { Pool, PoolClient } from 'pg';
import { writeAudit } from '../../platform/audit';
import { lock, moneyTransaction } from '../../platform/db/transaction';
import { HANDED_OVER, marksOf, type PaymentLog, type PaymentMark } from './payment-log';
import { hasRow, rowsOf, sql, valueOf, valuesOf } from '../../platform/db/querier';

/** Told of what was put back, and of what could not be. */
type Report = { error(facts: object, message: string): void };
type Row = { id: number; key: string; status: string; version: number; address: string | null };

/** `row`: the payment as the database has it now. */
function isLost(mark: PaymentMark, row: Row | undefined): boolean {
  if (!HANDED_OVER.includes(mark.status)) return false;
  if (!row || row.status === 'pending' || row.status === 'queued') return true;
  return row.status === 'failed' && row.version < mark.version;
}

async function rowsByKey(db: Pool | PoolClient, marks: readonly PaymentMark[]): Promise<Map<string, Row>> {
  const rows = await rowsOf<Row>(db)`
    select id, key::text as key, status, version, address from payment
    where key = any(${marks.map(({ key }) => key)}::uuid[])`;
  return new Map(rows.map((row) => [row.key, row]));
}

/** Makes the payment once more, as queued; null where that cannot be: its sub-account is not there any more. */
async function insertAgain(client: PoolClient, mark: PaymentMark, note: string): Promise<number | null> {
  const { id, key, subAccountId, account, trigger, periodFrom, periodTo, amountSat, address, createdAt } = mark;
  if (!(await hasRow(client)`select from sub_account where id = ${subAccountId} and name = ${account}`)) return null;
  const cancelled = await valuesOf<number>(client)`
    update payment set status = 'cancelled', reason = ${note}, note = ${note}
    where sub_account_id = ${subAccountId} and (trigger = 'referral') = ${trigger === 'referral'}
      and status in ('pending', 'queued')
    returning id`;
  const made = await valueOf<number>(client)`
    insert into payment
      (id, key, sub_account_id, period_from, period_to, amount_sat, address, status, trigger, note, created_at)
    values (
      case when exists (select from payment where id = ${id}) then nextval('payment_id_seq')::int else ${id}::int end,
      ${key}, ${subAccountId}, ${periodFrom}, ${periodTo}, ${amountSat}, ${address}, 'queued', ${trigger}, ${note},
      to_timestamp(${createdAt}::float8))
    on conflict do nothing returning id`;
  if (made && trigger === 'referral')
    await client.query(sql`update referral_accrual set status = 'payable', payment_id = ${made}
      where payment_id = any(${cancelled}::int[]) and status = 'payable'`);
  return made ?? null;
}

/** Returns the payment's number; null where it could not be put back. */
async function putBack(client: PoolClient, mark: PaymentMark): Promise<number | null> {
  await lock(client, 'payouts');
  const row = (await rowsByKey(client, [mark])).get(mark.key);
  if (!isLost(mark, row)) return row?.id ?? null;
  const note =
    `The database had lost that this payment was ${mark.status}` +
    `${mark.txid ? ` (${mark.txid})` : ''}: look at the chain before anything else.`;
  const id = row ? row.id : await insertAgain(client, mark, note);
  if (id === null) return null;
  const set = (assignments: string, values: unknown[] = []) =>
    client.query(`update payment set ${assignments} where id = $1`, [id, ...values]);
  if (row) {
    if (row.status === 'queued' && row.address !== mark.address) await set("status = 'pending'");
    if (row.status !== 'queued' || row.address !== mark.address)
      await set("status = 'queued', address = $2, note = $3", [mark.address, note]);
  }
  await set("status = 'unknown', reason = null, note = $2", [note]);
  await writeAudit(client, { actorId: null, ip: 'payment log' }, 'payment.unknown', String(id), {
    before: row ? { status: row.status } : null,
    after: { status: 'unknown', note },
  });
  return id;
}

/** Numbers that payments have had are not given again. */
async function advanceNumbers(pool: Pool, maxId: number): Promise<void> {
  if (maxId === 0) return;
  await pool.query(sql`select setval('payment_id_seq', ${maxId}::bigint) from payment_id_seq
    where last_value < ${maxId}::bigint or last_value = ${maxId}::bigint and not is_called`);
}

/** Puts back payments that the database lost (all, or `ids`), before any is opened or moved; returns their number. */
export async function restoreMarks(
  pool: Pool,
  log: PaymentLog,
  report: Report,
  ids?: readonly number[],
): Promise<number> {
  if (!ids) await advanceNumbers(pool, log.maxId);
  const marks = log.marks().filter(({ id, status }) => HANDED_OVER.includes(status) && (!ids || ids.includes(id)));
  if (marks.length === 0) return 0;
  const rows = await rowsByKey(pool, marks);
  let restored = 0;
  for (const mark of marks.filter((each) => isLost(each, rows.get(each.key)))) {
    const id = await moneyTransaction(pool, (client) => putBack(client, mark));
    if (id === null) {
      report.error({ payment: mark }, 'a payment that was handed over is not in the database and cannot be put back');
      continue;
    }
    log.record(await marksOf(pool, [id]));
    report.error(
      { payment: id, was: mark.status },
      'the database had lost a payment that was handed over: see its note',
    );
    restored += 1;
  }
  return restored;
}
