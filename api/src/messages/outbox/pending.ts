/**
 * Notifications that are still to be made into messages, of all users who take messages now: in their quiet hours only
 * what concerns security is sent, and what is as large as they said, the rest together at their end.
 * Many alerts are one message that counts them.
 */
import type { PoolClient } from 'pg';
import type { Language } from '@pool/shared/i18n/languages';
import { READABLE } from '../for-member';
import { eventOf, URGENT } from './events';
import { eventText, noteText, type Texts, type Values } from './texts';
import { raw, rowsOf, sql } from '../../platform/db/querier';

/** Notifications handled in one transaction. */
const BATCH = 20_000;
/** Older notifications are not sent: there was no channel when they were made. */
const TOO_OLD_S = 86_400;
/** More alerts than these for one receiver at once are only counted. */
const MAX_TOLD = 20;

/** The marks of the channels that make messages of notifications. */
type Mark = 'forwarded_at' | 'mailed_at' | 'pushed_at';
/** `created`: Unix seconds. `fresh`: not too old to be sent, and still its user's to read. */
export type Pending = {
  id: number;
  userId: number;
  kind: string;
  values: Values;
  fresh: boolean;
  created: number;
  /** Ids of the user's own sub-accounts that it is about; null: of all, or of another's. */
  accounts: number[] | null;
};
type Quiet = { userId: number; quietFrom: number; quietTo: number; timeZone: string };

/** Whether `now` (Unix seconds) is between the two minutes of the day, which may go past midnight. */
export function isQuiet({ quietFrom: from, quietTo: to, timeZone }: Omit<Quiet, 'userId'>, now: number) {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const [hour = 0, minute = 0] = clock
    .format(now * 1000)
    .split(':')
    .map(Number);
  const at = hour * 60 + minute;
  return from <= to ? at >= from && at < to : at >= from || at < to;
}

/** SQL: an event `n` that its reader hears of in quiet hours too. */
const LOUD = `exists (
  select from alert_setting q
  where q.user_id = n.user_id and ((n.values ->> 'off')::float8 >= q.loud_workers
    or (n.values ->> 'percent')::float8 >= q.loud_percent or (n.values ->> 'hs')::float8 >= q.loud_hashrate))`;

/** `held`: users who get no alert now, for a reason of the channel. */
export async function pendingNotes(
  client: PoolClient,
  mark: Mark,
  now: number,
  held: number[] = [],
): Promise<Pending[]> {
  const quiet = await rowsOf<Quiet>(client)`select user_id, quiet_from, quiet_to, time_zone from alert_setting
    where quiet_from is not null and user_id in (select user_id from notification where ${raw(mark)} is null)`;
  const rows = await rowsOf<Pending>(
    client,
    `select n.id, n.user_id, n.kind, n.values,
       n.created_at > to_timestamp($1::float8 - ${TOO_OLD_S}) and ${READABLE} as fresh,
       extract(epoch from n.created_at)::float8 as created,
       case when coalesce(n.owner_id, n.user_id) = n.user_id then n.accounts end as accounts
     from notification n
     where n.${mark} is null and (n.kind ~ $3
       or n.user_id <> all($2::int[]) and (n.user_id <> all($4::int[]) or ${LOUD}))
     order by n.id limit ${BATCH} for update of n skip locked`,
    [now, held, URGENT.source, quiet.filter((each) => isQuiet(each, now)).map((each) => each.userId)],
  );
  return rows;
}

export const markDone = (client: PoolClient, mark: Mark, notes: readonly Pending[], now: number): Promise<unknown> =>
  client.query(sql`
    update notification set ${raw(mark)} = to_timestamp(${now}::float8)
    where id = any(${notes.map(({ id }) => id)}::int[])`);

/** What one receiver is told of these: each in its words, or too many alerts as the number of each kind. */
export function told(
  say: Texts['say'],
  language: Language,
  notes: readonly Pending[],
): { id: number; words: string }[] {
  const alerts = notes.filter(({ kind }) => !URGENT.test(kind));
  const [first] = alerts;
  if (!first || alerts.length <= MAX_TOLD)
    return notes.map((note) => ({ id: note.id, words: noteText(say, language, note) }));
  const counts = new Map<string, number>();
  for (const { kind } of alerts) {
    const event = eventOf(kind) ?? '';
    counts.set(event, (counts.get(event) ?? 0) + 1);
  }
  const lines = [...counts].map(([event, count]) => `${eventText(say, language, event)}: ${count}`);
  return [
    ...told(
      say,
      language,
      notes.filter(({ kind }) => URGENT.test(kind)),
    ),
    { id: first.id, words: [say(language, 'alerts.subject', { count: alerts.length }), ...lines].join('\n') },
  ];
}
