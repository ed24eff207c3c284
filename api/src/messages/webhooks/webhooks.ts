/** Users' webhooks: made, changed, tested, deleted, and the log of what was sent to them. */
import { LIST_LIMITS } from '@pool/shared/domain';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { TelegramEvent, Webhook, WebhookDelivery } from '@pool/shared/api/contract';
import { type Doer, writeAudit } from '../../platform/audit';
import { firstRow, hasRow, isoTime, oneRow, type Querier, raw, rowsOf, sql } from '../../platform/db/querier';
import { MAKER } from '../makers';
import { transaction } from '../../platform/db/transaction';
import { deleteHooks, hookContent } from '../outbox/events';
import { enqueue } from '../outbox/outbox';
import type { Secrets } from '../../platform/secrets';
import { problems } from '../../platform/refused';

const MAX_HOOKS = 10;

type Row = Omit<Webhook, 'by'> & { by: string | null };
/** `madeBy`: the person. `now`: Unix seconds. */
type By = Doer & { madeBy: number; now: number };
type Settings = { url: string; events: TelegramEvent[] };

export const hookOwner = (userId: number): string => `webhook of user ${userId}`;
const toHook = ({ by, ...row }: Row): Webhook => ({ ...row, ...(by === null ? {} : { by }) });
const COLUMNS = `t.id, t.url, t.events, ${isoTime('t.stopped_at')} as stopped_at,
  ${isoTime('t.created_at')} as created_at, ${MAKER} as by`;

export async function hooksOf(db: Querier, userId: number): Promise<Webhook[]> {
  const rows = await rowsOf<Row>(db)`select ${raw(COLUMNS)} from webhook t where user_id = ${userId} order by id`;
  return rows.map(toHook);
}

/** The secret is shown this once. */
export function makeHook(
  pool: Pool,
  secrets: Secrets,
  by: By,
  { url, events }: Settings,
): Promise<Webhook & { secret: string }> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return transaction(pool, async (client) => {
    await client.query(sql`select from app_user where id = ${by.actorId} for update`);
    const row = await firstRow<Row>(client)`
      insert into webhook as t (user_id, made_by, url, secret, events)
      select ${by.actorId}::int, ${by.madeBy}::int, ${url}, ${secrets.seal(secret, hookOwner(by.actorId))},
         ${events}::text[]
      where (select count(*) from webhook where user_id = ${by.actorId}) < ${MAX_HOOKS}
      returning ${raw(COLUMNS)}`;
    if (!row) throw problems.conflict('too_many_webhooks', `At most ${MAX_HOOKS}.`);
    await writeAudit(client, by, 'webhook.create', String(row.id), { after: { url, events } });
    return { ...toHook(row), secret };
  });
}

/** One that was stopped starts again. */
export function changeHook(pool: Pool, by: By, id: number, { url, events }: Settings): Promise<Webhook> {
  return transaction(pool, async (client) => {
    const before = await firstRow<Row>(client)`
      select ${raw(COLUMNS)} from webhook t where id = ${id} and user_id = ${by.actorId} for update`;
    if (!before) throw problems.notFound();
    const after = await oneRow<Row>(client)`
      update webhook t set url = ${url}, events = ${events}, stopped_at = null, made_by = ${by.madeBy} where id = ${id}
      returning ${raw(COLUMNS)}`;
    await writeAudit(client, by, 'webhook.change', String(id), {
      before: { url: before.url, events: before.events },
      after: { url, events },
    });
    return toHook(after);
  });
}

/** Returns whether it was the user's. */
export function removeHook(pool: Pool, by: By, id: number): Promise<boolean> {
  return transaction(pool, async (client) => {
    if (!(await deleteHooks(client, by.actorId, id))) return false;
    await writeAudit(client, by, 'webhook.delete', String(id));
    return true;
  });
}

const isOwn = (db: Querier, userId: number, id: number, madeBy: number | null = null): Promise<boolean> =>
  hasRow(db)`
    select from webhook where id = ${id} and user_id = ${userId} and (${madeBy}::int is null or made_by = ${madeBy})`;

/** Returns whether it is the user's. */
export async function testHook(pool: Pool, { actorId: userId, now }: By, id: number): Promise<boolean> {
  if (!(await isOwn(pool, userId, id))) return false;
  const dedupe = `test ${randomBytes(8).toString('hex')}`;
  const content = hookContent({ kind: 'test', values: {} }, now);
  await enqueue(pool, [{ channel: 'webhook', target: String(id), dedupe, content }], now);
  return true;
}

/** Newest first; null when the webhook is not the user's, or was made by another than the person `madeBy`. */
export async function deliveriesOf(
  db: Querier,
  userId: number,
  id: number,
  madeBy: number | null = null,
): Promise<WebhookDelivery[] | null> {
  if (!(await isOwn(db, userId, id, madeBy))) return null;
  return rowsOf<WebhookDelivery>(db)`
    select 'msg_' || id as id, status as state, attempts, content as request, answer, error,
      ${raw(isoTime('created_at'))} as created_at,
      case when status = 'waiting' then ${raw(isoTime('next_at'))} end as next_at
    from outbox where channel = 'webhook' and target = ${String(id)} order by outbox.id desc
    limit ${raw(LIST_LIMITS.webhookDeliveries)}`;
}

/** Header `webhook-id`, the same at each try: receivers know by it what came twice. */
export const messageId = (id: number): string => `msg_${id}`;
