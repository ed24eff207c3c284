/** What people choose to hear of, and the webhooks that hear it. */
import type { TelegramEvent } from '@pool/shared/api/contract';
import { HOOK_HELD, MAKER_ENABLED } from '../makers';
import { type Querier, raw, rowsOf, sql, valuesOf } from '../../platform/db/querier';
import { isForMember } from '../for-member';
import { enqueue } from './outbox';
import type { NoteFacts } from './texts';

const ALWAYS =
  /^((telegram_linked|telegram_refused|mail_refused|backup_failed|day_waiting)$|admins_|canary_|pools?_|sign_in_|email_|recovery_|two_step_|passkey_|push_|webhook_|organization_)/;
/** What is sent in quiet hours too. */
export const URGENT = new RegExp(`^wallet_|${ALWAYS.source}`);

/** The event a notification belongs to. `always`: sent to every chat and webhook. Null: shown on the page only. */
export function eventOf(kind: string): TelegramEvent | 'always' | null {
  const worker = /^workers?_(\w+)$/.exec(kind)?.[1];
  if (worker === 'offline' || worker === 'low' || worker === 'rejects') return worker;
  if (worker !== undefined) return 'recovered';
  if (kind.startsWith('account_')) return 'account';
  if (kind === 'sign_in_new') return 'sign_in';
  if (kind.startsWith('payment_')) return 'payment';
  if (kind.startsWith('wallet_')) return 'wallet';
  if (kind.startsWith('upstream_')) return 'upstream';
  if (kind === 'daily_digest') return 'digest';
  return ALWAYS.test(kind) ? 'always' : null;
}

/** Event as its receiver gets it: `type`, `timestamp` and `data`, as the Standard Webhooks specification has them. */
export const hookContent = ({ kind, values }: NoteFacts, now: number): string =>
  JSON.stringify({ type: kind, timestamp: new Date(now * 1000).toISOString(), data: values });

/** Queues notifications for their users' webhooks, in the transaction that writes them. */
export async function queueHooks(
  db: Querier,
  notes: readonly (NoteFacts & { id: number; userId: number })[],
  now: number,
): Promise<void> {
  const told = notes.filter(({ kind }) => eventOf(kind) !== null);
  if (told.length === 0) return;
  const rows = await rowsOf<{ id: number; events: string[]; notes: number[] }>(db)`
    select t.id, t.events, array_agg(n.id) as notes
    from notification n join webhook t on t.user_id = n.user_id
    where n.id = any(${told.map(({ id }) => id)}::int[]) and t.stopped_at is null
      and (coalesce(t.made_by, t.user_id) = t.user_id or ${raw(isForMember('n', 't.user_id', 't.made_by'))})
      and ${raw(HOOK_HELD)} and ${raw(MAKER_ENABLED)}
    group by t.id order by t.id`;
  const messages = rows.flatMap((hook) =>
    told
      .filter(({ id, kind }) => hook.notes.includes(id) && ['always', ...hook.events].includes(eventOf(kind) ?? ''))
      .map((note) => ({
        channel: 'webhook' as const,
        target: String(hook.id),
        dedupe: `note ${note.id}`,
        content: hookContent(note, now),
      })),
  );
  await enqueue(db, messages, now);
}

/** Deletes the user's webhooks, or the one with `id`, and what was queued for them. Returns how many there were. */
export async function deleteHooks(db: Querier, userId: number, id: number | null = null): Promise<number> {
  const targets = await valuesOf<string>(db)`
    delete from webhook where user_id = ${userId} and (${id}::int is null or id = ${id})
    returning id::text`;
  await db.query(sql`delete from outbox where channel = 'webhook' and target = any(${targets}::text[])`);
  return targets.length;
}
