/** Connections of users to Telegram chats (links.ts makes them): listed, changed, tested, ended. */
import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { TelegramConnection, TelegramEvent, TelegramSettings } from '@pool/shared/api/contract';
import { transaction } from '../../platform/db/transaction';
import { type Doer, writeAudit } from '../../platform/audit';
import { firstRow, oneRow, oneValue, type Querier, rowsOf, sql } from '../../platform/db/querier';
import { enqueue } from '../outbox/outbox';
import { toChat } from './messages';
import type { Language } from '@pool/shared/i18n/languages';
import { say } from './texts';
import { found, problems, type Refused } from '../../platform/refused';

export type Row = {
  id: number;
  userId: number;
  chatId: number | null;
  username: string | null;
  language: Language;
  status: TelegramConnection['status'];
  subAccountIds: number[];
  events: TelegramEvent[];
  linkedAt: Date | null;
  expiresAt: Date;
};
/** `sessionId`: the caller's. `now`: Unix seconds. */
export type By = Doer & { sessionId: string; now: number };

export const toConnection = ({ id, status, linkedAt, ...row }: Row): TelegramConnection => ({
  ...{ id, status, ...facts(row), linkedAt: linkedAt?.toISOString() ?? null },
});

type Facts = Pick<Row, 'chatId' | 'username' | 'language' | 'events' | 'subAccountIds'>;
export const facts = ({ chatId, username, language, events, subAccountIds }: Facts): Facts => {
  return { chatId, username, language, events, subAccountIds };
};

/** Linked and blocked connections, and the pending link if it has not expired. */
export async function connectionsOf(db: Querier, userId: number, now: number): Promise<TelegramConnection[]> {
  const rows = await rowsOf<Row>(db)`select * from telegram_connection
    where user_id = ${userId} and (status <> 'pending' or expires_at > to_timestamp(${now}::float8)) order by id`;
  return rows.map(toConnection);
}

export async function areOwn(db: Querier, userId: number, ids: readonly number[] | undefined): Promise<boolean> {
  if (!ids?.length) return true;
  const own = await oneValue<number>(db)`
    select count(*) from sub_account where id = any(${ids}::int[]) and user_id = ${userId}
      and deleted_at is null`;
  return own === new Set(ids).size;
}

async function own(client: PoolClient, id: number, userId: number): Promise<Row> {
  const row = await firstRow<Row>(client)`
    select * from telegram_connection where id = ${id} and user_id = ${userId} for update`;
  return found(row);
}

/** Changes of one minute, each tick of the page is one, are told once. */
const TELL_EVERY_S = 60;

/** The chat is told when its subscriptions change, so that nobody silences it unnoticed. */
export function changeConnection(
  pool: Pool,
  id: number,
  by: By,
  { language, events, subAccountIds }: TelegramSettings,
): Promise<TelegramConnection> {
  return transaction(pool, async (client) => {
    const before = await own(client, id, by.actorId);
    if (!(await areOwn(client, by.actorId, subAccountIds))) throw problems.notFound();
    const after = await oneRow<Row>(client)`
      update telegram_connection
      set language = ${language ?? before.language}, events = ${[...new Set(events ?? before.events)]},
        sub_account_ids = ${[...new Set(subAccountIds ?? before.subAccountIds)]} where id = ${id} returning *`;
    await writeAudit(client, by, 'telegram.change', String(id), {
      before: facts(before),
      after: facts(after),
    });
    const subscriptions = ({ events: list, subAccountIds: ids }: Row): string =>
      JSON.stringify([[...list].sort(), [...ids].sort((a, b) => a - b)]);
    if (after.status === 'linked' && after.chatId !== null && subscriptions(before) !== subscriptions(after)) {
      const dedupe = `changed ${id} ${Math.floor(by.now / TELL_EVERY_S)}`;
      await enqueue(client, [toChat(after.chatId, dedupe, say(after.language, 'bot.changed'), id)], by.now);
    }
    return toConnection(after);
  });
}

/** Ends a connection and tells the chat. `name`: the user's name. */
export function removeConnection(pool: Pool, id: number, by: By, name: string): Promise<void> {
  return transaction(pool, async (client) => {
    const row = await own(client, id, by.actorId);
    await client.query(sql`delete from telegram_connection where id = ${id}`);
    await writeAudit(client, by, 'telegram.delete', String(id), { before: facts(row) });
    if (row.status === 'linked' && row.chatId !== null)
      await enqueue(
        client,
        [toChat(row.chatId, `unlinked ${id}`, say(row.language, 'bot.unlinked', { name }))],
        by.now,
      );
  });
}

export const botOff = (): Refused => problems.conflict('telegram_off', 'This pool has no Telegram bot.');

/** Queues a test message. `hasBot`: false refuses. */
export function sendTest(pool: Pool, id: number, by: By, hasBot: boolean): Promise<void> {
  return transaction(pool, async (client) => {
    const row = await own(client, id, by.actorId);
    if (row.status !== 'linked' || row.chatId === null)
      throw problems.conflict('telegram_not_linked', 'This chat is not linked, or has stopped the bot.');
    if (!hasBot) throw botOff();
    const dedupe = `test ${id} ${randomBytes(8).toString('hex')}`;
    await enqueue(client, [toChat(row.chatId, dedupe, say(row.language, 'bot.test'), id)], by.now);
    await writeAudit(client, by, 'telegram.test', String(id));
  });
}
