/** The record of the pool's own outages, which charts show. Times in Unix seconds. */
import type { ChartEvent, Contract } from '@pool/shared/api/contract';
import type { z } from 'zod';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import { oneValue, type Querier, rowsOf, sql } from '../platform/db/querier';
import { GAP_S, type PoolState, RECENT_S } from './outage';

type Outages = PoolState['outages'];

export async function writeOutages(db: Querier, before: Outages, current: Outages, now: number): Promise<void> {
  for (const algorithm of ALGORITHM_NAMES) {
    const outage = current[algorithm];
    if (outage && !before[algorithm]) {
      const why = outage.why ?? 'miners';
      // Miners that were cut off are missed only when they have been silent for a while.
      await db.query(sql`insert into pool_outage (algorithm, why, since)
        values (${algorithm}, ${why}, to_timestamp(${why === 'miners' ? now - RECENT_S : now}::float8))
        on conflict do nothing`);
    } else if (!outage) {
      await db.query(sql`
        update pool_outage set until = to_timestamp(${now}::float8) where algorithm = ${algorithm} and until is null`);
    }
  }
}

/** Records an absence of the server until `until`, since its last run (`ranAt`) or a later share. */
export async function writeGap(db: Querier, ranAt: number, until: number): Promise<void> {
  const at = await oneValue<number | null>(db)`
    select extract(epoch from max(last_share_at))::float8
    from worker_live
    where last_share_at between to_timestamp(${ranAt}::float8) and to_timestamp(${ranAt + 60}::float8)`;
  const since = at ?? ranAt;
  await db.query(sql`update pool_outage set until = to_timestamp(${since}::float8) where until is null`);
  await db.query(sql`insert into pool_outage (algorithm, why, since, until)
    select unnest(${ALGORITHM_NAMES}::text[]), 'server', to_timestamp(${since}::float8),
      to_timestamp(${until}::float8)`);
}

type OutageEvent = Omit<Extract<ChartEvent, { kind: 'outage' }>, 'kind'>;

/** Outages that began before `until` and were not over at `since`, newest first. */
export async function outagesBetween(
  db: Querier,
  algorithm: AlgorithmName,
  { since, until, limit }: { since: number; until: number; limit: number },
): Promise<OutageEvent[]> {
  return rowsOf<OutageEvent>(db)`
    select extract(epoch from since)::int as at, extract(epoch from until)::int as until, why
    from pool_outage
    where algorithm = ${algorithm} and since < to_timestamp(${until}::float8)
      and coalesce(until, 'infinity') >= to_timestamp(${since}::float8)
    order by since desc
    limit ${limit}`;
}

export type PoolIncidents = z.input<Contract['GET /poolIncidents']['response']>;

/** Outages of 90 days, newest first, those of several algorithms as one; short restarts are left out. */
export async function poolIncidents(db: Querier, now: number): Promise<PoolIncidents> {
  return rowsOf<PoolIncidents[number]>(db)`
    select extract(epoch from since)::int as at, extract(epoch from until)::int as until, why,
      array_agg(algorithm order by algorithm) as algorithms
    from pool_outage
    where coalesce(until, 'infinity') > to_timestamp(${now}::float8) - interval '90 days'
      and (why <> 'server' or until - since >= ${GAP_S} * interval '1 second')
    group by since, until, why
    order by since desc`;
}
