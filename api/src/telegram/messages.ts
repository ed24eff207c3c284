/** Messages to chats, in the outbox. */
import type { Pool } from 'pg';
import type { Querier } from '../db/querier';
import { enqueue as queue, refused } from '../outbox/outbox';

export type Message = { chatId: number; connectionId: number | null; dedupe: string; text: string };

/** Queues messages in the caller's transaction. `now`: Unix seconds. */
export const enqueue = (db: Querier, messages: readonly Message[], now: number): Promise<void> =>
  queue(
    db,
    messages.map(({ chatId, text, ...rest }) => ({
      ...rest,
      channel: 'telegram',
      target: String(chatId),
      content: text,
    })),
    now,
  );

/** The chat refuses the bot: its connections are blocked and its queued messages fail. */
export async function blocked(pool: Pool, chatId: number, error: string): Promise<void> {
  await pool.query("update telegram_connection set status = 'blocked' where chat_id = $1 and status = 'linked'", [
    chatId,
  ]);
  await refused(pool, 'telegram', String(chatId), error);
}

/** Deletes links that nobody confirmed. */
export const deleteExpiredLinks = (pool: Pool, now: number): Promise<unknown> =>
  pool.query(
    "delete from telegram_connection where status = 'pending' and expires_at < to_timestamp($1::float8 - 86400)",
    [now],
  );
