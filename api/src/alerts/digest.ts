/** Yesterday's figures in one message for each subscriber, sent at 08:00 UTC, after the day is closed. */
import { CHANGE_CAUSES, type ChangeCause, type EarningChanges } from '@pool/shared/api/contract';
import { ALGORITHMS, displayHashrate, formatBtcShort, isAlgorithm, OFFLINE_AFTER_S } from '@pool/shared/domain';
import type { Note } from '../messages/notifications';
import { addDays, dayOf, startOfDay } from '../platform/days';
import { changesOn } from '../money/accounting/compare';
import { type Querier, rowsOf } from '../platform/db/querier';
import { isSilent } from '../platform/offline';

/** Seconds after midnight UTC. */
const SENT_AT_S = 8 * 3600;

type Row = { userId: number; net: number; rates: Record<string, number> | null; online: number; offline: number };

/** The day whose digest is due; null when `sent` names it already. `now`: Unix seconds. */
export function dueDigest(sent: string | undefined, now: number): string | null {
  const today = dayOf(now);
  const yesterday = addDays(today, -1);
  return now >= startOfDay(today) + SENT_AT_S && sent !== yesterday ? yesterday : null;
}

/** Satoshis by cause against the day before, with the `context` by which i18next takes the sentence that says them. */
function changeValues({ netSat, against: [before] }: EarningChanges): Note['values'] {
  if (!before) return {};
  const satsOf = (cause: ChangeCause) => before.lines.find((line) => line.cause === cause)?.sats ?? 0;
  return {
    context: 'change',
    difference: netSat - before.beforeSat,
    ...Object.fromEntries(CHANGE_CAUSES.map((cause) => [`${cause}Sat`, satsOf(cause)])),
  };
}

export async function digests(db: Querier, day: string, now: number): Promise<Note[]> {
  const rows = await rowsOf<Row>(
    db,
    `with readers as (
       select user_id from telegram_connection where status = 'linked' and 'digest' = any(events)
       union select user_id from alert_setting where 'digest' = any(mail_events)
       union select user_id from webhook where stopped_at is null and 'digest' = any(events)
     ), rates as (
       select s.user_id, e.algorithm, sum(e.mean_hashrate) as rate, sum(e.net_sat) as net
       from earning e join sub_account s on s.id = e.sub_account_id
       where e.day = $1::date and s.user_id in (select user_id from readers)
       group by 1, 2
     ), earned as (
       select user_id, json_object_agg(algorithm, rate) as rates, sum(net) as net from rates group by 1
     ), workers as (
       select s.user_id,
         count(*) filter (where not ${isSilent(`$2::float8 - ${OFFLINE_AFTER_S}`)}) as online,
         count(*) filter (where ${isSilent(`$2::float8 - ${OFFLINE_AFTER_S}`)}) as offline
       from worker_live l
         join worker w on w.sub_account_id = l.sub_account_id and w.id = l.worker_id
         join sub_account s on s.id = w.sub_account_id
       where l.last_share_at > to_timestamp($2::float8 - 86400) and s.user_id in (select user_id from readers)
       group by 1
     )
     select user_id, coalesce(e.net, 0) as net, e.rates,
       coalesce(w.online, 0) as online, coalesce(w.offline, 0) as offline
     from earned e full join workers w using (user_id)`,
    [day, now],
  );
  const accounts = await rowsOf<{ id: number }>(db)`
    select id from sub_account where user_id = any(${rows.map((row) => row.userId)})`;
  const changes = await changesOn(
    db,
    accounts.map(({ id }) => id),
    day,
  );
  return rows.map(({ userId, net, rates, online, offline }): Note => ({
    userId,
    kind: 'daily_digest',
    once: `digest ${day}`,
    values: {
      day,
      amount: formatBtcShort(net),
      online,
      offline,
      hashrate:
        Object.entries(rates ?? {})
          .flatMap(([algorithm, rate]) => {
            const { value, unit } = displayHashrate(rate);
            return isAlgorithm(algorithm) ? [`${ALGORITHMS[algorithm].label} ${value} ${unit}`] : [];
          })
          .join(', ') || '0',
      ...changeValues(changes.get(userId) ?? { day, netSat: 0, against: [] }),
    },
  }));
}
