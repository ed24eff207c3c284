/**
 * Turns new notifications into Telegram messages, once: the messages and the mark on the notification are one
 * transaction.
 */
import type { Pool } from 'pg';
import { transaction } from '../db/transaction';
import { enqueue, type Message } from './messages';
import type { Language } from '@pool/shared/i18n/languages';
import { eventOf } from '../outbox/events';
import { noteText, type Values } from '../outbox/texts';
import { knows, say } from './texts';

/** Notifications handled in one transaction. */
const BATCH = 500;
/** Characters in one message; Telegram accepts 4096. */
const MAX_LENGTH = 3500;
/** Older notifications are not sent: there was no bot when they were made. */
const TOO_OLD_S = 86_400;

type Row = {
  id: number;
  user_id: number;
  kind: string;
  values: Values;
  fresh: boolean;
  created: number;
  sub_account_id: number | null;
};
type Connection = {
  id: number;
  user_id: number;
  chat_id: number;
  language: Language;
  sub_account_ids: number[];
  events: string[];
  linked: number;
};

function wants(connection: Connection, row: Row): boolean {
  const event = eventOf(row.kind);
  if (event === null || connection.user_id !== row.user_id || connection.linked >= row.created) return false;
  if (event !== 'always' && !connection.events.includes(event)) return false;
  return (
    connection.sub_account_ids.length === 0 ||
    row.sub_account_id === null ||
    connection.sub_account_ids.includes(row.sub_account_id)
  );
}

/** Notifications of one run are joined into one message, as far as they fit. */
function messagesFor(connection: Connection, rows: readonly Row[]): Message[] {
  const messages: Message[] = [];
  for (const row of rows) {
    if (!wants(connection, row)) continue;
    const words = noteText(say, connection.language, row);
    const last = messages.at(-1);
    if (last && last.text.length + words.length < MAX_LENGTH) last.text += `\n\n${words}`;
    else {
      messages.push({
        chatId: connection.chat_id,
        connectionId: connection.id,
        dedupe: `note ${row.id} ${connection.id}`,
        text: words,
      });
    }
  }
  return messages;
}

/** Returns how many notifications it handled. `now`: Unix seconds. */
export function forward(pool: Pool, now: number): Promise<number> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<Row>(
      `select n.id, n.user_id, n.kind, n.values, n.created_at > to_timestamp($1::float8 - ${TOO_OLD_S}) as fresh,
         extract(epoch from n.created_at)::float8 as created,
         (
           select s.id from sub_account s where s.name = n.values->>'account' and s.user_id = n.user_id
         ) as sub_account_id
       from notification n where n.forwarded_at is null order by n.id limit ${BATCH} for update of n skip locked`,
      [now],
    );
    if (rows.length === 0) return 0;
    const { rows: connections } = await client.query<Connection>(
      `select id, user_id, chat_id, language, sub_account_ids, events, extract(epoch from linked_at)::float8 as linked
       from telegram_connection where status = 'linked' and user_id = any($1::int[]) order by id`,
      [[...new Set(rows.map((row) => row.user_id))]],
    );
    const told = rows.filter((row) => row.fresh && knows(`notification.${row.kind}`));
    await enqueue(
      client,
      connections.flatMap((connection) => messagesFor(connection, told)),
      now,
    );
    await client.query('update notification set forwarded_at = to_timestamp($2::float8) where id = any($1::int[])', [
      rows.map((row) => row.id),
      now,
    ]);
    return rows.length;
  });
}
