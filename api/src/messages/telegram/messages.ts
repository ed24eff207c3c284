/** Messages to chats, in the outbox. */
import type { Pool } from 'pg';
import { writeNotes } from '../notifications';
import { rowsOf, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { type Message, refused } from '../outbox/outbox';

/** `connectionId`: the connection with whose end it goes too. */
export const toChat = (
  chatId: number,
  dedupe: string,
  content: string,
  connectionId: number | null = null,
): Message => ({
  ...{ channel: 'telegram', target: String(chatId), connectionId, dedupe, content },
});

/** The chat refuses the bot: its connections are blocked, their owners told, and its queued messages fail. */
export const blocked = (pool: Pool, chatId: number, error: string): Promise<void> =>
  transaction(pool, async (client) => {
    const rows = await rowsOf<{ userId: number; name: string }>(client)`
      update telegram_connection set status = 'blocked' where chat_id = ${chatId} and status = 'linked'
      returning user_id, coalesce(username, chat_id::text) as name`;
    await refused(client, 'telegram', String(chatId), error);
    const notes = rows.map(({ userId, name }) => ({ userId, kind: 'telegram_refused', values: { name } }));
    await writeNotes(client, notes, Date.now() / 1000);
  });

/** A group became a supergroup, which has another id: its connections and what waits for it follow. */
export const moveChat = (pool: Pool, from: number, to: number): Promise<void> =>
  transaction(pool, async (client) => {
    await client.query(sql`update telegram_connection c set chat_id = ${to}
      where chat_id = ${from}
        and not exists (select from telegram_connection o where o.user_id = c.user_id and o.chat_id = ${to})`);
    await client.query(sql`
      update outbox set target = ${String(to)} where channel = 'telegram' and target = ${String(from)}
        and status = 'waiting'`);
  });

export const deleteExpiredLinks = (pool: Pool, now: number): Promise<unknown> =>
  pool.query(sql`
    delete from telegram_connection where status = 'pending' and expires_at < to_timestamp(${now}::float8 - 86400)`);
