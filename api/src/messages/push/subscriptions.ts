/** Browsers that show a user's notifications. */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { PushSettings, PushSubscription, TelegramEvent } from '@pool/shared/api/contract';
import { type Doer, writeAudit } from '../../platform/audit';
import { hasRow, oneRow, type Querier, raw, rowsOf, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';

/** The oldest goes when there is one more. */
const MAX_BROWSERS = 20;

type Row = { id: number; endpoint: string; events: TelegramEvent[] };
const toSubscription = ({ id, endpoint, events }: Row): PushSubscription => ({
  id,
  browser: createHash('sha256').update(endpoint).digest('base64url'),
  events,
});

export async function subscriptionsOf(db: Querier, userId: number): Promise<PushSubscription[]> {
  const rows = await rowsOf<Row>(db)`
    select id, endpoint, events from push_subscription where user_id = ${userId} order by id`;
  return rows.map(toSubscription);
}

/** One that is known, also another user's of the same browser, is changed. */
export function subscribe(pool: Pool, by: Doer, push: PushSettings): Promise<PushSubscription> {
  const { actorId: userId } = by;
  const { endpoint, p256dh, auth, language, events } = push;
  return transaction(pool, async (client) => {
    const row = await oneRow<Row>(client)`
      insert into push_subscription (user_id, endpoint, p256dh, auth, language, events)
      values (${userId}, ${endpoint}, ${p256dh}, ${auth}, ${language}, ${[...new Set(events)]})
      on conflict (endpoint) do update set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
        language = excluded.language, events = excluded.events
      returning id, endpoint, events`;
    await client.query(sql`delete from push_subscription where id in (
        select id from push_subscription where user_id = ${userId} order by id desc offset ${raw(MAX_BROWSERS)}
      )`);
    await writeAudit(client, by, 'push.set', String(row.id), { after: { events } });
    return toSubscription(row);
  });
}

/** Returns whether it was the user's. */
export function unsubscribe(pool: Pool, by: Doer, id: number): Promise<boolean> {
  return transaction(pool, async (client) => {
    const isOwn = await hasRow(client)`
      delete from push_subscription where id = ${id} and user_id = ${by.actorId} returning id`;
    if (isOwn) await writeAudit(client, by, 'push.delete', String(id));
    return isOwn;
  });
}
