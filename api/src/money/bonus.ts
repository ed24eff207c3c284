/** Requests for the welcome bonus: visitors leave one, admins grant or refuse it. */
import type { Pool, PoolClient } from 'pg';
import type { BonusDecision, BonusRequest } from '@pool/shared/api/contract';
import { writeAudit } from '../platform/audit';
import { lock, transaction } from '../platform/db/transaction';
import { dayOf } from '../platform/days';
import { containsPattern, oneRow, pageOf, type Querier, raw, sql, valueOf, isoTime } from '../platform/db/querier';
import { book, type Entry } from './ledger/ledger';
import { networkOf } from '../platform/network-of';
import { found, problems } from '../platform/refused';

/** Stores the request unless its email address or network has one on this UTC day. */
export function requestBonus(pool: Pool, email: string, ip: string, now: number): Promise<void> {
  const address = email.toLowerCase();
  return transaction(pool, async (client) => {
    const id = await valueOf<number>(client)`
      insert into bonus_request (email, source, day, created_at)
      values (${address}, ${networkOf(ip)}, ${dayOf(now)}, to_timestamp(${now}::float8))
      on conflict do nothing
      returning id`;
    if (id !== undefined) await writeAudit(client, { actorId: null, ip }, 'bonus.request', address, { after: { id } });
  });
}

const COLUMNS = `b.id, ${isoTime('b.created_at')} as at, b.email, b.source, b.status,
  coalesce(
    (select name from sub_account where id = b.sub_account_id),
    case when b.status = 'new' then (select user_name from app_user where lower(email) = b.email order by id limit 1) end
  ) as account,
  b.amount_sat, b.note, (select user_name from app_user where id = b.handled_by) as by,
  ${isoTime('b.handled_at')} as handled_at`;

/** Newest first. `search`: part of the e-mail address. */
export async function bonusRequests(
  db: Querier,
  { status, search }: { status?: BonusRequest['status']; search?: string },
  page: { limit: number; offset: number },
): Promise<{ rows: BonusRequest[]; total: number }> {
  const wanted = status ?? null;
  const pattern = search ? containsPattern(search.toLowerCase()) : null;
  const from = sql`from bonus_request b
    where (${wanted}::text is null or b.status = ${wanted}) and (${pattern}::text is null or b.email like ${pattern})`;
  return pageOf<BonusRequest>(db, { columns: raw(COLUMNS), from, order: 'b.id desc' }, page);
}

/** Decides a new request in the transaction of `client`, or throws `Refused`. A grant is paid by the pool. */
export async function decideBonus(
  client: PoolClient,
  id: number,
  decision: BonusDecision,
  { adminId, at }: { adminId: number; at: number },
): Promise<BonusRequest> {
  // No account is deleted in the meantime: what it is given could not be paid.
  await lock(client, 'closing');
  await lock(client, 'payouts');
  const status = found(await valueOf<string>(client)`select status from bonus_request where id = ${id} for update`);
  if (status !== 'new') throw problems.conflict('already_decided', 'Somebody has decided this request already.');
  let subAccountId: number | null = null;
  let amountSat: number | null = null;
  if (decision.status === 'granted') {
    const account = await valueOf<number>(client)`
      select id from sub_account where name = ${decision.account} and deleted_at is null`;
    if (account === undefined) throw problems.conflict('unknown_account', 'There is no such sub-account.');
    subAccountId = account;
    ({ amountSat } = decision);
    const ref = `bonus/${id}`;
    const pays: Entry = { party: 'pool', amountSat: -amountSat, ref };
    await book(client, 'bonus', [{ party: 'account', subAccountId, amountSat, ref }, pays], at);
  }
  return oneRow<BonusRequest>(client)`update bonus_request b
    set status = ${decision.status}, note = ${decision.note ?? null}, sub_account_id = ${subAccountId},
      amount_sat = ${amountSat}, handled_by = ${adminId},
      handled_at = to_timestamp(${at}::float8)
    where id = ${id}
    returning ${raw(COLUMNS)}`;
}
