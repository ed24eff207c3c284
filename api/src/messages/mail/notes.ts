/** Mails of notifications about changes that a thief would make, in the transaction that writes the notification. */
import { type Querier, raw, rowsOf } from '../../platform/db/querier';
import type { Language } from '@pool/shared/i18n/languages';
import { enqueue } from '../outbox/outbox';
import type { NoteFacts } from '../outbox/texts';
import { writeNote } from './mail';

/** Mailed whatever the user chose. */
const MAILED = /^(wallet|pools|pool_hold|admins|organization_owner)_/;

/** A setting: mails are kept (kept.ts), those to addresses that nobody could confirm too. */
export const KEPT = 'mail.kept';

/** Mails go to confirmed addresses, in the language in which they were confirmed: the caller may not be the owner. */
export async function queueNotes(
  db: Querier,
  notes: readonly (NoteFacts & { id: number; userId: number })[],
  now: number,
): Promise<void> {
  const mailed = notes.filter(({ kind }) => MAILED.test(kind));
  if (mailed.length === 0) return;
  const rows = await rowsOf<{ userId: number; email: string; language: Language | null }>(db)`
    select a.id as user_id, i.email, i.language
    from app_user a join identity_user i on i.id = a.identity_id
    where a.id = any(${mailed.map(({ userId }) => userId)}::int[])
      and (i.email_verified_at is not null or exists (select from setting where name = '${raw(KEPT)}'))`;
  const mails = mailed.flatMap((note) =>
    rows
      .filter(({ userId }) => userId === note.userId)
      .map(({ email, language }) => ({
        channel: 'mail' as const,
        target: email,
        dedupe: `note ${note.id}`,
        content: JSON.stringify(writeNote(language ?? 'en', note)),
      })),
  );
  await enqueue(db, mails, now);
}
