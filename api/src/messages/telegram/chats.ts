/** What the bot's commands read and change for a chat. */
import type { Pool } from 'pg';
import { writeAudit } from '../../platform/audit';
import { writeNotes, type Note } from '../notifications';
import { OFFLINE_AFTER_S } from '@pool/shared/domain';
import { transaction } from '../../platform/db/transaction';
import { hasRow, type Querier, rowsOf, valueOf } from '../../platform/db/querier';
import type { Language } from '@pool/shared/i18n/languages';
import { say } from './texts';
import { isSilent } from '../../platform/offline';

export async function chatLanguage(db: Querier, chatId: number): Promise<Language | null> {
  const language = await valueOf<Language>(db)`
    select language from telegram_connection where chat_id = ${chatId} order by id desc limit 1`;
  return language ?? null;
}

const FROM = { linked: 'blocked', blocked: 'linked' } as const;

type Change = { to: 'linked' | 'blocked'; by: number | null; isGroup: boolean; now: number };

/** Stops or resumes messages to the chat. `by`: links that this person opened; null: all. Returns if any changed. */
export const setChat = (pool: Pool, chatId: number, { to, by, isGroup, now }: Change): Promise<boolean> =>
  transaction(pool, async (client) => {
    const rows = await rowsOf<{ id: number; userId: number; username: string | null }>(client)`
      update telegram_connection set status = ${to}
      where chat_id = ${chatId} and status = ${FROM[to]} and (${by}::bigint is null or linked_by = ${by})
      returning id, user_id, username`;
    const notes: Note[] = [];
    for (const { id, userId, username } of rows) {
      // Another member of the group may have stopped it, so the owner is told.
      if (isGroup && to === 'blocked')
        notes.push({ userId, kind: 'telegram_stopped', values: { name: username ?? '?' } });
      const action = to === 'blocked' ? 'telegram.stop' : 'telegram.resume';
      const facts = { before: { status: FROM[to] }, after: { status: to } };
      await writeAudit(client, { actorId: userId, ip: null }, action, String(id), facts);
    }
    await writeNotes(client, notes, now);
    return rows.length > 0;
  });

export async function hasLinked(db: Querier, chatId: number, by: number): Promise<boolean> {
  return hasRow(db)`
    select from telegram_connection where chat_id = ${chatId} and linked_by = ${by} limit 1`;
}

/** One line for each sub-account the chat is subscribed to, `by` as in `setChat`; null without any. */
export async function chatStatus(
  db: Querier,
  chatId: number,
  by: number | null,
  language: Language,
  now: number,
): Promise<string | null> {
  const rows = await rowsOf<{ account: string; online: number; offline: number }>(
    db,
    `select s.name as account,
       count(*) filter (where not ${isSilent(`$2::float8 - ${OFFLINE_AFTER_S}`)}) as online,
       count(*) filter (where ${isSilent(`$2::float8 - ${OFFLINE_AFTER_S}`)}
         and l.last_share_at > to_timestamp($2::float8 - 86400)) as offline
     from telegram_connection c
       join sub_account s on s.user_id = c.user_id and s.deleted_at is null
         and (c.sub_account_ids = '{}' or s.id = any(c.sub_account_ids))
       left join worker w on w.sub_account_id = s.id
       left join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
     where c.chat_id = $1 and c.status = 'linked' and ($3::bigint is null or c.linked_by = $3)
     group by s.id, s.name
     order by s.id
     limit 50`,
    [chatId, now, by],
  );
  return rows.length
    ? rows
        .map(({ account, online, offline }) => say(language, 'bot.status.line', { account, online, offline }))
        .join('\n')
    : null;
}
