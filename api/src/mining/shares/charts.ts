/** Series of hashrates, read from the stored step of each timeframe. Hashrates in H/s, times in Unix seconds. */
import type { Pool } from 'pg';
import type { Absence, Live, Series, WorkerSeries } from '@pool/shared/api/contract';
import {
  DEFAULT_ALGORITHM,
  hashrateError,
  hashrateOfWork,
  minedSeconds,
  isAlgorithm,
  OFFLINE_AFTER_S,
  TIMEFRAMES,
  type AlgorithmName,
  type Timeframe,
} from '@pool/shared/domain';
import { sharedRead } from '../../platform/db/shared-read';
import { together, type Selects } from '../../platform/db/together';
import {
  absencesSelect,
  earliest,
  isOf,
  MIN_S,
  presentSeconds,
  sinceSelect,
  windowMean,
  windowStart,
  type MiningRow,
  type Window,
} from '../../accounts/mined-time/mined-time';
import { raw, sql, type Sql } from '../../platform/db/querier';

/** The stored step of each timeframe; a point of the chart has one or several stored steps. */
const STORED: Record<Timeframe, { table: string; seconds: number }> = {
  h2: { table: '1m', seconds: 60 },
  d1: { table: '10m', seconds: 600 },
  d7: { table: '1h', seconds: 3600 },
  d30: { table: '1h', seconds: 3600 },
  d90: { table: '1h', seconds: 3600 },
  y1: { table: '1d', seconds: 86_400 },
};

export type Work = { t: number; accepted: number; stale: number; rejected: number; shares: number; buckets: number };
export type Source =
  | { of: 'accounts'; ids: number[]; algorithm: AlgorithmName }
  | { of: 'worker'; id: number; account: number; algorithm: AlgorithmName }
  | { of: 'group'; id: number; account: number; algorithm: AlgorithmName }
  | { of: 'pool'; algorithm: AlgorithmName };

/**
 * SQL of a source: `name` of the prepared statement; `workers` filters `w`; `all` filters the workers `w` whose first
 * share the means count from; `these` stands after `sub_account_id` of any table of workers.
 */
type Scope = { name: string; rows(table: string): Sql; workers: Sql; all: Sql; these: Sql };

function scopeOf(source: Source): Scope {
  const { of, algorithm } = source;
  if (of === 'pool') {
    const rows = (table: string): Sql => sql`${raw(`account_${table}`)} where algorithm = ${algorithm}`;
    // No account has this id. A condition without a column is refused on a Citus.
    const none = sql`w.sub_account_id = 0`;
    return { name: of, rows, workers: none, all: none, these: sql`= 0` };
  }
  if (of === 'worker') {
    const { id, account } = source;
    const rows = (table: string): Sql =>
      sql`${raw(`share_${table}`)} where sub_account_id = ${account} and worker_id = ${id}`;
    const workers = sql`w.sub_account_id = ${account} and w.id = ${id}`;
    return { name: of, rows, workers, all: workers, these: sql`= ${account}` };
  }
  if (of === 'group') {
    const all = sql`w.sub_account_id = ${source.account} and w.algorithm = ${algorithm}`;
    const workers = sql`${all} and w.group_id = ${source.id}`;
    // An array, so that the index by worker is used.
    const rows = (table: string): Sql => sql`${raw(`share_${table}`)}
      where sub_account_id = ${source.account} and worker_id = any(array(select w.id from worker w where ${workers}))`;
    return { name: of, rows, workers, all, these: sql`= ${source.account}` };
  }
  // Most often it is one account: a plan for any number of them would expect ten times as many rows.
  const isOne = source.ids.length === 1;
  const these = isOne ? sql`= ${source.ids[0]}::int` : sql`= any(${source.ids}::int[])`;
  const workers = sql`w.algorithm = ${algorithm} and w.sub_account_id ${these}`;
  return {
    name: isOne ? 'account' : of,
    // An account's charts include its work at users' own upstream pools; the pool's charts do not.
    rows: (table) => sql`(
      select sub_account_id, algorithm, at,
        accepted + own_accepted as accepted, stale, rejected, shares + own_shares as shares
      from ${raw(`account_${table}`)}
    ) a
    where algorithm = ${algorithm} and sub_account_id ${these}`,
    workers,
    all: workers,
    these,
  };
}

/** A column each: a JSON object for each row takes longer than reading it. Null: there is none. */
type WorkColumns = { [K in keyof Work]: Work[K][] | null };
const COLUMNS = ['t', 'accepted', 'stale', 'rejected', 'shares', 'buckets'] as const;

/** Sums of difficulty per step in `[start, end)`, without steps that have no row. */
const workSelect = (
  scope: Scope,
  table: string,
  { start, end, step }: Record<'start' | 'end' | 'step', number>,
): Sql => sql`
  select ${raw(COLUMNS.map((name) => `json_agg(${name}) as ${name}`).join())}
  from (
    select extract(epoch from date_bin(make_interval(secs => ${step}::int), at, to_timestamp(0)))::int as t,
      sum(accepted) as accepted,
      sum(stale) as stale,
      sum(rejected) as rejected,
      sum(shares)::float8 as shares,
      count(distinct at)::int as buckets
    from ${scope.rows(table)} and at >= to_timestamp(${start}::int) and at < to_timestamp(${end}::int)
    group by 1
    order by 1
  ) steps`;
const workFrom = ([columns]: WorkColumns[]): Work[] =>
  (columns?.t ?? []).map((t, at) => ({
    t,
    accepted: columns?.accepted?.[at] ?? 0,
    stale: columns?.stale?.[at] ?? 0,
    rejected: columns?.rejected?.[at] ?? 0,
    shares: columns?.shares?.[at] ?? 0,
    buckets: columns?.buckets?.[at] ?? 0,
  }));

type Shape = {
  start: number;
  count: number;
  step: number;
  stored: number;
  algorithm: AlgorithmName;
  /** Start of the mining, and times at which the server did not run: not a part of any mean. */
  since?: number | null;
  absences?: readonly Absence[];
};

/** A series of steps. One without a row is null, but 0 in a short silence: a small miner finds few shares. */
export function toSeries(
  rows: readonly Work[],
  { start, count, step, stored, algorithm, since = null, absences = [] }: Shape,
): Series {
  const points = new Array<Work | undefined>(count);
  for (const row of rows) points[(row.t - start) / step] = row;
  const silence = Math.ceil(OFFLINE_AFTER_S / step);
  const zero = new Array<boolean>(count).fill(false);
  let last: number | undefined;
  for (let i = 0; i <= count; i += 1) {
    if (i < count && !points[i]) continue;
    if (last !== undefined && i - last - 1 < silence) zero.fill(true, last + 1, i);
    last = i;
  }
  /** Seconds of each stored step of a point that count, most first: those without any have no row. */
  const present = Array.from({ length: count }, (_, i) => {
    const from = start + i * step;
    const began = since !== null && since > from && since < from + step ? since : from;
    return Array.from({ length: step / stored }, (__, part) => {
      const at = from + part * stored;
      return presentSeconds(Math.max(at, began), at + stored, absences);
    }).sort((a, b) => b - a);
  });
  const rate = (kind: 'accepted' | 'stale' | 'rejected'): (number | null)[] =>
    present.map((parts, i) => {
      const point = points[i];
      if (!point) return zero[i] && (parts[0] ?? 0) > 0 ? 0 : null;
      const measured = parts.slice(0, point.buckets).reduce((sum, seconds) => sum + seconds, 0);
      return hashrateOfWork(algorithm, point[kind], Math.max(MIN_S, measured));
    });
  return { from: start, step, accepted: rate('accepted'), stale: rate('stale'), rejected: rate('rejected') };
}

/** What means leave out: the time before the mining began, and the server's absences. */
type MinedRows = { mining: Pick<MiningRow, 'since'>; absences: Absence };
const minedSelects = (scope: Scope, now: number): Selects<MinedRows> => ({
  mining: sinceSelect(scope.these, scope.all, now),
  absences: absencesSelect(now),
});

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

export type Windows = Live['current'] & { quality: Live['quality24h']; absences: Absence[] };

type Sums = {
  m5: number;
  shares5: number;
  m15: number;
  h1: number;
  h24: number;
  stale: number;
  rejected: number;
  shares: number;
};
/** A connected worker that has mined for less than five minutes. */
type Starting = { connectedAt: number; firstAt: number | null; work: number };
type WindowRows = { sums: Sums; starting: Starting } & MinedRows;

function windowSelects(scope: Scope, now: number): Selects<WindowRows> {
  const startOf = (window: Window) => sql`to_timestamp(${windowStart(window, now)}::int)`;
  const m5 = startOf('m5');
  // With an end, partitions of the days to come are left out, and the plan for any time is as good as the one for this.
  const end = sql`(${m5} + interval '1 hour')`;
  return {
    sums: sql`
      select *
      from (
        select coalesce(sum(accepted) filter (where at >= ${m5}), 0) as m5,
          coalesce(sum(shares) filter (where at >= ${m5}), 0)::int as shares5,
          coalesce(sum(accepted), 0) as m15
        from ${scope.rows('1m')} and at >= ${startOf('m15')} and at < ${end}
      ) minutes, (
        select coalesce(sum(accepted), 0) as h1
        from ${scope.rows('10m')} and at >= ${startOf('h1')} and at < ${end}
      ) tens, (
        select coalesce(sum(accepted), 0) as h24,
          coalesce(sum(stale), 0) as stale,
          coalesce(sum(rejected), 0) as rejected,
          coalesce(sum(shares), 0)::int as shares
        from ${scope.rows('1h')} and at >= ${startOf('h24')} and at < ${end}
      ) hours`,
    starting: sql`
      select extract(epoch from l.connected_at)::float8 as "connectedAt",
        extract(epoch from m.first)::float8 as "firstAt",
        coalesce(m.accepted, 0) as work
      from worker_live l
      left join lateral (
        -- The minute before, too: minedSeconds.
        select sum(s.accepted) filter (where s.at >= ${m5}) as accepted, min(s.at) as first
        from share_1m s
        where s.sub_account_id = l.sub_account_id and s.worker_id = l.worker_id and s.sub_account_id ${scope.these}
          and s.at >= ${m5} - interval '1 minute' and s.at < ${end}
      ) m on true
      where l.connected_at > ${m5} and l.disconnected_at is null and l.sub_account_id ${scope.these}
        and ${isOf(scope.workers)}`,
    ...minedSelects(scope, now),
  };
}

function windowsFrom(
  { sums: [sums], starting, mining, absences: all }: { [K in keyof WindowRows]: WindowRows[K][] },
  { algorithm }: Source,
  now: number,
): Windows {
  if (!sums) throw new Error('no row');
  const since = windowStart('m5', now);
  // What workers that are new would have done at their rate: an account's hashrate is the sum of its workers'.
  const missed = starting.flatMap(({ work, ...times }) => {
    const mined = minedSeconds({ since, ...times }, now);
    return mined < now - since ? [work * ((now - since) / mined - 1)] : [];
  });
  const start = earliest(mining);
  const absences = all.filter(({ until }) => until > windowStart('h24', now));
  const mean = (name: 'm15' | 'h1' | 'h24'): number =>
    windowMean(algorithm, sums[name], name, { since: start, absences }, now);
  const more = missed.reduce((sum, work) => sum + work, 0);
  return {
    m5: hashrateOfWork(algorithm, sums.m5 + more, now - since),
    ...(missed.length > 0 ? { measuring: hashrateError(sums.shares5) ?? 1 } : {}),
    ...(start !== null && start > windowStart('h24', now) ? { minedSince: start } : {}),
    m15: mean('m15'),
    h1: mean('h1'),
    h24: mean('h24'),
    absences,
    quality: { accepted: sums.h24, stale: sums.stale, rejected: sums.rejected, shares: sums.shares },
  };
}

/** Means of the last 5 min to 24 h and the share quality of 24 h; long ones leave out absences. */
export const windows = (pool: Pool, source: Source, now: number): Promise<Windows> =>
  sharedRead(pool, `windows ${JSON.stringify(source)}`, async () => {
    const scope = scopeOf(source);
    const rows = await together<WindowRows>(pool, `windows-${scope.name}`, windowSelects(scope, now));
    return windowsFrom(rows, source, now);
  });

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
  const { rows } = await pool.query<{ algorithm: string; work: number }>(sql`
    select algorithm, sum(accepted) as work
    from account_1h
    where sub_account_id = any(${ids}::int[]) and at >= to_timestamp(${now - 7 * 86_400}::float8)
    group by 1`);
  const done = rows.flatMap(({ algorithm, work }) =>
    isAlgorithm(algorithm) ? [{ algorithm, rate: hashrateOfWork(algorithm, work, 1) }] : [],
  );
  return done.sort((a, b) => b.rate - a.rate)[0]?.algorithm ?? DEFAULT_ALGORITHM;
}
