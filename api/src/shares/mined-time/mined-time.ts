/**
 * The time that means and states are judged over: since when somebody mines, without the times at which the server did
 * not run. Times in Unix seconds.
 */
import { INACTIVE_AFTER_S } from '@pool/shared/domain';
import type { Absence } from '@pool/shared/api/contract';
import type { Querier } from '../../db/querier';

/** An hour of which the pool was there for less is not compared with the day. */
export const MIN_HOUR_S = 1800;
/** The divisor of a mean is at least a minute. */
export const MIN_S = 60;

/**
 * Times of the last two days at which the server did not run, oldest first. The record of an outage begins up to a
 * minute before its last share, and may be about a database that was away: with shares in it the pool was there.
 */
export async function absencesOf(db: Querier, now: number): Promise<Absence[]> {
  const { rows } = await db.query<Absence>({
    name: 'absences',
    text: `select extract(epoch from o.since)::int as from, extract(epoch from o.until)::int as until
      from pool_outage o
      where o.why = 'server'
        and o.until > to_timestamp($1::float8) - interval '2 days'
        and not exists (
          select from share_1m s
          where s.at >= o.since + interval '1 minute' and s.at + interval '1 minute' <= o.until and s.accepted > 0
        )
      group by 1, 2
      order by 1
      limit 100`,
    values: [now],
  });
  return rows;
}

/** Seconds between `from` and `until` at which the pool was there. */
export const presentSeconds = (from: number, until: number, absences: readonly Absence[]): number =>
  absences.reduce(
    (left, away) => left - Math.max(0, Math.min(until, away.until) - Math.max(from, away.from)),
    Math.max(0, until - from),
  );

/** The divisor for work done from `from` on by somebody who mines since `since`; null: for long. */
export const divisor = (from: number, since: number | null, now: number, absences: readonly Absence[]): number =>
  Math.max(MIN_S, presentSeconds(Math.max(from, since ?? 0), now, absences));

/** When the last `seconds` at which the pool was there began. */
export function sinceWhen(seconds: number, now: number, absences: readonly Absence[]): number {
  let start = now - seconds;
  for (const { from, until } of absences.toReversed()) if (until > start) start -= until - from;
  return start;
}

/**
 * Since when the accounts' workers, those of the group, or the worker mine; null without a share of the last day. Who
 * sent none for a day begins anew.
 */
export async function miningSince(
  db: Querier,
  source:
    { of: 'accounts'; ids: number[]; algorithm: string } | { of: 'group' | 'worker'; id: number; algorithm: string },
  now: number,
): Promise<number | null> {
  const column = { accounts: 'w.sub_account_id', group: 'w.group_id', worker: 'w.id' }[source.of];
  const {
    rows: [row],
  } = await db.query<{ since: number | null }>({
    name: `mining-since-${source.of}`,
    text: `select extract(epoch from min(l.mining_since))::int as since
      from worker w
      join worker_live l on l.worker_id = w.id
      where ${column} = any($1::int[]) and w.algorithm = $2 and l.last_share_at > to_timestamp($3::float8)`,
    values: [source.of === 'accounts' ? source.ids : [source.id], source.algorithm, now - INACTIVE_AFTER_S],
  });
  return row?.since ?? null;
}

/** As `miningSince`, of each of the sub-accounts. */
export async function miningStarts(
  db: Querier,
  ids: readonly number[],
  now: number,
): Promise<(id: number, algorithm: string) => number | null> {
  const { rows } = await db.query<{ key: string; since: number | null }>(
    `select w.sub_account_id || ' ' || w.algorithm as key, extract(epoch from min(l.mining_since))::int as since
     from worker w
     join worker_live l on l.worker_id = w.id
     where w.sub_account_id = any($1::int[]) and l.last_share_at > to_timestamp($2::float8)
     group by 1`,
    [ids, now - INACTIVE_AFTER_S],
  );
  const starts = new Map(rows.map(({ key, since }) => [key, since]));
  return (id, algorithm) => starts.get(`${id} ${algorithm}`) ?? null;
}
