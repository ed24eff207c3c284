/** Turns new notifications into Telegram messages once: messages and mark are one transaction. */
import type { Pool } from 'pg';
import { transaction } from '../../platform/db/transaction';
import { enqueue, type Message } from '../outbox/outbox';
import { toChat } from './messages';
import type { Language } from '@pool/shared/i18n/languages';
import { eventOf } from '../outbox/events';
import { markDone, type Pending, pendingNotes, told } from '../outbox/pending';
import { knows, say } from './texts';
import { rowsOf } from '../../platform/db/querier';

/** Characters in one message; Telegram accepts 4096. */
const MAX_LENGTH = 3500;
type Connection = {
  id: number;
  userId: number;
  chatId: number;
  language: Language;
  subAccountIds: number[];
  events: string[];
  linked: number;
};

function wants(connection: Connection, row: Pending): boolean {
  const event = eventOf(row.kind);
  if (event === null || connection.userId !== row.userId || connection.linked >= row.created) return false;
  if (event !== 'always' && !connection.events.includes(event)) return false;
  return (
    connection.subAccountIds.length === 0 ||
    row.accounts === null ||
    row.accounts.some((id) => connection.subAccountIds.includes(id))
  );
}

/** Notifications of one run are joined into one message, as far as they fit. */
function messagesFor(connection: Connection, rows: readonly Pending[]): Message[] {
  const messages: Message[] = [];
  const wanted = rows.filter((row) => wants(connection, row));
  for (const { id, words } of told(say, connection.language, wanted)) {
    const last = messages.at(-1);
    if (last && last.content.length + words.length < MAX_LENGTH) last.content += `\n\n${words}`;
    else messages.push(toChat(connection.chatId, `note ${id} ${connection.id}`, words, connection.id));
  }
  return messages;
}

/** Returns how many notifications it handled. `now`: Unix seconds. */
export function forward(pool: Pool, now: number): Promise<number> {
  return transaction(pool, async (client) => {
    const rows = await pendingNotes(client, 'forwarded_at', now);
    if (rows.length === 0) return 0;
    const connections = await rowsOf<Connection>(client)`
      select id, user_id, chat_id, language, sub_account_ids, events, extract(epoch from linked_at)::float8 as linked
      from telegram_connection where status = 'linked'
        and user_id = any(${[...new Set(rows.map((row) => row.userId))]}::int[]) order by id`;
    const fresh = rows.filter((row) => row.fresh && knows(`notification.${row.kind}`));
    await enqueue(
      client,
      connections.flatMap((connection) => messagesFor(connection, fresh)),
      now,
    );
    await markDone(client, 'forwarded_at', rows, now);
    return rows.length;
  });
}
