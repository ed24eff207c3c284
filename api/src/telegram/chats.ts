/** What the bot's commands read and change for a chat. */
import type { Pool, PoolClient } from 'pg';
import { writeAudit } from '../accounts/audit';
import { OFFLINE_AFTER_S } from '@pool/shared/domain';
import { transaction } from '../db/transaction';
import type { Querier } from '../db/querier';
import type { Language } from '@pool/shared/i18n/languages';
import { say } from './texts';

export async function chatLanguage(db: Querier, chatId: number): Promise<Language | null> {
  const {
    rows: [row],
  } = await db.query<{ language: Language }>(
    'select language from telegram_connection where chat_id = $1 order by id desc limit 1',
    [chatId],
  );
  return row?.language ?? null;
}

const FROM = { linked: 'blocked', blocked: 'linked' } as const;

async function changeStatus(client: PoolClient, chatId: number, to: 'linked' | 'blocked'): Promise<boolean> {
  const { rows } = await client.query<{ id: number; user_id: number }>(
    'update telegram_connection set status = $2 where chat_id = $1 and status = $3 returning id, user_id',
    [chatId, to, FROM[to]],
  );
  for (const { id, user_id: userId } of rows) {
    const action = to === 'blocked' ? 'telegram.stop' : 'telegram.resume';
    const facts = { before: { status: FROM[to] }, after: { status: to } };
    await writeAudit(client, { actorId: userId, ip: null }, action, String(id), facts);
  }
  return rows.length > 0;
}

/** Stops or resumes messages to the chat; returns whether anything changed. */
export const setChat = (pool: Pool, chatId: number, to: 'linked' | 'blocked'): Promise<boolean> =>
  transaction(pool, (client) => changeStatus(client, chatId, to));

/** One line for each sub-account the chat is subscribed to; null without any. */
export async function chatStatus(db: Querier, chatId: number, language: Language, now: number): Promise<string | null> {
  const { rows } = await db.query<{ account: string; online: number; offline: number }>(
    `select s.name as account,
       count(*) filter (where l.last_share_at > to_timestamp($2::float8 - ${OFFLINE_AFTER_S})) as online,
       count(*) filter (where l.last_share_at <= to_timestamp($2::float8 - ${OFFLINE_AFTER_S})
         and l.last_share_at > to_timestamp($2::float8 - 86400)) as offline
     from telegram_connection c
       join sub_account s on s.user_id = c.user_id and s.deleted_at is null
         and (c.sub_account_ids = '{}' or s.id = any(c.sub_account_ids))
       left join worker w on w.sub_account_id = s.id
       left join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
     where c.chat_id = $1 and c.status = 'linked'
     group by s.id
     order by s.id
     limit 50`,
    [chatId, now],
  );
  return rows.length
    ? rows.map(({ account, online, offline }) => say(language, 'status.line', { account, online, offline })).join('\n')
    : null;
}
