/** The time that means and states are judged over, without the server's absences; times in Unix seconds. */
import { ALGORITHM_NAMES, hashrateOfWork, INACTIVE_AFTER_S, type AlgorithmName } from '@pool/shared/domain';
import type { Absence, Series } from '@pool/shared/api/contract';
import { join, type Querier, rowsOf, sql, type Sql } from '../../platform/db/querier';

/** `missed`: H/s times seconds. */
type Shortfall = { at: number; until: number; missed: number };

/** Less than this part of the usual hashrate is a dip. */
const DIP = 0.8;
/** Standard errors that a step may be below by chance. */
const CHANCE = 4;

const DAY_S = 86_400;

/**
 * The dips of a series and the server's absences in it, oldest first. The usual hashrate is the middle one of the steps
 * of a day, counted from the end. `shares`: how many each step has: with few, a low step is chance.
 */
export function dipsIn(
  { from, step, accepted }: Pick<Series, 'from' | 'step' | 'accepted'>,
  shares: readonly number[],
  absences: readonly Absence[],
): Shortfall[] {
  const end = from + accepted.length * step;
  const ofDay = DAY_S / step;
  const days = Array.from({ length: Math.ceil(accepted.length / ofDay) }, (_, ago) => {
    const part = [Math.max(0, accepted.length - (ago + 1) * ofDay), accepted.length - ago * ofDay] as const;
    const known = accepted
      .slice(...part)
      .filter((hs) => hs !== null)
      .sort((a, b) => a - b);
    const usual = known[known.length >> 1] ?? 0;
    const found = shares.slice(...part).reduce((sum, count) => sum + count, 0);
    return { usual, least: usual * Math.min(DIP, 1 - CHANCE / Math.sqrt(found / known.length)) };
  });
  const dayOf = (at: number) => days[Math.floor((end - 1 - at) / DAY_S)] ?? { usual: 0, least: 0 };
  const found = absences.flatMap(({ from: since, until }): Shortfall[] => {
    const at = Math.max(from, since);
    const { usual, least } = dayOf(at);
    return least > 0 && until > at && at < end ? [{ at, until, missed: usual * (until - at) }] : [];
  });
  const isAway = (at: number) => found.some((away) => at < away.until && at + step > away.at);
  let open: Shortfall | undefined;
  // Nobody mined before the first share.
  const first = accepted.findIndex((hs) => hs !== null);
  for (let i = Math.max(0, first); i < accepted.length; i += 1) {
    const at = from + i * step;
    const hs = accepted[i] ?? 0;
    const { usual, least } = dayOf(at);
    if (!(hs < least) || isAway(at)) open = undefined;
    else {
      if (!open) found.push((open = { at, until: at, missed: 0 }));
      open.until = at + step;
      open.missed += (usual - hs) * step;
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

/** An hour of which the pool was there for less is not compared with the day. */
export const MIN_HOUR_S = 1800;
/** The divisor of a mean is at least a minute. */
export const MIN_S = 60;

/**
 * Times of the last two days at which the server did not run, oldest first. The record of an outage begins up to a
 * minute before its last share, and may be about a database that was away: with shares in it the pool was there. A
 * subselect, not `exists`: the planner would join all minutes of two days.
 */
export function absencesOf(db: Querier, now: number): Promise<Absence[]> {
  const { text, values } = absencesSelect(now);
  return rowsOf<Absence>(db, text, values, 'absences');
}

/** The same as SQL, for `together`. */
export const absencesSelect = (now: number): Sql => sql`
  select *
  from (
    select extract(epoch from o.since)::int as from, extract(epoch from o.until)::int as until
    from pool_outage o
    where o.why = 'server'
      and o.until > to_timestamp(${now}::float8) - interval '2 days'
      and (
        select s.at
        from account_1m s
        where s.at >= o.since + interval '1 minute' and s.at <= o.until - interval '1 minute' and s.accepted > 0
        order by s.at
        limit 1
      ) is null
    group by 1, 2
    order by 1 desc
    limit 100
  ) newest
  order by 1`;

/** Seconds between `from` and `until` at which the pool was there. */
export const presentSeconds = (from: number, until: number, absences: readonly Absence[]): number =>
  absences.reduce(
    (left, away) => left - Math.max(0, Math.min(until, away.until) - Math.max(from, away.from)),
    Math.max(0, until - from),
  );

/** What means are of: so many whole stored steps, and the one that is not over. */
const WINDOWS = {
  m5: { step: 60, steps: 5 },
  m15: { step: 60, steps: 15 },
  h1: { step: 600, steps: 5 },
  h24: { step: 3600, steps: 23 },
} as const;
export type Window = keyof typeof WINDOWS;

export const windowStart = (window: Window, now: number): number =>
  (Math.floor(now / WINDOWS[window].step) - WINDOWS[window].steps) * WINDOWS[window].step;

/** `since`: when the account began to mine; null: long ago. */
export type Mined = { since: number | null; absences: readonly Absence[] };

/**
 * The divisor of every mean of 15 min to 24 h: the time of the window at which the pool was there, from the account's
 * first share on. It is the same for all workers of an account, so that their means add up to the account's.
 */
export const windowSeconds = (window: Window, { since, absences }: Mined, now: number): number =>
  Math.max(MIN_S, presentSeconds(Math.max(windowStart(window, now), since ?? 0), now, absences));

/** H/s over a window, of the work in it. */
export const windowMean = (algorithm: AlgorithmName, work: number, ...of: Parameters<typeof windowSeconds>): number =>
  hashrateOfWork(algorithm, work, windowSeconds(...of));

/** The highest of the means of a user's algorithms: hashrates of different algorithms cannot be added. */
export const mainHashrate = (rates: Partial<Record<AlgorithmName, number>> | null): number =>
  Math.max(0, ...ALGORITHM_NAMES.map((algorithm) => hashrateOfWork(algorithm, rates?.[algorithm] ?? 0, 1)));

/**
 * SQL: `windowMean` of 24 h of each user by algorithm, of all accounts together, as work a second (`rate`). `users`:
 * about the account `s`.
 */
export const userRates = (users: Sql, now: number): Sql => sql`
  select day.user_id, day.algorithm, day.work / greatest(${MIN_S}, ${now}::float8 - day.start - coalesce((
      select sum(greatest(0, least(away.until, ${now}::float8) - greatest(away.from, day.start)))
      from (${absencesSelect(now)}) away
    ), 0)) as rate
  from (
    select s.user_id, a.algorithm, sum(a.accepted + a.own_accepted) as work,
      greatest(${windowStart('h24', now)}::int, extract(epoch from min(mining.since))) as start
    from account_1h a
    join sub_account s on s.id = a.sub_account_id
    left join (
      select l.sub_account_id, w.algorithm, min(l.mining_since) as since
      from worker_live l
      join worker w on w.sub_account_id = l.sub_account_id and w.id = l.worker_id
      where ${minedLately(now)}
      group by 1, 2
    ) mining on mining.sub_account_id = a.sub_account_id and mining.algorithm = a.algorithm
    where a.at >= to_timestamp(${windowStart('h24', now)}::int) and ${users}
    group by 1, 2
  ) day`;

/** When the last `seconds` at which the pool was there began. */
export function sinceWhen(seconds: number, now: number, absences: readonly Absence[]): number {
  let start = now - seconds;
  for (const { from, until } of absences.toReversed()) if (until > start) start -= until - from;
  return start;
}

/** A worker without a share for a day begins anew. */
const minedLately = (now: number): Sql => sql`l.last_share_at > to_timestamp(${now - INACTIVE_AFTER_S}::float8)`;
const EARLIEST = sql`extract(epoch from min(l.mining_since))::int as since`;
/**
 * Whether the row `l` of `worker_live` is one of these workers. `workers`: about a worker `w`. `is true` keeps the
 * planner from a join: without statistics it expects few workers, and would compare each with each.
 */
export const isOf = (workers: Sql): Sql => sql`(l.worker_id in (select w.id from worker w where ${workers})) is true`;

/**
 * Selects since when workers mine; null: not within the last day. `accounts`: what stands after `sub_account_id`;
 * `workers`: about a worker `w`.
 */
export const sinceSelect = (accounts: Sql, workers: Sql, now: number): Sql =>
  sql`select ${EARLIEST} from worker_live l where l.sub_account_id ${accounts} and ${minedLately(now)} and ${isOf(workers)}`;

/** The same by sub-account and algorithm, without rows for those that do not mine. `accounts`: what stands after `sub_account_id`. */
export const miningSelect = (accounts: Sql, now: number): Sql =>
  join(
    ALGORITHM_NAMES.map(
      (name) => sql`
  select l.sub_account_id as id, ${name}::text as algorithm, ${EARLIEST}
  from worker_live l
  where l.sub_account_id ${accounts} and ${minedLately(now)}
    and ${isOf(sql`w.algorithm = ${name} and w.sub_account_id ${accounts}`)}
  group by 1`,
    ),
    ' union all ',
  );
export type MiningRow = { id: number; algorithm: string; since: number | null };

/** The earliest; null: nobody mines. */
export const earliest = (rows: readonly Pick<MiningRow, 'since'>[]): number | null =>
  rows.reduce<number | null>(
    (first, { since }) => (first === null || (since !== null && since < first) ? since : first),
    null,
  );

/** Since when each sub-account's workers mine. */
export const startsFrom =
  (rows: readonly MiningRow[]) =>
  (id: number, algorithm: string): number | null =>
    rows.find((row) => row.id === id && row.algorithm === algorithm)?.since ?? null;

export const miningStarts = async (
  db: Querier,
  ids: readonly number[],
  now: number,
): Promise<ReturnType<typeof startsFrom>> =>
  startsFrom(await rowsOf<MiningRow>(db)`${miningSelect(sql`= any(${ids}::int[])`, now)}`);
