/** The audit log: one row for each write, with user, action, subject, values before and after, IP address and time. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditEntry, AuditWorkers } from '@pool/shared/api/contract';
import { join, onDays, oneValue, prefixPattern, type Querier, raw, rowsOf, type Sql, sql } from './db/querier';

/** `actorId` null: the server or the operator's command line. `ip`: the request's, or a word such as `command line`. */
export type Actor = { actorId: number | null; ip: string | null };
/** A user who does it. */
export type Doer = Actor & { actorId: number };
type AuditFacts = { before?: unknown; after?: unknown };
/** The person who acts in an organization, whose rows have the organization as their user. */
export const actingMember = new AsyncLocalStorage<number>();

/** The person who does it: the member who acts in an organization, else who is said to. */
export const doerNow = <Id extends Actor['actorId']>({ actorId }: { actorId: Id }): number | Id =>
  actingMember.getStore() ?? actorId;

/** Null where the person acts alone, or nobody does. */
function memberFor(actorId: number | null): number | null {
  const member = actingMember.getStore() ?? null;
  return actorId === null || actorId === member ? null : member;
}

/** Writes one row for each subject. See `writeAudit`. */
export async function writeAuditRows(
  db: Querier,
  { actorId, ip }: Actor,
  action: string,
  rows: readonly ({ subject: string | null } & AuditFacts)[],
): Promise<void> {
  await db.query(sql`insert into audit (user_id, action, ip, member_id, subject, before, after)
    select ${actorId}, ${action}, ${ip}, ${memberFor(actorId)}::int, r.subject, r.before, r.after
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(subject text, before jsonb, after jsonb)`);
}

/** Writes one row. Call it in the transaction of the change it records; never pass a password or a token. */
export const writeAudit = (
  db: Querier,
  actor: Actor,
  action: string,
  subject: string | null,
  facts: AuditFacts = {},
): Promise<void> => writeAuditRows(db, actor, action, [{ subject, ...facts }]);

/** `from` and `to`: days, both included. `action`: a whole action (`wallet.change`) or its first words (`wallet`). */
export type AuditFilter = { userName?: string; action?: string; subject?: string; from?: string; to?: string };
type Row = Omit<AuditEntry, 'at' | 'member'> & { at: Date; memberName: string | null };

/** So many matching rows are counted: counting a million takes longer than anybody waits for a number. */
const MOST_COUNTED = 10_000;

/** Rows of one user (null: of all), newest first, from before the row `before` on. `total`: at most 10,000. */
export async function auditPage(
  db: Querier,
  userId: number | null,
  { userName, action, subject, from, to }: AuditFilter,
  { limit, before }: { limit: number; before: number | null },
): Promise<{ rows: AuditEntry[]; total: number; more: boolean }> {
  // Changes of an organization's members are written by them, and are about the account of the organization.
  const isOf = (id: Sql, name: Sql): Sql =>
    sql`(a.user_id = ${id} or (a.action like 'organization.%' and a.subject = ${name}))`;
  const conditions = [
    sql`true`,
    ...(userId === null ? [] : [isOf(sql`${userId}`, sql`(select user_name from app_user where id = ${userId})`)]),
    ...(userName ? [isOf(sql`(select id from app_user where user_name = ${userName})`, sql`${userName}`)] : []),
    ...(action ? [sql`(a.action = ${action} or a.action like ${prefixPattern(`${action}.`)})`] : []),
    ...(subject ? [sql`a.subject = ${subject}`] : []),
    ...onDays('a.at', { from, to }),
  ];
  const total = await oneValue<number>(db)`
    select count(*)
    from (select 1 from audit a where ${join(conditions, ' and ')} limit ${raw(MOST_COUNTED)}) counted`;
  // By days, the index of the time finds the rows and their order; without, the last ones are at the end of the table.
  const byTime = from !== undefined || to !== undefined;
  if (before !== null)
    conditions.push(
      byTime
        ? sql`(a.at, a.id) < ((select b.at from audit b where b.id = ${before}), ${before})`
        : sql`a.id < ${before}`,
    );
  const order = raw(byTime ? 'a.at desc, a.id desc' : 'a.id desc');
  const rows = await rowsOf<Row>(db)`
    select a.id, a.at, u.user_name, coalesce(i.user_name, p.user_name) as member_name, a.action, a.subject, a.before,
      a.after, a.ip
    from (
      select * from audit a where ${join(conditions, ' and ')} order by ${order} limit ${limit + 1}
    ) a
    left join app_user u on u.id = a.user_id
    left join app_user p on p.id = coalesce(a.member_id, case when a.action like 'organization.%' then a.user_id end)
    left join identity_user i on i.id = p.identity_id
    order by ${order}`;
  return {
    total,
    more: rows.length > limit,
    rows: rows.slice(0, limit).map(({ at, memberName: member, ...row }) => ({
      ...row,
      ...aboutWorkers(row.before, row.after),
      at: at.toISOString(),
      ...(member === null ? {} : { member }),
    })),
  };
}

type Recorded<State> = {
  id: number;
  at: number;
  action: string;
  subject: string;
  before: State | null;
  after: State | null;
};
/** Rows of these actions on these subjects between two times (Unix seconds), newest first. */
export const recorded = <State>(
  db: Querier,
  { subjects, actions }: { subjects: readonly string[]; actions: readonly string[] },
  { since, until, limit }: { since: number; until: number; limit: number },
): Promise<Recorded<State>[]> =>
  rowsOf<Recorded<State>>(db)`
    select id, extract(epoch from at)::int as at, action, subject, before, after
    from audit
    where subject = any(${subjects}::text[]) and action = any(${actions}::text[])
      and at >= to_timestamp(${since}::float8) and at < to_timestamp(${until}::float8)
    order by at desc, id desc
    limit ${limit}`;

/** Names of workers that an answer has of each group; the log itself has all. */
const MAX_NAMES = 100;
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What an entry says, with workers as counts and names by group in place of their numbers, which may be 50,000. */
function aboutWorkers(before: unknown, after: unknown): { before: unknown; after: unknown } {
  const { ids, ...rest } = isRecord(after) ? after : {};
  const groups = isRecord(before) ? before.workers : undefined;
  if (!Array.isArray(ids) && !isRecord(groups)) return { before, after };
  const workers: AuditWorkers = isRecord(groups)
    ? Object.entries(groups as Record<string, string[]>).map(([group, names]) => ({
        group: group || null,
        count: names.length,
        names: names.slice(0, MAX_NAMES),
      }))
    : [{ group: null, count: Array.isArray(ids) ? ids.length : 0, names: [] }];
  return { before: { ...(isRecord(before) ? before : {}), workers }, after: Array.isArray(ids) ? rest : after };
}
