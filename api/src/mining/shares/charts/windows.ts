/** The current means of a source, and its share quality. */
import type { Pool } from 'pg';
import type { Absence, Live } from '@pool/shared/api/contract';
import { hashrateError, hashrateOfWork, minedSeconds } from '@pool/shared/domain';
import { earliest, isOf, windowMean, windowStart, type Window } from '../../../accounts/mined-time/mined-time';
import { sql } from '../../../platform/db/querier';
import { sharedRead } from '../../../platform/db/shared-read';
import { together, type Selects } from '../../../platform/db/together';
import { minedSelects, scopeOf, type MinedRows, type Scope, type Source } from './source';

export type Windows = Live['current'] & { quality: Live['quality24h']; absences: Absence[] };

type Sums = Record<'m5' | 'shares5' | 'm15' | 'h1' | 'h24' | 'stale' | 'rejected' | 'shares', number>;
/** A connected worker that has mined for less than five minutes. */
type Starting = { connectedAt: number; firstAt: number | null; work: number };
export type WindowRows = { sums: Sums; starting: Starting } & MinedRows;

export function windowSelects(scope: Scope, now: number): Selects<WindowRows> {
  const startOf = (window: Window) => sql`to_timestamp(${windowStart(window, now)}::int)`;
  const m5 = startOf('m5');
  // An end leaves out the partitions of the days to come, and makes the plan for any time as good as the one for this.
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
      select extract(epoch from l.connected_at)::float8 as connected_at,
        extract(epoch from m.first)::float8 as first_at,
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

export function windowsFrom(
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
