/** Notifications of users. The pages translate `kind` and `values` into text. */
import type { Pool } from 'pg';
import type { Notification } from '@pool/shared/api/contract';
import type { RemoteManifest } from '@pool/shared/contract';
import { announce } from '../platform/bus';
import { type Querier, raw, rowsOf, sql, isoTime, valuesOf } from '../platform/db/querier';
import { queueNotes } from './mail/notes';
import { queueHooks } from './outbox/events';
import { isForMember, READABLE, withoutMoney } from './for-member';
import { pathOf } from './notification-path';

const MAX_LISTED = 100;

/**
 * `once`: a key; a user gets at most one notification with the same key. `ownerId`: the account whose it is; it is then
 * for this user alone. `accounts`: ids of the sub-accounts it is about, unless a value names the one.
 */
export type Note = {
  userId: number;
  kind: string;
  values: Record<string, string | number>;
  once?: string;
  ownerId?: number;
  accounts?: number[];
};
type WrittenNote = Pick<Note, 'userId' | 'kind' | 'values'> & { id: number };

/**
 * Writes notifications, those of organizations once for each member that they are for, and queues their mails and
 * webhooks, in the caller's transaction. `now`: Unix seconds.
 */
export async function writeNotes(db: Querier, notes: readonly Note[], now: number): Promise<void> {
  if (notes.length === 0) return;
  const rows = await rowsOf<WrittenNote>(db)`
    with given as (
      select u.place, u."userId" as user_id, u."ownerId" as owner_id, u.kind, u.values, u.once,
        coalesce(u.accounts, (
          select array[s.id] from sub_account s
          where s.user_id = coalesce(u."ownerId", u."userId") and s.name = u.values ->> 'account')) as accounts
      from json_to_recordset(${JSON.stringify(notes.map((note, place) => ({ ...note, place })))}::json) as u(
        place int, "userId" int, "ownerId" int, kind text, values jsonb, once text, accounts int[])
    ), found as (
      select * from given
      union all
      select n.place, p.user_id, n.user_id, n.kind, ${raw(withoutMoney('n.values', 'n.user_id', 'p.user_id'))},
        n.once, n.accounts
      from given n join organization f on f.user_id = n.user_id
      join organization_member p on p.organization_id = f.id
      where n.owner_id is null and ${raw(isForMember('n', 'n.user_id', 'p.user_id'))}
    )
    insert into notification (user_id, owner_id, kind, values, once, accounts, created_at)
    select user_id, owner_id, kind, values, once, accounts, to_timestamp(${now}::float8) from found
    order by place, owner_id nulls first, user_id
    on conflict do nothing
    returning id, user_id, kind, values`;
  await queueNotes(db, rows, now);
  await queueHooks(db, rows, now);
  for (const { id, userId } of rows) announce(db, { type: 'notification', data: { id }, userId });
}

/** Writes the same notification to every admin, `but` one; otherwise as `writeNotes`. */
export async function writeAdminNotes(db: Querier, note: Omit<Note, 'userId'>, now: number, but = 0): Promise<void> {
  const ids = await valuesOf<number>(db)`
    select id from app_user where role = 'admin' and not disabled and id <> ${but} order by id`;
  await writeNotes(
    db,
    ids.map((userId) => ({ ...note, userId })),
    now,
  );
}

export async function unreadOf(pool: Pool, userId: number): Promise<number> {
  const text = `select count(*) as n from notification n where n.user_id = $1 and n.read_at is null and ${READABLE}`;
  const [row] = await rowsOf<{ n: number }>(pool, text, [userId], 'unread');
  return row?.n ?? 0;
}

/** `remotes`: those the user may load. */
export async function notificationsOf(
  pool: Pool,
  userId: number,
  remotes: readonly RemoteManifest[],
): Promise<Notification[]> {
  const rows = await rowsOf<Omit<Notification, 'path'>>(pool)`
    select n.id, n.kind, n.values, ${raw(isoTime('n.created_at'))} as created_at, ${raw(isoTime('n.read_at'))} as read_at
    from notification n
    where n.user_id = ${userId} and ${raw(READABLE)} order by n.id desc limit ${MAX_LISTED}`;
  return rows.map((row) => ({ ...row, path: pathOf(row, remotes) }));
}

/** Marks the user's notifications as read: those in `ids`, or all. */
export async function markRead(pool: Pool, userId: number, ids?: number[]): Promise<void> {
  await pool.query(sql`update notification
    set read_at = now()
    where user_id = ${userId} and read_at is null
      and (${ids ?? null}::int[] is null or id = any(${ids ?? null}::int[]))`);
}
