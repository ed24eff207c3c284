/** Turns new notifications into mails, for who chose that: one mail for all of a user, at most one in ten minutes. */
import type { Pool } from 'pg';
import type { Language } from '@pool/shared/i18n/languages';
import { transaction } from '../../platform/db/transaction';
import { eventOf, URGENT } from '../outbox/events';
import { enqueue } from '../outbox/outbox';
import { markDone, pendingNotes } from '../outbox/pending';
import { writeAlerts } from './mail';
import { raw, rowsOf } from '../../platform/db/querier';

const BETWEEN_S = 600;
type Reader = { userId: number; email: string; language: Language | null; events: string[] };

/** Returns how many notifications it handled. `now`: Unix seconds. */
export function mailAlerts(pool: Pool, now: number): Promise<number> {
  return transaction(pool, async (client) => {
    const readers = await rowsOf<Reader & { recent: boolean }>(client)`
      select a.id as user_id, i.email, i.language, s.mail_events as events, exists (
        select from outbox o
        where o.channel = 'mail' and o.target = i.email and starts_with(o.dedupe, 'alerts ')
          and o.created_at > to_timestamp(${now}::float8 - ${raw(BETWEEN_S)})
      ) as recent
      from alert_setting s join app_user a on a.id = s.user_id join identity_user i on i.id = a.identity_id
      where s.mail_events <> '{}' and i.email_verified_at is not null and not a.disabled
        and a.id in (select user_id from notification where mailed_at is null)`;
    const held = readers.filter(({ recent }) => recent).map((reader) => reader.userId);
    const rows = await pendingNotes(client, 'mailed_at', now, held);
    if (rows.length === 0) return 0;
    const mails = readers.flatMap(({ userId, email, language, events }) => {
      const wanted = rows.filter(
        (row) =>
          row.userId === userId && row.fresh && !URGENT.test(row.kind) && events.includes(eventOf(row.kind) ?? ''),
      );
      const [first] = wanted;
      if (!first) return [];
      const content = JSON.stringify(writeAlerts(language ?? 'en', userId, wanted));
      return [{ channel: 'mail' as const, target: email, dedupe: `alerts ${first.id}`, content }];
    });
    await enqueue(client, mails, now);
    await markDone(client, 'mailed_at', rows, now);
    return rows.length;
  });
}
