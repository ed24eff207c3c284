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
import { absencesOf, divisor, MIN_S, miningSince, presentSeconds } from './mined-time/mined-time';

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
  | { of: 'worker'; id: number; algorithm: AlgorithmName }
  | { of: 'group'; id: number; algorithm: AlgorithmName }
  | { of: 'pool'; algorithm: AlgorithmName };

function from(source: Source, table: string): { text: string; values: unknown[] } {
  if (source.of === 'worker') return { text: `share_${table} where worker_id = $4`, values: [source.id] };
  if (source.of === 'group') {
    // An array, so that the index by worker is used.
    const members = 'array(select id from worker where algorithm = $4 and group_id = $5)';
    return { text: `share_${table} where worker_id = any(${members})`, values: [source.algorithm, source.id] };
  }
  if (source.of === 'pool') return { text: `account_${table} where algorithm = $4`, values: [source.algorithm] };
  // An account's charts include its work at users' own upstream pools; the pool's charts do not.
  const text = `(
      select sub_account_id, algorithm, at,
        accepted + own_accepted as accepted, stale, rejected, shares + own_shares as shares
      from account_${table}
    ) a
    where algorithm = $4 and sub_account_id = any($5::int[])`;
  return { text, values: [source.algorithm, source.ids] };
}

/** Sums of difficulty per step of `step` seconds in `[start, end)`, without steps that have no row. */
async function work(
  pool: Pool,
  source: Source,
  { table, step, start, end }: { table: string; step: number; start: number; end: number },
): Promise<Work[]> {
  const { text, values } = from(source, table);
  const { rows } = await pool.query<Work>({
    name: `chart-${source.of}-${table}`,
    text: `select extract(epoch from date_bin(make_interval(secs => $3::int), at, to_timestamp(0)))::int as t,
             sum(accepted) as accepted,
             sum(stale) as stale,
             sum(rejected) as rejected,
             sum(shares)::float8 as shares,
             count(distinct at)::int as buckets
           from ${text} and at >= to_timestamp($1::int) and at < to_timestamp($2::int)
           group by 1
           order by 1`,
    values: [start, end, step, ...values],
  });
  return rows;
}

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

/**
 * Converts steps to a series. A step without a row is null, except in short silences between steps with rows, where it
 * is 0: a small miner finds no share in many minutes, which is not a loss of data.
 */
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
  const present = Array.from({ length: count }, (_, i) => {
    const [from, until] = [start + i * step, start + (i + 1) * step];
    return presentSeconds(since !== null && since > from && since < until ? since : from, until, absences);
  });
  const rate = (kind: 'accepted' | 'stale' | 'rejected'): (number | null)[] =>
    present.map((seconds, i) => {
      const point = points[i];
      if (!point) return zero[i] && seconds > 0 ? 0 : null;
      // With several stored steps in one point, divide by those with a row, so that a gap does not lower the mean.
      const measured = stored === step ? step : point.buckets * stored;
      return hashrateOfWork(algorithm, point[kind], Math.max(MIN_S, measured - (step - seconds)));
    });
  return { from: start, step, accepted: rate('accepted'), stale: rate('stale'), rejected: rate('rejected') };
}

/** The work of a timeframe, ending with the last complete step before `now`. */
async function workOf(pool: Pool, source: Source, timeframe: Timeframe, now: number) {
  const { span, step } = TIMEFRAMES[timeframe];
  const { table, seconds } = STORED[timeframe];
  const end = Math.floor(now / step) * step;
  const start = end - span;
  const [rows, since, absences] = await Promise.all([
    work(pool, source, { table, step, start, end }),
    source.of === 'pool' ? null : miningSince(pool, source, now),
    absencesOf(pool, now),
  ]);
  return {
    rows,
    shape: { start, count: span / step, step, stored: seconds, algorithm: source.algorithm, since, absences },
  };
}

/** History over a timeframe. */
export async function history(pool: Pool, source: Source, timeframe: Timeframe, now: number): Promise<Series> {
  const { rows, shape } = await workOf(pool, source, timeframe, now);
  return toSeries(rows, shape);
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

const WINDOWS = {
  m5: { table: '1m', step: 60, steps: 5 },
  m15: { table: '1m', step: 60, steps: 15 },
  h1: { table: '1m', step: 60, steps: 60 },
  h24: { table: '10m', step: 600, steps: 144 },
} as const;

export type Windows = Live['current'] & { quality: Live['quality24h']; absences: Absence[] };

/**
 * Counts the workers that have mined for less than five minutes. `missed`: the additional work they would have done at
 * their current rate since `since`. Adding it makes an account's hashrate equal the sum of its workers' hashrates.
 */
async function startingWorkers(
  pool: Pool,
  source: Exclude<Source, { of: 'pool' }>,
  since: number,
  now: number,
): Promise<{ workers: number; missed: number }> {
  const which = { worker: 'w.id = $3', group: 'w.group_id = $3', accounts: 'w.sub_account_id = any($3::int[])' }[
    source.of
  ];
  const value = source.of === 'accounts' ? source.ids : source.id;
  const { rows } = await pool.query<{ connectedAt: number; firstAt: number | null; work: number }>({
    name: `starting-${source.of}`,
    text: `select extract(epoch from l.connected_at)::float8 as "connectedAt",
        extract(epoch from m.first)::float8 as "firstAt",
        coalesce(m.accepted, 0) as work
      from worker_live l
      join worker w on w.id = l.worker_id
      left join lateral (
        select sum(s.accepted) as accepted, min(s.at) as first
        from share_1m s
        where s.worker_id = w.id and s.at >= to_timestamp($1::float8)
      ) m on true
      where l.connected_at > to_timestamp($1::float8) and l.disconnected_at is null and w.algorithm = $2 and ${which}`,
    values: [since, source.algorithm, value],
  });
  const starting = rows.flatMap(({ work, ...times }) => {
    const mined = minedSeconds({ since, ...times }, now);
    return mined < now - since ? [work * ((now - since) / mined - 1)] : [];
  });
  return { workers: starting.length, missed: starting.reduce((sum, work) => sum + work, 0) };
}

/**
 * Means over the last 5 min, 15 min, 1 h and 24 h, the current step included, and the share quality of 24 h. The longer
 * ones leave out the time before the mining began and the server's absences.
 */
export async function windows(pool: Pool, source: Source, now: number): Promise<Windows> {
  const since = (name: keyof typeof WINDOWS): number =>
    Math.floor(now / WINDOWS[name].step) * WINDOWS[name].step - WINDOWS[name].steps * WINDOWS[name].step;
  const minutes = from(source, '1m');
  const tens = from(source, '10m');
  const {
    rows: [row],
  } = await pool.query<{
    m5: number;
    shares5: number;
    m15: number;
    h1: number;
    h24: number;
    stale: number;
    rejected: number;
    shares: number;
  }>({
    name: `windows-${source.of}`,
    text: `select *
      from (
        select coalesce(sum(accepted) filter (where at >= to_timestamp($1::int)), 0) as m5,
          coalesce(sum(shares) filter (where at >= to_timestamp($1::int)), 0)::int as shares5,
          coalesce(sum(accepted) filter (where at >= to_timestamp($2::int)), 0) as m15,
          coalesce(sum(accepted), 0) as h1
        from ${minutes.text} and at >= to_timestamp($3::int)
      ) minutes, (
        select coalesce(sum(accepted), 0) as h24,
          coalesce(sum(stale), 0) as stale,
          coalesce(sum(rejected), 0) as rejected,
          coalesce(sum(shares), 0)::int as shares
        from ${tens.text} and at >= to_timestamp($${4 + minutes.values.length}::int)
      ) tens`,
    values: [since('m5'), since('m15'), since('h1'), ...minutes.values, since('h24')],
  });
  const sums = row ?? { m5: 0, shares5: 0, m15: 0, h1: 0, h24: 0, stale: 0, rejected: 0, shares: 0 };
  const starting = source.of === 'pool' ? null : await startingWorkers(pool, source, since('m5'), now);
  const start = source.of === 'pool' ? null : await miningSince(pool, source, now);
  const absences = (await absencesOf(pool, now)).filter(({ until }) => until > since('h24'));
  const mean = (name: 'm15' | 'h1' | 'h24'): number =>
    hashrateOfWork(source.algorithm, sums[name], divisor(since(name), start, now, absences));
  return {
    m5: hashrateOfWork(source.algorithm, sums.m5 + (starting?.missed ?? 0), now - since('m5')),
    ...(starting && starting.workers > 0 ? { measuring: hashrateError(sums.shares5) ?? 1 } : {}),
    ...(start !== null && start > since('h24') ? { minedSince: start } : {}),
    m15: mean('m15'),
    h1: mean('h1'),
    h24: mean('h24'),
    absences,
    quality: { accepted: sums.h24, stale: sums.stale, rejected: sums.rejected, shares: sums.shares },
  };
}

/** The live view: a series of the last two hours by the minute, and the current means. */
export async function live(pool: Pool, source: Source, now: number): Promise<Live> {
  const series = await history(pool, source, 'h2', now);
  const { quality, absences, ...current } = await windows(pool, source, now);
  return {
    series,
    current,
    quality24h: quality,
    ...(absences.length > 0 ? { absences } : {}),
    at: Math.floor(now),
  };
}

/** The algorithm with the highest hashrate of these accounts over the last week. */
export async function mainAlgorithm(pool: Pool, ids: readonly number[], now: number): Promise<AlgorithmName> {
  const { rows } = await pool.query<{ algorithm: string; work: number }>(
    `select algorithm, sum(accepted) as work
     from account_1h
     where sub_account_id = any($1::int[]) and at >= to_timestamp($2::float8)
     group by 1`,
    [ids, now - 7 * 86_400],
  );
  const done = rows.flatMap(({ algorithm, work }) =>
    isAlgorithm(algorithm) ? [{ algorithm, rate: hashrateOfWork(algorithm, work, 1) }] : [],
  );
  return done.sort((a, b) => b.rate - a.rate)[0]?.algorithm ?? DEFAULT_ALGORITHM;
}
