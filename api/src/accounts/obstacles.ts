import { type Querier, valuesOf } from '../platform/db/querier';

export type Obstacle = 'balance_not_zero' | 'workers_active';

/**
 * What keeps each of the sub-accounts from being deleted: a share in the last 24 h; a balance, an unfinished payment or
 * work that is not paid yet. Those that nothing keeps are left out. `now`: Unix seconds.
 */
export async function obstaclesOf(db: Querier, ids: readonly number[], now: number): Promise<Map<number, Obstacle>> {
  const active = await valuesOf<number>(db)`
    select distinct sub_account_id
    from worker_live
    where sub_account_id = any(${ids}::int[]) and last_share_at > to_timestamp(${now}::float8) - interval '24 hours'`;
  const owed = await valuesOf<number>(db)`
    select s.id
    from unnest(${ids}::int[]) as s(id)
    where exists (select 1 from balance where party = 'account' and owner_id = s.id and owed_sat <> 0)
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
      )`;
  const kept = (those: readonly number[], by: Obstacle) => those.map((id) => [id, by] as const);
  return new Map([...kept(owed, 'balance_not_zero'), ...kept(active, 'workers_active')]);
}
