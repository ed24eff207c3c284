/** What a user's sub-accounts do now, for the account page, and what keeps one from being deleted. */
import type { z } from 'zod';
import type { Contract, WorkerCounts } from '@pool/shared/api/contract';
import { isAlgorithm } from '@pool/shared/domain';
import { type Querier, sql } from '../platform/db/querier';
import { absencesOf, miningStarts, windowMean, windowStart } from './mined-time/mined-time';
import type { SubAccountRow } from './accounts';

export type Obstacle = 'balance_not_zero' | 'workers_active';

/**
 * What keeps each of the sub-accounts from being deleted: a share in the last 24 h; a balance, an unfinished payment or
 * work that is not paid yet. Those that nothing keeps are left out. `now`: Unix seconds.
 */
export async function obstaclesOf(db: Querier, ids: readonly number[], now: number): Promise<Map<number, Obstacle>> {
  const { rows } = await db.query<{ id: number; owed: boolean; active: boolean }>(sql`
    select s.id,
      exists (select 1 from balance where party = 'account' and owner_id = s.id and owed_sat <> 0)
        or exists (select 1 from payment where sub_account_id = s.id and status not in ('confirmed', 'cancelled'))
        or exists (
          select 1
          from account_1h a
          where a.sub_account_id = s.id
            and a.accepted > 0
            and a.at >= to_timestamp(${now}::float8) - interval '60 days'
            and not exists (
              select 1
              from earning e
              where e.sub_account_id = s.id
                and e.algorithm = a.algorithm
                and e.day = (a.at at time zone 'UTC')::date
            )
        ) as owed,
      exists (
        select 1
        from worker w
        join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
        where w.sub_account_id = s.id and l.last_share_at > to_timestamp(${now}::float8) - interval '24 hours'
      ) as active
    from unnest(${ids}::int[]) as s(id)`);
  return new Map(
    rows.flatMap(({ id, owed, active }): [number, Obstacle][] =>
      active ? [[id, 'workers_active']] : owed ? [[id, 'balance_not_zero']] : [],
    ),
  );
}

type Facts = z.input<Contract['GET /subAccounts/facts']['response']>[number];

/** Mean hashrates of the last hour, workers of all algorithms (`countsOf`), balance and address, in their order. */
export async function factsOf(
  db: Querier,
  accounts: readonly SubAccountRow[],
  primary: string,
  now: number,
  countsOf: (id: number) => Promise<WorkerCounts>,
): Promise<Facts[]> {
  const ids = accounts.map(({ id }) => id);
  const absences = await absencesOf(db, now);
  const startOf = await miningStarts(db, ids, now);
  const work = await db.query<{ id: number; algorithm: string; work: number }>(sql`
    select sub_account_id as id, algorithm, sum(accepted + own_accepted) as work
    from account_10m
    where sub_account_id = any(${ids}::int[]) and at >= to_timestamp(${windowStart('h1', now)}::float8)
    group by 1, 2`);
  const counts = await Promise.all(ids.map(countsOf));
  const money = await db.query<{ id: number; unpaid: number }>(sql`
    select owner_id as id, owed_sat as unpaid from balance where party = 'account' and owner_id = any(${ids}::int[])`);
  const obstacles = await obstaclesOf(db, ids, now);
  return accounts.map(({ id, name, btcAddress, addressHoldUntil, minerPassword }, i) => {
    const { online = 0, low = 0, offline = 0, disconnected } = counts[i] ?? {};
    return {
      id,
      hashrates: Object.fromEntries(
        work.rows.flatMap(({ id: of, algorithm, work: done }) =>
          of === id && isAlgorithm(algorithm) && done > 0
            ? [[algorithm, windowMean(algorithm, done, 'h1', { since: startOf(id, algorithm), absences }, now)]]
            : [],
        ),
      ),
      workersOnline: online,
      workersLow: low,
      ...(disconnected && { workersDisconnected: disconnected }),
      workersOffline: offline,
      unpaidSat: money.rows.find((row) => row.id === id)?.unpaid ?? 0,
      btcAddress,
      heldUntil: addressHoldUntil && addressHoldUntil.getTime() > now * 1000 ? addressHoldUntil.toISOString() : null,
      minerPasswordSet: minerPassword !== null,
      obstacle: name === primary ? 'primary_account' : (obstacles.get(id) ?? null),
    };
  });
}
