/** What a user is mailed of, and the quiet hours of all channels. */
import type { AlertSetting } from '@pool/shared/api/contract';
import { STOPPED } from '@pool/shared/domain';
import type { Pool } from 'pg';
import type { Querier } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import { type Actor, writeAudit } from '../platform/audit';

type Row = {
  mail_events: AlertSetting['mailEvents'];
  quiet_from: number | null;
  quiet_to: number | null;
  time_zone: string;
};

export async function alertSettingOf(db: Querier, userId: number): Promise<AlertSetting> {
  const {
    rows: [row],
  } = await db.query<Row>('select mail_events, quiet_from, quiet_to, time_zone from alert_setting where user_id = $1', [
    userId,
  ]);
  const { mail_events: mailEvents = [], quiet_from: from = null, quiet_to: to = null, time_zone = 'UTC' } = row ?? {};
  return { mailEvents, quiet: from === null || to === null ? null : { from, to, timeZone: time_zone } };
}

export function setAlerts(
  pool: Pool,
  userId: number,
  { mailEvents, quiet }: AlertSetting,
  actor: Actor,
): Promise<AlertSetting> {
  return transaction(pool, async (client) => {
    const before = await alertSettingOf(client, userId);
    await client.query(
      `insert into alert_setting (user_id, mail_events, quiet_from, quiet_to, time_zone) values ($1, $2, $3, $4, $5)
       on conflict (user_id) do update set mail_events = excluded.mail_events, quiet_from = excluded.quiet_from,
         quiet_to = excluded.quiet_to, time_zone = excluded.time_zone`,
      [userId, [...new Set(mailEvents)], quiet?.from ?? null, quiet?.to ?? null, quiet?.timeZone ?? 'UTC'],
    );
    const after = await alertSettingOf(client, userId);
    await writeAudit(client, actor, 'alerts.change', null, { before, after });
    return after;
  });
}

/** Mails when a machine stops, to a confirmed address; without one nothing changes. */
export async function mailStopped(pool: Pool, userId: number, actor: Actor): Promise<AlertSetting> {
  const before = await alertSettingOf(pool, userId);
  const { rowCount } = await pool.query(
    `select from app_user a join identity_user i on i.id = a.identity_id
     where a.id = $1 and i.email_verified_at is not null`,
    [userId],
  );
  if (!rowCount || STOPPED.every((event) => before.mailEvents.includes(event))) return before;
  return setAlerts(pool, userId, { ...before, mailEvents: [...before.mailEvents, ...STOPPED] }, actor);
}

/** No more mails of these kinds. */
export async function endMails(
  pool: Pool,
  userId: number,
  events: AlertSetting['mailEvents'],
  actor: Actor,
): Promise<void> {
  const { mailEvents, quiet } = await alertSettingOf(pool, userId);
  const rest = mailEvents.filter((event) => !events.includes(event));
  if (rest.length < mailEvents.length) await setAlerts(pool, userId, { mailEvents: rest, quiet }, actor);
}
