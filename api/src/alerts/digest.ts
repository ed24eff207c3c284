/** Yesterday's figures in one message for each subscriber, sent at 08:00 UTC, after the day is closed. */
import { CHANGE_CAUSES, type ChangeCause, type EarningChanges } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, ALGORITHMS, formatBtcShort, isAlgorithm, OFFLINE_AFTER_S } from '@pool/shared/domain';
import { READABLE } from '../messages/for-member';
import type { Note } from '../messages/notifications';
import { addDays, dayOf, startOfDay } from '../platform/days';
import { changesOn } from '../money/accounting/compare';
import { type Querier, rowsOf, valuesOf } from '../platform/db/querier';
import { isSilent } from '../platform/offline';
import { farmEvents } from './event-calls';
import { worded } from './farm-events';

/** Seconds after midnight UTC. */
const SENT_AT_S = 8 * 3600;

/** `ownerId`: the account whose day it is, `accounts`: its sub-accounts that the reader may see, `limited`: not all. */
type Reader = { userId: number; ownerId: number; limited: boolean; accounts: number[] };
type Row = Reader & { net: number; rates: Record<string, number> | null; online: number; offline: number };

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

/** What went off together on the day, of an owner's sub-accounts: the sentence of it comes after that of the day. */
async function eventValues(
  db: Querier,
  { ownerId: userId, accounts }: Reader,
  day: string,
  now: number,
  { context = '', ...values }: Note['values'],
): Promise<Note['values']> {
  const since = startOfDay(day);
  const asked = ALGORITHM_NAMES.map((algorithm) => farmEvents(db, { userId, algorithm, accounts, since }, now, true));
  const events = (await Promise.all(asked)).flat().filter((one) => one.since >= since && one.since < since + 86_400);
  const [most] = events.toSorted((a, b) => b.rigs - a.rigs);
  if (!most) return { context, ...values };
  return {
    ...values,
    context: 'events',
    plain: context,
    events: events.length,
    sats: events.reduce((sum, { lostSat }) => sum + (lostSat ?? 0), 0),
    by: most.by,
    place: most.value,
    off: most.rigs,
    minutes: Math.round(((most.until ?? now) - most.since) / 60),
  };
}

/** Digests go to who asked for them: of the own account, and of each organization in which the role sees money. */
export async function digests(db: Querier, day: string, now: number): Promise<Note[]> {
  const rows = await rowsOf<Row>(
    db,
    `with asked as (
       select user_id from telegram_connection where status = 'linked' and 'digest' = any(events)
       union select user_id from alert_setting where 'digest' = any(mail_events)
       union select user_id from push_subscription where 'digest' = any(events)
       union select user_id from webhook where stopped_at is null and 'digest' = any(events)
     ), readers as (
       select user_id, user_id as owner_id, null::int[] as accounts, 'daily_digest' as kind from asked
       union all
       select m.user_id, o.user_id, m.accounts, 'daily_digest'
       from asked join organization_member m using (user_id) join organization o on o.id = m.organization_id
     ), seen as (
       select n.user_id, n.owner_id, n.accounts is not null as limited, s.id as account
       from readers n join sub_account s on s.user_id = n.owner_id and (n.accounts is null or s.id = any(n.accounts))
       where ${READABLE}
     ), rates as (
       select user_id, owner_id, e.algorithm, sum(e.mean_hashrate) as rate, sum(e.net_sat) as net
       from earning e join seen on account = e.sub_account_id
       where e.day = $1::date
       group by 1, 2, 3
     ), earned as (
       select user_id, owner_id, json_object_agg(algorithm, rate) as rates, sum(net) as net from rates group by 1, 2
     ), workers as (
       select user_id, owner_id,
         count(*) filter (where not ${isSilent(`$2::float8 - ${OFFLINE_AFTER_S}`)}) as online,
         count(*) filter (where ${isSilent(`$2::float8 - ${OFFLINE_AFTER_S}`)}) as offline
       from worker_live l
         join worker w on w.sub_account_id = l.sub_account_id and w.id = l.worker_id
         join seen on account = w.sub_account_id
       where l.last_share_at > to_timestamp($2::float8 - 86400)
       group by 1, 2
     ), farms as (
       select user_id, owner_id, bool_or(limited) as limited, array_agg(account) as accounts from seen group by 1, 2
     )
     select user_id, owner_id, limited, accounts, coalesce(e.net, 0) as net, e.rates,
       coalesce(w.online, 0) as online, coalesce(w.offline, 0) as offline
     from earned e full join workers w using (user_id, owner_id) join farms using (user_id, owner_id)
     order by owner_id, user_id`,
    [day, now],
  );
  const whole = rows.filter(({ limited }) => !limited).flatMap(({ accounts }) => accounts);
  const changes = await changesOn(db, whole, day);
  const eventful = await valuesOf<number>(db)`
    select distinct user_id from farm_event where since >= ${day}::date and since < ${day}::date + 1`;
  const happened = new Set(eventful);
  const notes: Note[] = [];
  for (const { net, rates, online, offline, ...reader } of rows) {
    const { limited } = reader;
    const own = limited ? await changesOn(db, reader.accounts, day) : changes;
    const change = changeValues(own.get(reader.ownerId) ?? { day, netSat: 0, against: [] });
    const values = happened.has(reader.ownerId) ? await eventValues(db, reader, day, now, change) : change;
    notes.push({
      ...reader,
      kind: 'daily_digest',
      once: `digest ${day} ${reader.ownerId}`,
      values: {
        day,
        amount: formatBtcShort(net),
        online,
        offline,
        hashrate:
          Object.entries(rates ?? {})
            .flatMap(([algorithm, rate]) =>
              isAlgorithm(algorithm) ? [`${ALGORITHMS[algorithm].label} ${worded(rate)}`] : [],
            )
            .join(', ') || '0',
        ...values,
      },
    });
  }
  return notes;
}
