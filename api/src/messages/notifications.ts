/** Notifications of users. The pages translate `kind` and `values` into text. */
import type { Pool } from 'pg';
import type { Notification } from '@pool/shared/api/contract';
import type { RemoteManifest } from '@pool/shared/contract';
import type { Bus } from '../platform/bus';
import { type Querier, sql } from '../platform/db/querier';
import { queueNotes } from './mail/notes';
import { withMembers } from './members';
import { queueHooks } from './outbox/events';
import { pathOf } from './notification-path';

const MAX_LISTED = 100;

/** `once`: a key; a user gets at most one notification with the same key. */
export type Note = { userId: number; kind: string; values: Record<string, string | number>; once?: string };
export type WrittenNote = { id: number; userId: number };

/**
 * Writes notifications, and queues their mails and webhooks, in the caller's transaction; call `announceNotes` after its commit.
 * `now`: Unix seconds.
 */
export async function writeNotes(db: Querier, notes: readonly Note[], now: number): Promise<WrittenNote[]> {
  if (notes.length === 0) return [];
  const all = await withMembers(db, notes);
  const { rows } = await db.query<WrittenNote & Pick<Note, 'kind' | 'values'>>(sql`
    insert into notification (user_id, kind, values, once, created_at)
    select u.id, u.kind, u.vals, u.once, to_timestamp(${now}::float8)
    from unnest(${all.map((n) => n.userId)}::int[], ${all.map((n) => n.kind)}::text[],
      ${all.map((n) => JSON.stringify(n.values))}::jsonb[], ${all.map((n) => n.once ?? null)}::text[]) as u(id, kind,
        vals, once)
    on conflict do nothing
    returning id, user_id as "userId", kind, values`);
  await queueNotes(db, rows, now);
  await queueHooks(db, rows, now);
  return rows;
}

/** Writes the same notification to every admin, `but` one; otherwise as `writeNotes`. */
export async function writeAdminNotes(
  db: Querier,
  note: Omit<Note, 'userId'>,
  now: number,
  but = 0,
): Promise<WrittenNote[]> {
  const { rows } = await db.query<{ id: number }>(sql`
    select id from app_user where role = 'admin' and not disabled and id <> ${but} order by id`);
  return writeNotes(
    db,
    rows.map(({ id }) => ({ ...note, userId: id })),
    now,
  );
}

export function announceNotes(bus: Bus, written: readonly WrittenNote[]): void {
  for (const { id, userId } of written) bus.publish({ type: 'notification', data: { id }, userId });
}

/** Writes notifications for a caller that has its own transaction and no bus. */
export const notifier =
  (bus: Bus) =>
  async (db: Querier, notes: readonly Note[], now: number): Promise<() => void> => {
    const written = await writeNotes(db, notes, now);
    return () => announceNotes(bus, written);
  };

export async function unreadOf(pool: Pool, userId: number): Promise<number> {
  const {
    rows: [row],
  } = await pool.query<{ n: number }>({
    name: 'unread',
    text: 'select count(*) as n from notification where user_id = $1 and read_at is null',
    values: [userId],
  });
  return row?.n ?? 0;
}

/** `remotes`: those the user may load. */
export async function notificationsOf(
  pool: Pool,
  userId: number,
  remotes: readonly RemoteManifest[],
): Promise<Notification[]> {
  const { rows } = await pool.query<{
    id: number;
    kind: string;
    values: Notification['values'];
    created_at: Date;
    read_at: Date | null;
  }>(sql`
    select id, kind, values, created_at, read_at from notification where user_id = ${userId} order by id desc
    limit ${MAX_LISTED}`);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    values: row.values,
    path: pathOf(row, remotes),
    createdAt: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
  }));
}

/** Marks the user's notifications as read: those in `ids`, or all. */
export async function markRead(pool: Pool, userId: number, ids?: number[]): Promise<void> {
  await pool.query(sql`update notification
    set read_at = now()
    where user_id = ${userId} and read_at is null
      and (${ids ?? null}::int[] is null or id = any(${ids ?? null}::int[]))`);
}
