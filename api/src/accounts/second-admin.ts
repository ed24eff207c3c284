/**
 * Changes that take two admins where the pool has two pairs of eyes (payouts/four-eyes-setting.ts): the first one only
 * asks, another one who does the same within a week confirms. An admin whom another one has made is no second pair of
 * eyes for some days.
 */
import type { Pool } from 'pg';
import { writeAdminNotes } from '../messages/notifications';
import { writeAudit, type Actor } from '../platform/audit';
import { transaction } from '../platform/db/transaction';
import { hasRow, type Querier, raw, sql } from '../platform/db/querier';

/** The version is that of the payment, so that a request is about its state. */
export type TwoAdminsFor = 'four_eyes_off' | `admin ${number}` | `payment ${number} ${number}`;

type Request = {
  what: TwoAdminsFor;
  /** Name of the admin who asks. */
  userName: string;
  /** Kind of the notice to all admins. */
  kind: 'admins_asked' | 'admins_failed_asked' | 'admins_rule_asked';
  values?: Record<string, string | number>;
};

/** Refusal of an admin whom another one has made a few days ago. */
export const NEW_ADMIN = 'An admin whom another one has made approves, sends and confirms nothing for three days.';

/** Whether an admin has been one for too short a time to be a second pair of eyes. */
export async function isNewAdmin(db: Querier, userId: number): Promise<boolean> {
  return hasRow(db)`select from app_user where id = ${userId} and full_admin_at > now()`;
}

/** Condition: the request `r` of the admin `u` may still be confirmed. */
export const IS_LIVE = "r.asked_at > now() - interval '7 days' and u.role = 'admin' and not u.disabled";

/** Whether another admin, who still is one, has asked for it; the request is used up. */
export async function confirms(db: Querier, what: TwoAdminsFor, userId: number): Promise<boolean> {
  return hasRow(db)`delete from admin_request r using app_user u
    where r.what = ${what} and r.asked_by <> ${userId} and u.id = r.asked_by and ${raw(IS_LIVE)}
    returning r.what`;
}

/** Leaves the request and tells all admins, in the transaction of `db`. */
export async function askFor(
  db: Querier,
  actor: Actor,
  { what, userName, kind, values }: Request,
  now: number,
): Promise<void> {
  await db.query(sql`insert into admin_request (what, asked_by) values (${what}, ${actor.actorId})
    on conflict (what) do update set asked_by = excluded.asked_by, asked_at = now()`);
  await writeAudit(db, actor, 'admin.ask', what);
  await writeAdminNotes(db, { kind, values: { user: userName, ...values } }, now);
}

/** The same in a transaction of its own, after that of the refused change. */
export const askSecondAdmin = (pool: Pool, actor: Actor, request: Request, now: number): Promise<void> =>
  transaction(pool, (client) => askFor(client, actor, request, now));
