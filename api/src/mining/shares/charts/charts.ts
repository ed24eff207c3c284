/** Series of hashrates, read from the stored step of each timeframe. Hashrates in H/s, times in Unix seconds. */
import type { Pool } from 'pg';
import type { Absence, Live, Series, WorkerSeries } from '@pool/shared/api/contract';
import {
  DEFAULT_ALGORITHM,
  hashrateOfWork,
  isAlgorithm,
  TIMEFRAMES,
  type AlgorithmName,
  type Timeframe,
} from '@pool/shared/domain';
import { earliest } from '../../../accounts/mined-time/mined-time';
import { rowsOf, sql, type Sql } from '../../../platform/db/querier';
import { sharedRead } from '../../../platform/db/shared-read';
import { together } from '../../../platform/db/together';
import { toSeries, workFrom, workSelect, type Work, type WorkColumns } from './series';
import { minedSelects, scopeOf, type MinedRows, type Source } from './source';
import { windowSelects, windowsFrom, type WindowRows } from './windows';

/** The stored step of each timeframe; a point of the chart has one or several stored steps. */
const STORED: Record<Timeframe, { table: string; seconds: number }> = {
  h2: { table: '1m', seconds: 60 },
  d1: { table: '10m', seconds: 600 },
  d7: { table: '1h', seconds: 3600 },
  d30: { table: '1h', seconds: 3600 },
  d90: { table: '1h', seconds: 3600 },
  y1: { table: '1d', seconds: 86_400 },
};

/** Seconds after which all shares of a step are counted (`COUNT_SECONDS`): before, it would look like a loss. */
export const COUNTED_S = 30;
/** Times and steps of a timeframe, so many `times`, that ends with the last complete step before `now`. */
function shapeOf({ algorithm }: Source, timeframe: Timeframe, now: number, times = 1) {
  const { span, step } = TIMEFRAMES[timeframe];
  const end = Math.floor((now - COUNTED_S) / step) * step;
  const { seconds: stored } = STORED[timeframe];
  return { start: end - times * span, end, count: (times * span) / step, step, stored, algorithm };
}

type Outage = Absence & { algorithm: string };
/** Times of the last two days at which none of the pool's upstreams worked. */
const outagesSelect = (now: number): Sql => sql`
  select algorithm, extract(epoch from since)::int as from, extract(epoch from until)::int as until
  from pool_outage
  where why = 'upstream' and until > to_timestamp(${now}::float8) - interval '2 days'`;
/** Whether an outage stopped this mining, which may have had an upstream of its own: a whole step has no row. */
const stopped = ({ from: since, until }: Outage, rows: readonly Work[], { step }: { step: number }): boolean => {
  const first = Math.ceil(since / step) * step;
  return first + step <= until && !rows.some(({ t }) => t >= first && t + step <= until);
};

async function workOf(pool: Pool, source: Source, timeframe: Timeframe, now: number, times?: number) {
  const { table } = STORED[timeframe];
  const shape = shapeOf(source, timeframe, now, times);
  const scope = scopeOf(source);
  const { work, outages, ...mined } = await together<{ work: WorkColumns; outages: Outage } & MinedRows>(
    pool,
    `chart-${scope.name}-${table}`,
    {
      work: workSelect(scope, table, shape),
      outages: outagesSelect(now),
      ...minedSelects(scope, now),
    },
  );
  const rows = workFrom(work);
  const silent = outages.filter((outage) => outage.algorithm === source.algorithm && stopped(outage, rows, shape));
  return { rows, shape: { ...shape, since: earliest(mined.mining), absences: [...mined.absences, ...silent] } };
}

export async function history(pool: Pool, source: Source, timeframe: Timeframe, now: number): Promise<Series> {
  const { rows, shape } = await workOf(pool, source, timeframe, now);
  return toSeries(rows, shape);
}

/** The last days by ten minutes, with the number of shares of each step. */
export async function daysOf(
  pool: Pool,
  source: Source,
  days: number,
  now: number,
): Promise<{ series: Series; shares: number[] }> {
  const { rows, shape } = await workOf(pool, source, 'd1', now, days);
  const shares = new Array<number>(shape.count).fill(0);
  for (const row of rows) shares[(row.t - shape.start) / shape.step] = row.shares;
  return { series: toSeries(rows, shape), shares };
}

/** History of a worker, with the mean difficulty of its accepted shares. */
export async function workerHistory(
  pool: Pool,
  source: Source & { of: 'worker' },
  timeframe: Timeframe,
  now: number,
): Promise<WorkerSeries> {
  const { rows, shape } = await workOf(pool, source, timeframe, now);
  const difficulty = new Array<number | null>(shape.count).fill(null);
  for (const { t, accepted, shares } of rows)
    if (shares > 0) difficulty[(t - shape.start) / shape.step] = accepted / shares;
  return { ...toSeries(rows, shape), difficulty };
}

/** The live view: a series of the last two hours by the minute, and the current means. */
export const live = (pool: Pool, source: Source, now: number): Promise<Live> =>
  sharedRead(pool, `live ${JSON.stringify(source)}`, () => readLive(pool, source, now));

async function readLive(pool: Pool, source: Source, now: number): Promise<Live> {
  const scope = scopeOf(source);
  const shape = shapeOf(source, 'h2', now);
  const { minutes, ...rows } = await together<WindowRows & { minutes: WorkColumns }>(pool, `live-${scope.name}`, {
    ...windowSelects(scope, now),
    minutes: workSelect(scope, STORED.h2.table, shape),
  });
  const { quality, absences, ...current } = windowsFrom(rows, source, now);
  return {
    series: toSeries(workFrom(minutes), { ...shape, since: earliest(rows.mining), absences: rows.absences }),
    current,
    quality24h: quality,
    ...(absences.length > 0 ? { absences } : {}),
    at: Math.floor(now),
  };
}

/** The algorithm with the highest hashrate of these accounts over the last week. */
export async function mainAlgorithm(pool: Pool, ids: readonly number[], now: number): Promise<AlgorithmName> {
  const rows = await rowsOf<{ algorithm: string; work: number }>(pool)`
    select algorithm, sum(accepted) as work
    from account_1h
    where sub_account_id = any(${ids}::int[]) and at >= to_timestamp(${now - 7 * 86_400}::float8)
    group by 1`;
  const done = rows.flatMap(({ algorithm, work }) =>
    isAlgorithm(algorithm) ? [{ algorithm, rate: hashrateOfWork(algorithm, work, 1) }] : [],
  );
  return done.sort((a, b) => b.rate - a.rate)[0]?.algorithm ?? DEFAULT_ALGORITHM;
}
