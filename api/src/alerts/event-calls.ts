/** Events as pages read and change them. */
import type { Pool } from 'pg';
import type { FarmEvent } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';
import { everySubAccountOf } from '../accounts/accounts';
import { type Actor, doerNow, writeAudit } from '../platform/audit';
import { hasRow, type Querier, rowsOf, sql, valuesOf } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import { numbersOf, satsOf } from './farm-events';

type Asked = {
  userId: number;
  algorithm: AlgorithmName;
  accounts: readonly number[];
  since: number;
  /** Unix seconds before which the events began; left out: no limit. */
  until?: number;
  limit?: number;
};
type Row = Omit<FarmEvent, 'acknowledged' | 'satsPerHour' | 'isPart'> & {
  missed: number;
  isPart: boolean;
  acknowledgedBy: string | null;
  quietUntil: number | null;
};

/**
 * SQL: the newest events of a user ($1) and an algorithm ($2), so many ($7), of accounts ($3), that are open or ended
 * after $4, and began before $6.
 */
const ASKED = `id in (
  select f.id from farm_event f
  where f.user_id = $1 and f.algorithm = $2 and (f.until is null or f.until > to_timestamp($4::float8))
    and f.since < to_timestamp($6::float8)
    and f.id in (select e.event_id from worker_event e where e.sub_account_id = any($3))
  order by f.until is not null, f.since desc, f.id
  limit $7
)`;
/** SQL: whether workers of other accounts ($8) are in the event `f`. An empty list would ask all nodes of a Citus. */
const OF_OTHERS = `f.id in (
  select e.event_id from worker_event e
  where e.event_id in (select id from farm_event where ${ASKED}) and e.sub_account_id = any($8)
)`;
const MOST = 100;

/** Events of an owner, of their workers in `accounts`: those that are open or ended after `since`, newest first. */
export async function farmEvents(
  db: Querier,
  { userId, algorithm, accounts, since, until = Infinity, limit = MOST }: Asked,
  now: number,
  money: boolean,
) {
  const others = (await everySubAccountOf(db, userId)).map(({ id }) => id).filter((id) => !accounts.includes(id));
  const rows = await rowsOf<Row>(
    db,
    `select f.id, f.by, f.value, f.total, extract(epoch from f.since)::int as since,
       extract(epoch from f.until)::int as until, f.lost_sat, f.note, u.user_name as acknowledged_by,
       extract(epoch from f.quiet_until)::int as quiet_until, w.rigs, w.off, w.hashrate, w.missed, s.name as account,
       ${others.length > 0 ? OF_OTHERS : 'false'} as is_part
     from farm_event f
       join (${numbersOf(ASKED, 'to_timestamp($5::float8)', '$3')}) w on w.event_id = f.id
       join sub_account s on s.id = w.most
       left join app_user u on u.id = f.acknowledged_by
     order by f.until is not null, f.since desc, f.id`,
    [userId, algorithm, accounts, since, now, until, limit, ...(others.length > 0 ? [others] : [])],
  );
  const sats = money && rows.length > 0 ? await satsOf(db, now) : null;
  // The size and the cost of a whole event are told to who reads all of it.
  return rows.map(({ acknowledgedBy, quietUntil, lostSat, missed, isPart, ...event }): FarmEvent => ({
    ...event,
    ...(isPart ? { isPart } : {}),
    total: isPart ? event.rigs : Math.max(event.total, event.rigs),
    acknowledged: acknowledgedBy === null ? null : { by: acknowledgedBy, until: quietUntil },
    ...(sats
      ? {
          satsPerHour: sats(algorithm, event.hashrate * 3600),
          lostSat: isPart || lostSat === null ? sats(algorithm, missed) : lostSat,
        }
      : {}),
  }));
}

/** Ids of the event's workers that are in these sub-accounts; none where the event is not one of theirs. */
export async function eventWorkers(db: Querier, id: number, accounts: readonly number[]): Promise<number[]> {
  return valuesOf<number>(db)`
    select distinct worker_id from worker_event
    where event_id = ${id} and sub_account_id = any(${accounts}::int[]) order by 1`;
}

/** Whether all the event's workers are in these sub-accounts. */
export const holdsEvent = async (db: Querier, id: number, accounts: readonly number[]): Promise<boolean> =>
  !(await hasRow(db)`
    select from worker_event where event_id = ${id} and sub_account_id <> all(${accounts}::int[]) limit 1`);

type Change = {
  id: number;
  acknowledged?: { until: number | null } | null | undefined;
  note?: string | null | undefined;
};
/** Acknowledges an event by who acts, or takes that back, and sets its note; what is left out stays. */
export const changeEvent = (pool: Pool, { id, acknowledged, note }: Change, actor: Actor): Promise<void> =>
  transaction(pool, async (client) => {
    if (acknowledged !== undefined)
      await client.query(sql`
        update farm_event set acknowledged_by = ${acknowledged && doerNow(actor)},
          quiet_until = to_timestamp(${acknowledged?.until ?? null}::float8)
        where id = ${id}`);
    if (note !== undefined) await client.query(sql`update farm_event set note = ${note} where id = ${id}`);
    await writeAudit(client, actor, 'alerts.event', String(id), { after: { acknowledged, note } });
  });
