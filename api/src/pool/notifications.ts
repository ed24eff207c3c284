/** What the bell shows. `kind` and `values` are put into words by the pages. */
import type { Pool } from 'pg';
import type { Notification } from '@pool/shared/api/contract';
import type { Bus } from '../bus';

const SHOWN = 100;

export async function notify(pool: Pool, bus: Bus, userId: number, kind: string, values: Record<string, string | number>): Promise<void> {
  const { rows: [row] } = await pool.query<{ id: number }>('insert into notification (user_id, kind, values) values ($1, $2, $3) returning id', [userId, kind, JSON.stringify(values)]);
  if (row) bus.publish({ type: 'notification', data: { id: row.id }, userId });
}

export async function unreadOf(pool: Pool, userId: number): Promise<number> {
  const { rows: [row] } = await pool.query<{ n: number }>('select count(*) as n from notification where user_id = $1 and read_at is null', [userId]);
  return row?.n ?? 0;
}

export async function notificationsOf(pool: Pool, userId: number): Promise<Notification[]> {
  const { rows } = await pool.query<{ id: number; kind: string; values: Notification['values']; created_at: Date; read_at: Date | null }>(
    'select id, kind, values, created_at, read_at from notification where user_id = $1 order by id desc limit $2', [userId, SHOWN]);
  return rows.map((row) => ({ id: row.id, kind: row.kind, values: row.values, createdAt: row.created_at.toISOString(), readAt: row.read_at?.toISOString() ?? null }));
}

/** Marks these read (of the user's own), or all. */
export async function markRead(pool: Pool, userId: number, ids?: number[]): Promise<void> {
  await pool.query('update notification set read_at = now() where user_id = $1 and read_at is null and ($2::int[] is null or id = any($2::int[]))', [userId, ids ?? null]);
}
