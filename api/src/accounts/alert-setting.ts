/** What a user is mailed of, and the quiet hours of all channels. */
import { isDeepStrictEqual } from 'node:util';
import type { AlertSetting } from '@pool/shared/api/contract';
import { STOPPED } from '@pool/shared/domain';
import type { Pool } from 'pg';
import { hasRow, type Querier, rowsOf, sql } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import { type Actor, writeAudit } from '../platform/audit';

type Row = {
  mailEvents: AlertSetting['mailEvents'];
  quietFrom: number | null;
  quietTo: number | null;
  timeZone: string;
  loudWorkers: number | null;
  loudPercent: number | null;
  loudHashrate: number | null;
};

export async function alertSettingOf(db: Querier, userId: number): Promise<AlertSetting> {
  const [row] = await rowsOf<Row>(db)`
    select mail_events, quiet_from, quiet_to, time_zone, loud_workers, loud_percent, loud_hashrate from alert_setting where user_id = ${userId}`;
  const { mailEvents = [], quietFrom: from = null, quietTo: to = null, timeZone = 'UTC' } = row ?? {};
  const unless = {
    workers: row?.loudWorkers ?? null,
    percent: row?.loudPercent ?? null,
    hashrate: row?.loudHashrate ?? null,
  };
  return { mailEvents, quiet: from === null || to === null ? null : { from, to, timeZone, unless } };
}

/** Changes of one user wait for each other: two links of mails that are followed at once end both kinds. */
export function setAlerts(
  pool: Pool,
  userId: number,
  change: (before: AlertSetting) => AlertSetting,
  actor: Actor,
): Promise<AlertSetting> {
  return transaction(pool, async (client) => {
    await client.query(sql`select from app_user where id = ${userId} for no key update`);
    const before = await alertSettingOf(client, userId);
    const { mailEvents, quiet } = change(before);
    const wanted = { mailEvents: [...new Set(mailEvents)], quiet };
    if (isDeepStrictEqual(wanted, before)) return before;
    await client.query(sql`
      insert into alert_setting (user_id, mail_events, quiet_from, quiet_to, time_zone,
        loud_workers, loud_percent, loud_hashrate)
      values (${userId}, ${wanted.mailEvents}, ${quiet?.from ?? null}, ${quiet?.to ?? null}, ${quiet?.timeZone ?? 'UTC'},
        ${quiet?.unless?.workers ?? null}, ${quiet?.unless?.percent ?? null}, ${quiet?.unless?.hashrate ?? null})
      on conflict (user_id) do update set mail_events = excluded.mail_events, quiet_from = excluded.quiet_from,
        quiet_to = excluded.quiet_to, time_zone = excluded.time_zone, loud_workers = excluded.loud_workers,
        loud_percent = excluded.loud_percent, loud_hashrate = excluded.loud_hashrate`);
    await writeAudit(client, actor, 'alerts.change', null, { before, after: wanted });
    return wanted;
  });
}

/** Mails when a machine stops, to a confirmed address; without one nothing changes. */
export async function mailStopped(pool: Pool, userId: number, actor: Actor): Promise<AlertSetting> {
  const isConfirmed = await hasRow(pool)`select from app_user a join identity_user i on i.id = a.identity_id
    where a.id = ${userId} and i.email_verified_at is not null`;
  const add = ({ mailEvents, quiet }: AlertSetting) => ({ mailEvents: [...mailEvents, ...STOPPED], quiet });
  return isConfirmed ? setAlerts(pool, userId, add, actor) : alertSettingOf(pool, userId);
}

export const endMails = (
  pool: Pool,
  userId: number,
  events: AlertSetting['mailEvents'],
  actor: Actor,
): Promise<AlertSetting> =>
  setAlerts(
    pool,
    userId,
    ({ mailEvents, quiet }) => ({ mailEvents: mailEvents.filter((event) => !events.includes(event)), quiet }),
    actor,
  );
