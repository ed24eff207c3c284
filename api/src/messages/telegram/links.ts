/** Links between users and Telegram chats: a session makes a link, one chat opens it, the same session confirms it. */
import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { TelegramConnection, TelegramLinkState, TelegramSettings } from '@pool/shared/api/contract';
import { TELEGRAM_EVENTS } from '@pool/shared/domain';
import { writeAudit } from '../../platform/audit';
import { writeNotes } from '../notifications';
import { firstRow, oneRow, oneValue, type Querier, raw, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { areOwn, facts, toConnection, type By, type Row } from './connections';
import { enqueue } from '../outbox/outbox';
import { toChat } from './messages';
import { say } from './texts';
import { problems, Refused } from '../../platform/refused';

const LINK_LIFE_S = 600;
const MAX_CONNECTIONS = 10;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Makes a link, which replaces a pending one. The token is returned once; only its hash is stored. */
export function makeLink(
  pool: Pool,
  by: By,
  { language = 'en', events = [...TELEGRAM_EVENTS], subAccountIds = [] }: TelegramSettings,
): Promise<{ id: number; token: string; expiresAt: Date }> {
  return transaction(pool, async (client) => {
    await client.query(sql`select from app_user where id = ${by.actorId} for update`);
    if (!(await areOwn(client, by.actorId, subAccountIds))) throw problems.notFound();
    await client.query(sql`delete from telegram_connection where user_id = ${by.actorId} and status = 'pending'`);
    const known = await oneValue<number>(client)`
      select count(*) from telegram_connection where user_id = ${by.actorId}`;
    if (known >= MAX_CONNECTIONS) throw problems.conflict('too_many_connections', `At most ${MAX_CONNECTIONS} chats.`);
    const token = randomBytes(24).toString('base64url');
    const expiresAt = new Date((by.now + LINK_LIFE_S) * 1000);
    const row = await oneRow<Row>(client)`insert into telegram_connection
        (user_id, language, events, sub_account_ids, token_hash, session_id, expires_at, created_at)
      values (${by.actorId}, ${language}, ${[...new Set(events)]}, ${[...new Set(subAccountIds)]}, ${hashOf(token)},
        ${by.sessionId}, ${expiresAt}, to_timestamp(${by.now}::float8))
      returning *`;
    await writeAudit(client, by, 'telegram.create', String(row.id), {
      after: { language, events, subAccountIds, expiresAt },
    });
    return { id: row.id, token, expiresAt };
  });
}

/** `/start <token>` in a chat. False: the link is invalid, expired or opened by another chat before. */
export async function openLink(
  db: Querier,
  token: string,
  chat: { id: number; username: string | null; by: number | null },
  now: number,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update telegram_connection set chat_id = ${chat.id}, username = ${chat.username}, linked_by = ${chat.by}
    where token_hash = ${hashOf(token)} and status = 'pending' and expires_at > to_timestamp(${now}::float8)
      and (chat_id is null or chat_id = ${chat.id})`);
  return rowCount === 1;
}

/** The link if this session made it, else undefined. `lock`: locks the row for a change. */
async function ownLink(
  db: Querier,
  token: string,
  { actorId: userId, sessionId }: By,
  lock = false,
): Promise<Row | undefined> {
  const row = await firstRow<Row>(db)`select * from telegram_connection
    where token_hash = ${hashOf(token)} and user_id = ${userId}
      and session_id = ${sessionId} ${raw(lock ? 'for update' : '')}`;
  return row;
}

const expired = (): Refused =>
  new Refused(410, 'telegram_link_expired', { detail: 'The link has expired. Make a new one.' });
const isExpired = (row: Row, now: number): boolean => row.status === 'pending' && row.expiresAt.getTime() <= now * 1000;

/** Null: no link of this session. */
export async function linkState(db: Querier, token: string, by: By): Promise<TelegramLinkState | null> {
  const row = await ownLink(db, token, by);
  if (!row) return null;
  if (isExpired(row, by.now)) throw expired();
  return {
    state: row.status !== 'pending' ? 'linked' : row.chatId === null ? 'waiting' : 'started',
    username: row.username,
    expiresAt: row.expiresAt.toISOString(),
  };
}

/**
 * Confirms the chat that opened the link. Works once, and replaces an older connection of the user with that chat.
 * Null: no link of this session.
 */
export function confirmLink(pool: Pool, token: string, by: By): Promise<TelegramConnection | null> {
  return transaction(pool, async (client) => {
    const row = await ownLink(client, token, by, true);
    if (!row) return null;
    if (row.status !== 'pending')
      throw new Refused(410, 'telegram_link_used', { detail: 'The link was used. Make a new one.' });
    if (isExpired(row, by.now)) throw expired();
    if (row.chatId === null) throw problems.conflict('telegram_not_started', 'Open the link in Telegram first.');
    await client.query(sql`
      delete from telegram_connection where user_id = ${by.actorId} and chat_id = ${row.chatId}
        and status <> 'pending'`);
    const linked = await oneRow<Row>(client)`
      update telegram_connection set status = 'linked', linked_at = to_timestamp(${by.now}::float8)
      where id = ${row.id} returning *`;
    await writeAudit(client, by, 'telegram.link', String(row.id), { after: facts(linked) });
    const message = toChat(row.chatId, `linked ${row.id}`, say(row.language, 'bot.linked'), row.id);
    await enqueue(client, [message], by.now);
    // Sent on the other channels too, so that a user learns of a link somebody else made.
    const values = { name: row.username ?? String(row.chatId) };
    await writeNotes(client, [{ userId: by.actorId, kind: 'telegram_linked', values }], by.now);
    return toConnection(linked);
  });
}
