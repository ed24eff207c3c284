/** What a user is mailed of, and the quiet hours of all channels. */
import { isDeepStrictEqual } from 'node:util';
import type { AlertSetting } from '@pool/shared/api/contract';
import { STOPPED } from '@pool/shared/domain';
import type { Pool } from 'pg';
import { firstRow, hasRow, type Querier, sql } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import { lockUser } from './accounts';
import { type Doer, writeAudit } from '../platform/audit';

export async function alertSettingOf(db: Querier, userId: number): Promise<AlertSetting> {
  const setting = await firstRow<AlertSetting>(db)`
    select mail_events, case when quiet_from is not null then json_build_object(
      'from', quiet_from, 'to', quiet_to, 'timeZone', time_zone, 'unless', json_build_object(
        'workers', loud_workers, 'percent', loud_percent, 'hashrate', loud_hashrate)) end as quiet
    from alert_setting where user_id = ${userId}`;
  return setting ?? { mailEvents: [], quiet: null };
}

/** Changes of one user wait for each other: two links of mails that are followed at once end both kinds. */
export function setAlerts(pool: Pool, by: Doer, change: (before: AlertSetting) => AlertSetting): Promise<AlertSetting> {
  const { actorId: userId } = by;
  return transaction(pool, async (client) => {
    await lockUser(client, userId);
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
    await writeAudit(client, by, 'alerts.change', null, { before, after: wanted });
    return wanted;
  });
}

/** Mails when a machine stops, to a confirmed address; without one nothing changes. */
export async function mailStopped(pool: Pool, by: Doer): Promise<AlertSetting> {
  const isConfirmed = await hasRow(pool)`select from app_user a join identity_user i on i.id = a.identity_id
    where a.id = ${by.actorId} and i.email_verified_at is not null`;
  const add = ({ mailEvents, quiet }: AlertSetting) => ({ mailEvents: [...mailEvents, ...STOPPED], quiet });
  return isConfirmed ? setAlerts(pool, by, add) : alertSettingOf(pool, by.actorId);
}

export const endMails = (pool: Pool, by: Doer, events: AlertSetting['mailEvents']): Promise<AlertSetting> =>
  setAlerts(pool, by, ({ mailEvents, quiet }) => ({
    mailEvents: mailEvents.filter((event) => !events.includes(event)),
    quiet,
  }));
