/** Notifications of users. The pages translate `kind` and `values` into text. */
import type { Pool } from 'pg';
import type { Notification } from '@pool/shared/api/contract';
import type { RemoteManifest } from '@pool/shared/contract';
import type { Bus } from '../platform/bus';
import { type Querier, rowsOf, sql } from '../platform/db/querier';
import { afterCommit } from '../platform/db/transaction';
import { queueNotes } from './mail/notes';
import { queueHooks } from './outbox/events';
import { pathOf } from './notification-path';
import { type OrganizationRole, rightsOf } from '@pool/shared/roles';

type MemberRow = {
  ownerId: number;
  userId: number;
  role: OrganizationRole;
  money: boolean;
  /** Names of the sub-accounts the role is limited to; null: all. */
  accounts: string[] | null;
};

/** The right to read this is what a notification needs. Other kinds are about a person's own sign-in. */
const SUBJECTS = [
  [/^(workers?|account|upstream)_/, 'workers'],
  [/^pools?_/, 'pools'],
  [/^(payment|payout|daily_digest)/, 'payments'],
  [/^wallet_/, 'wallet'],
  [/^webhook_/, 'webhooks'],
  [/^referral_/, 'referral'],
  [/^organization_/, 'organization'],
] as const;
const subjectOf = (kind: string) => SUBJECTS.find(([kinds]) => kinds.test(kind))?.[1];

function isFor({ role, money, accounts }: MemberRow, { kind, values }: Note): boolean {
  const subject = subjectOf(kind);
  const right = subject && rightsOf({ role, money, limited: accounts !== null })[subject];
  const account = values.account === undefined ? undefined : String(values.account);
  return right !== undefined && (accounts === null || account === undefined || accounts.includes(account));
}

/** The notifications, and of those of organizations one for each member that they are for. */
async function withMembers(db: Querier, notes: readonly Note[]): Promise<Note[]> {
  const members = await rowsOf<MemberRow>(db)`
    select o.user_id as owner_id, m.user_id, m.role, m.money,
      case when m.accounts is not null
        then array(select s.name from sub_account s where s.id = any(m.accounts)) end as accounts
    from organization o join organization_member m on m.organization_id = o.id
    where o.user_id = any(${[...new Set(notes.map(({ userId }) => userId))]}::int[])
    order by m.user_id`;
  return notes.flatMap((note) => [
    note,
    ...members
      .filter((member) => member.ownerId === note.userId && isFor(member, note))
      .map(({ userId }) => ({ ...note, userId })),
  ]);
}

const MAX_LISTED = 100;

/** `once`: a key; a user gets at most one notification with the same key. */
export type Note = { userId: number; kind: string; values: Record<string, string | number>; once?: string };
type WrittenNote = Pick<Note, 'userId' | 'kind' | 'values'> & { id: number };

const buses = new WeakMap<Querier, Bus>();
/** Open pages and senders hear from now on, on this bus, of notifications that are written through the pool. */
export const announceOn = (bus: Bus, pool: Pool): unknown => buses.set(pool, bus);

/** Writes notifications and queues their mails and webhooks in the caller's transaction. `now`: Unix seconds. */
export async function writeNotes(db: Querier, notes: readonly Note[], now: number): Promise<void> {
  if (notes.length === 0) return;
  const all = await withMembers(db, notes);
  const rows = await rowsOf<WrittenNote>(db)`
    insert into notification (user_id, kind, values, once, created_at)
    select u.id, u.kind, u.vals, u.once, to_timestamp(${now}::float8)
    from unnest(${all.map((n) => n.userId)}::int[], ${all.map((n) => n.kind)}::text[],
      ${all.map((n) => JSON.stringify(n.values))}::jsonb[], ${all.map((n) => n.once ?? null)}::text[]) as u(id, kind,
        vals, once)
    on conflict do nothing
    returning id, user_id as "userId", kind, values`;
  await queueNotes(db, rows, now);
  await queueHooks(db, rows, now);
  afterCommit(db, (pool) => {
    for (const { id, userId } of rows) buses.get(pool)?.publish({ type: 'notification', data: { id }, userId });
  });
}

/** Writes the same notification to every admin, `but` one; otherwise as `writeNotes`. */
export async function writeAdminNotes(db: Querier, note: Omit<Note, 'userId'>, now: number, but = 0): Promise<void> {
  const rows = await rowsOf<{ id: number }>(db)`
    select id from app_user where role = 'admin' and not disabled and id <> ${but} order by id`;
  await writeNotes(
    db,
    rows.map(({ id }) => ({ ...note, userId: id })),
    now,
  );
}

export async function unreadOf(pool: Pool, userId: number): Promise<number> {
  const text = 'select count(*) as n from notification where user_id = $1 and read_at is null';
  const { rows } = await pool.query<{ n: number }>({ name: 'unread', text, values: [userId] });
  return rows[0]?.n ?? 0;
}

/** `remotes`: those the user may load. */
export async function notificationsOf(
  pool: Pool,
  userId: number,
  remotes: readonly RemoteManifest[],
): Promise<Notification[]> {
  const rows = await rowsOf<Pick<Notification, 'id' | 'kind' | 'values'> & { createdAt: Date; readAt: Date | null }>(
    pool,
  )`
    select id, kind, values, created_at, read_at from notification where user_id = ${userId} order by id desc
    limit ${MAX_LISTED}`;
  return rows.map((row) => ({
    ...row,
    path: pathOf(row, remotes),
    createdAt: row.createdAt.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
  }));
}

/** Marks the user's notifications as read: those in `ids`, or all. */
export async function markRead(pool: Pool, userId: number, ids?: number[]): Promise<void> {
  await pool.query(sql`update notification
    set read_at = now()
    where user_id = ${userId} and read_at is null
      and (${ids ?? null}::int[] is null or id = any(${ids ?? null}::int[]))`);
}
