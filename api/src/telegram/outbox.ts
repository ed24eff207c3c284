/**
 * Queued messages in the database: they survive a restart and are sent in order per chat, at least once. A message that
 * was being sent when the server died is sent again after its lease ends. A chat never gets the same `dedupe` key
 * twice.
 */
import type { Pool } from 'pg';
import type { Querier } from '../db/querier';

export type Message = { chatId: number; connectionId: number | null; dedupe: string; text: string };
export type Due = { id: number; chatId: number; connectionId: number | null; text: string; attempts: number };

/** How long a taken message is reserved for its sender; longer than the timeout of a Bot API call. */
const LEASE_S = 60;
/** Messages that waited longer are not sent. */
const TOO_OLD_S = 86_400;
const KEPT_S = 7 * 86_400;

/** Queues messages in the caller's transaction. `now`: Unix seconds. */
export async function enqueue(db: Querier, messages: readonly Message[], now: number): Promise<void> {
  if (messages.length === 0) return;
  await db.query(
    `insert into telegram_outbox (chat_id, connection_id, dedupe, text, next_at, created_at)
     select u.chat, u.connection, u.dedupe, u.text, to_timestamp($5::float8), to_timestamp($5::float8)
     from unnest($1::bigint[], $2::int[], $3::text[], $4::text[])
       with ordinality as u(chat, connection, dedupe, text, n)
     order by u.n
     on conflict do nothing`,
    [
      messages.map((m) => m.chatId),
      messages.map((m) => m.connectionId),
      messages.map((m) => m.dedupe),
      messages.map((m) => m.text),
      now,
    ],
  );
}

/**
 * Takes the first due message of each chat, at most `limit`, skipping chats that got one within `gapS` seconds. The
 * messages are reserved until the lease ends.
 */
export async function takeDue(
  pool: Pool,
  { limit, gapS }: { limit: number; gapS: number },
  now: number,
): Promise<Due[]> {
  const { rows } = await pool.query<Due>(
    `update telegram_outbox o set attempts = o.attempts + 1, next_at = to_timestamp($1::float8 + ${LEASE_S})
     from (
       select id from (
         select distinct on (chat_id) id, chat_id, next_at
         from telegram_outbox where status = 'waiting' order by chat_id, id
       ) first
       where next_at <= to_timestamp($1::float8)
         and not exists (
           select from telegram_outbox s
           where s.chat_id = first.chat_id and s.sent_at > to_timestamp($1::float8 - $3::float8)
         )
       order by id
       limit $2
     ) due
     where o.id = due.id and o.status = 'waiting' and o.next_at <= to_timestamp($1::float8)
     returning o.id, o.chat_id as "chatId", o.connection_id as "connectionId", o.text, o.attempts`,
    [now, limit, gapS],
  );
  return rows.sort((a, b) => a.id - b.id);
}

export const sent = (pool: Pool, id: number, now: number): Promise<unknown> =>
  pool.query(
    "update telegram_outbox set status = 'sent', sent_at = to_timestamp($2::float8), error = null where id = $1",
    [id, now],
  );

export const tryLater = (pool: Pool, id: number, error: string, at: number): Promise<unknown> =>
  pool.query('update telegram_outbox set next_at = to_timestamp($2::float8), error = $3 where id = $1', [
    id,
    at,
    error,
  ]);

export const failed = (pool: Pool, id: number, error: string): Promise<unknown> =>
  pool.query("update telegram_outbox set status = 'failed', error = $2 where id = $1", [id, error]);

/** The chat refuses the bot: its connections are blocked and its queued messages fail. */
export async function blocked(pool: Pool, chatId: number, error: string): Promise<void> {
  await pool.query("update telegram_connection set status = 'blocked' where chat_id = $1 and status = 'linked'", [
    chatId,
  ]);
  await pool.query(
    "update telegram_outbox set status = 'failed', error = $2 where chat_id = $1 and status = 'waiting'",
    [chatId, error],
  );
}

/** Seconds until the next message is due; null when none is queued. */
export async function nextDue(pool: Pool, now: number): Promise<number | null> {
  const {
    rows: [row],
  } = await pool.query<{ wait: number | null }>(
    `select extract(epoch from min(next_at))::float8 - $1::float8 as wait from (
       select distinct on (chat_id) next_at from telegram_outbox where status = 'waiting' order by chat_id, id
     ) first`,
    [now],
  );
  return row?.wait ?? null;
}

export async function cleanOutbox(pool: Pool, now: number): Promise<void> {
  await pool.query(
    `update telegram_outbox set status = 'failed', error = 'too old'
     where status = 'waiting' and created_at < to_timestamp($1::float8 - ${TOO_OLD_S})`,
    [now],
  );
  await pool.query(
    `delete from telegram_outbox where status <> 'waiting' and created_at < to_timestamp($1::float8 - ${KEPT_S})`,
    [now],
  );
  await pool.query(
    "delete from telegram_connection where status = 'pending' and expires_at < to_timestamp($1::float8 - 86400)",
    [now],
  );
}
