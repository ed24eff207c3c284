/** The audit log: one row for each write, with user, action, subject, values before and after, IP address and time. */
import type { AuditEntry } from '@pool/shared/api/contract';
import type { DbOrTx } from '../db/database';
import type { Querier } from '../db/querier';
import { audit } from '../db/schema';

/** `actorId` null: the server or the operator's command line. `ip`: the request's, or a word such as `command line`. */
export type Actor = { actorId: number | null; ip: string | null };
type AuditFacts = { before?: unknown; after?: unknown };

/** Writes one row for each subject. See `writeAudit`. */
export async function writeAuditRows(
  db: Querier | DbOrTx,
  { actorId, ip }: Actor,
  action: string,
  rows: readonly ({ subject: string | null } & AuditFacts)[],
): Promise<void> {
  if ('insert' in db) {
    const values = rows.map(({ subject, before, after }) => ({ userId: actorId, action, subject, before, after, ip }));
    await db.insert(audit).values(values);
    return;
  }
  await db.query(
    `insert into audit (user_id, action, ip, subject, before, after)
     select $1, $2, $3, r.subject, r.before, r.after
     from json_to_recordset($4::json) as r(subject text, before jsonb, after jsonb)`,
    [actorId, action, ip, JSON.stringify(rows)],
  );
}

/** Writes one row. Call it in the transaction of the change it records; never pass a password or a token. */
export const writeAudit = (
  db: Querier | DbOrTx,
  actor: Actor,
  action: string,
  subject: string | null,
  facts: AuditFacts = {},
): Promise<void> => writeAuditRows(db, actor, action, [{ subject, ...facts }]);

/** `from` and `to`: days, both included. `action`: a whole action (`wallet.change`) or its first words (`wallet`). */
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

/** The rows of one user (null: of everybody), newest first. */
export async function auditPage(
  db: Querier,
  userId: number | null,
  { userName, action, subject, from, to }: AuditFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: AuditEntry[]; total: number }> {
  const matching = `
    from audit a
    left join app_user u on u.id = a.user_id
    where ($1::int is null or a.user_id = $1)
      and ($2::text is null or u.user_name = $2)
      and ($3::text is null or a.action = $3 or starts_with(a.action, $3 || '.'))
      and ($4::text is null or a.subject = $4)
      and ($5::date is null or a.at >= $5::date::timestamp at time zone 'UTC')
      and ($6::date is null or a.at < ($6::date + 1)::timestamp at time zone 'UTC')`;
  const values = [userId, userName ?? null, action ?? null, subject ?? null, from ?? null, to ?? null];
  const { rows } = await db.query<Row>(
    `select a.id, a.at, u.user_name, a.action, a.subject, a.before, a.after, a.ip ${matching}
     order by a.id desc
     limit $7 offset $8`,
    [...values, limit, offset],
  );
  const {
    rows: [count],
  } = await db.query<{ total: number }>(`select count(*) as total ${matching}`, values);
  return {
    total: count?.total ?? 0,
    rows: rows.map(({ at, user_name: userName, ...row }) => ({ ...row, at: at.toISOString(), userName })),
  };
}
