/** How much of the last day and week a worker mined, and the model that it is. */
import type { Pool } from 'pg';
import type { WorkerUptime } from '@pool/shared/api/contract';
import { machineIn } from '@pool/shared/machines';
import { oneValue, rowsOf } from '../../platform/db/querier';
import { OFFLINE_AFTER } from '../../platform/offline';
import { COUNTED_S } from '../shares/charts/charts';
import type { Source } from '../shares/charts/source';

const STEP_S = 600;
const DAY_S = 86_400;

/** SQL: the part of the fitting steps in which it mined. A step without work while the pool was out does not count. */
const partOf = (fits: string): string =>
  `count(*) filter (where up and ${fits})::float8 / nullif(count(*) filter (where (up or not out) and ${fits}), 0)`;

/** Parts of the last 24 h and 7 days in which a worker mined, by steps of ten minutes; null: none has ended. */
export async function uptimeOf(
  pool: Pool,
  { id, account, algorithm }: Source & { of: 'worker' },
  now: number,
): Promise<WorkerUptime> {
  const end = Math.floor((now - COUNTED_S) / STEP_S) * STEP_S;
  const outages = await oneValue<string | null>(pool)`
    select range_agg(tstzrange(since, coalesce(until, 'infinity')))::text from pool_outage where algorithm = ${algorithm}`;
  const [row] = await rowsOf<Pick<WorkerUptime, 'h24' | 'd7'> & { name: string; software: string | null }>(
    pool,
    `
      select w.name, l.software, ${partOf(`t.at >= to_timestamp($4::float8 - ${DAY_S})`)} as h24, ${partOf('true')} as d7
      from worker w
      left join worker_live l on l.sub_account_id = $2 and l.worker_id = w.id
      left join lateral (
        select t.at,
          exists (
            select
            from share_10m s
            where s.sub_account_id = $2 and s.worker_id = $1 and s.accepted > 0
              and s.at <= t.at and s.at > t.at - ${OFFLINE_AFTER} * interval '1 second'
          ) as up,
          coalesce(tstzrange(t.at, t.at + interval '${STEP_S} seconds') && $3::tstzmultirange, false) as out
        from generate_series(
          greatest(to_timestamp($4::float8 - 7 * ${DAY_S}), date_bin('${STEP_S} seconds', w.created_at, to_timestamp(0))),
          to_timestamp($4::float8 - ${STEP_S}),
          interval '${STEP_S} seconds'
        ) as t(at)
      ) t on true
      where w.sub_account_id = $2 and w.id = $1
      group by w.name, l.software`,
    [id, account, outages, end],
    'uptime',
  );
  const { name = '', software = null, h24 = null, d7 = null } = row ?? {};
  const said = machineIn(algorithm, software ?? '');
  const model = said ?? machineIn(algorithm, name);
  return {
    h24,
    d7,
    model: model ? { name: model.name, hashrate: model.hashrate, by: said ? 'software' : 'name' } : null,
  };
}
