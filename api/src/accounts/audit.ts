/** The log of every write: who, what, before, after, when, from where. */
import type { PoolClient } from 'pg';
import type { AuditEntry } from '@pool/shared/api/contract';
import type { Querier } from '../db/querier';

/** Writes down what is done, in the transaction that does it. Never with a password or a token in it. */
export const note = (
  client: PoolClient,
  { actorId, ip }: { actorId: number; ip: string },
  action: string,
  subject: string | null,
  facts: { before?: unknown; after?: unknown },
): Promise<unknown> =>
  client.query('insert into audit (user_id, action, subject, before, after, ip) values ($1, $2, $3, $4, $5, $6)', [
    actorId,
    action,
    subject,
    facts.before === undefined ? null : JSON.stringify(facts.before),
    facts.after === undefined ? null : JSON.stringify(facts.after),
    ip,
  ]);

/** Days both included; `action` is a whole one (`wallet.change`) or the first words of some (`wallet`). */
export type AuditFilter = { userName?: string; action?: string; subject?: string; from?: string; to?: string };
type Row = {
  id: number;
  at: Date;
  user_name: string | null;
  action: string;
  subject: string | null;
  before: unknown;
  after: unknown;
  ip: string | null;
};

/** What `userId` did (null: everybody), newest first. */
export async function auditPage(
  db: Querier,
  userId: number | null,
  { userName, action, subject, from, to }: AuditFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: AuditEntry[]; total: number }> {
  const where = `($1::int is null or a.user_id = $1) and ($2::text is null or u.user_name = $2) and ($3::text is null or a.action = $3 or starts_with(a.action, $3 || '.'))
    and ($4::text is null or a.subject = $4) and ($5::date is null or a.at >= $5::date::timestamp at time zone 'UTC') and ($6::date is null or a.at < ($6::date + 1)::timestamp at time zone 'UTC')`;
  const values = [userId, userName ?? null, action ?? null, subject ?? null, from ?? null, to ?? null];
  const { rows } = await db.query<Row>(
    `select a.id, a.at, u.user_name, a.action, a.subject, a.before, a.after, a.ip from audit a left join app_user u on u.id = a.user_id where ${where} order by a.id desc limit $7 offset $8`,
    [...values, limit, offset],
  );
  const {
    rows: [count],
  } = await db.query<{ total: number }>(
    `select count(*) as total from audit a left join app_user u on u.id = a.user_id where ${where}`,
    values,
  );
  return {
    total: count?.total ?? 0,
    rows: rows.map(({ at, user_name: userName, ...row }) => ({ ...row, at: at.toISOString(), userName })),
  };
}
