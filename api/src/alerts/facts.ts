/** Workers that may need an alert, in one query: none that are inactive, strange or, for the most part, healthy. */
import { STEADY, type AlgorithmName } from '@pool/shared/domain';
import { type Querier, raw, rowsOf } from '../platform/db/querier';
import { absencesOf, MIN_HOUR_S, windowSeconds, windowStart } from '../accounts/mined-time/mined-time';
import { OFFLINE_AFTER } from '../platform/offline';
import { BEFORE_S, RECENT_S, type Users } from './outage';
import type { AlertKind, Say, Seen } from './transitions';

/** Alert when more than this part of the last hour's work was rejected. */
const REJECTS_LIMIT = 0.05;
/** Shares an hour that a rate needs before it is judged: with fewer, chance alone looks like a fault. */
const MIN_SHARES = STEADY.shares / 24;

export type Facts = {
  id: number;
  subAccountId: number;
  name: string;
  algorithm: AlgorithmName;
  muted: boolean;
  account: string;
  userId: number;
  /** Unix seconds. */
  lastShareAt: number;
  /** Seconds of silence after which it is offline. */
  offlineAfter: number;
  /** Work a second, from the start of its day until its last share. */
  pace: number;
  /** The hashrate can be judged (`STEADY`). */
  steady: boolean;
  low: boolean;
  judged: boolean;
  rejects: boolean;
};

/** What a run says of a worker. */
export type Told = { facts: Facts; kind: AlertKind; say: Exclude<Say, null> };

/** Seconds: $1 now, $2, $3, $4 starts of hour, step and day, $7, $8 how long the pool was there in hour and day. */
const FACTS = `
  with hour as materialized (
    select sub_account_id, worker_id, sum(accepted) as accepted, sum(accepted + stale + rejected) as work,
      sum(rejected) as rejected, sum(shares) as shares,
      count(*) filter (where accepted > 0 and at < to_timestamp($3::float8)) as steps
    from share_10m where at >= to_timestamp($2::float8) group by 1, 2
  ), day as materialized (
    select sub_account_id, worker_id, sum(accepted) as accepted, sum(shares) as shares
    from share_1h where at >= to_timestamp($4::float8) group by 1, 2
  ), judged as (
    select l.worker_id, l.last_share_at, ${OFFLINE_AFTER} as offline_after,
      coalesce(h.steps >= ${STEADY.steps} and d.shares >= ${STEADY.shares}, false) as steady,
      coalesce(
        h.accepted / $7::float8 < w.alert_limit * d.accepted / $8::float8
          and l.mining_since <= to_timestamp($4::float8)
          and $7::float8 >= ${MIN_HOUR_S},
        false
      ) as low,
      coalesce(h.shares >= $5::float8 or (h.accepted = 0 and h.rejected > 0), false) as judged,
      coalesce(h.rejected > h.work * $6::float8, false) as rejects,
      coalesce(d.accepted, 0) / greatest(600, extract(epoch from l.last_share_at)::float8
        - greatest($4::float8, coalesce(extract(epoch from l.mining_since)::float8, 0))) as pace,
      w.id, w.name, w.algorithm, w.muted, w.sub_account_id
    from worker_live l
      join worker w on w.sub_account_id = l.sub_account_id and w.id = l.worker_id
      left join hour h on h.sub_account_id = l.sub_account_id and h.worker_id = l.worker_id
      left join day d on d.sub_account_id = l.sub_account_id and d.worker_id = l.worker_id
    where l.last_share_at > to_timestamp($1::float8 - 86400) and w.standing is distinct from 'strange'
  )
  select j.id, j.sub_account_id, j.name, j.algorithm, j.muted, s.name as account, s.user_id,
    extract(epoch from j.last_share_at)::float8 as last_share_at, j.offline_after, j.pace, j.steady, j.low, j.judged,
    j.rejects
  from judged j
    join sub_account s on s.id = j.sub_account_id and s.deleted_at is null
    join app_user u on u.id = s.user_id and not u.disabled
  where j.last_share_at < to_timestamp($1::float8 - ${RECENT_S}) or (j.steady and j.low) or (j.judged and j.rejects)
    or exists (select from worker_alert a where a.sub_account_id = j.sub_account_id and a.worker_id = j.id)
  order by j.id`;

export async function workerFacts(db: Querier, now: number): Promise<Facts[]> {
  const step = Math.floor(now / 600) * 600;
  const absences = await absencesOf(db, now);
  return rowsOf<Facts>(db, FACTS, [
    now,
    windowStart('h1', now),
    step,
    windowStart('h24', now),
    MIN_SHARES,
    REJECTS_LIMIT,
    windowSeconds('h1', { since: null, absences }, now),
    windowSeconds('h24', { since: null, absences }, now),
  ]);
}

/** Whether the worker has the fault `kind` now. `upSince`: when the pool came up; silence before it does not count. */
export function seenOf(facts: Facts, kind: AlertKind, now: number, upSince: number): Seen {
  const quietSince = Math.max(facts.lastShareAt, upSince);
  const silent = now - facts.lastShareAt > facts.offlineAfter;
  if (kind === 'offline') {
    if (now - quietSince > facts.offlineAfter) return { state: 'trouble', since: quietSince };
    // A single share followed by silence is not a recovery.
    return { state: now - facts.lastShareAt < RECENT_S ? 'fine' : 'unclear' };
  }
  if (kind === 'low') {
    if (silent || !facts.steady) return { state: 'unclear' };
    return { state: facts.low ? 'trouble' : 'fine' };
  }
  if (!facts.judged) return { state: 'unclear' };
  return { state: facts.rejects ? 'trouble' : 'fine' };
}

/** Whether it is about to be offline: others that fell silent with it wait for it, so that they are told together. */
export const isGoing = ({ lastShareAt, offlineAfter, muted }: Facts, now: number, upSince: number): boolean => {
  const silence = now - Math.max(lastShareAt, upSince);
  return !muted && silence > Math.max(RECENT_S, offlineAfter / 2) && silence <= offlineAfter;
};

export async function activeUsers(db: Querier, now: number): Promise<Map<string, Users>> {
  const rows = await rowsOf<Users & { algorithm: string }>(db)`
    select w.algorithm, count(distinct s.user_id) as before,
      count(distinct s.user_id) filter (
        where l.last_share_at > to_timestamp(${now}::float8 - ${raw(RECENT_S)})
      ) as recent
    from worker_live l
      join worker w on w.sub_account_id = l.sub_account_id and w.id = l.worker_id
      join sub_account s on s.id = w.sub_account_id
    where l.last_share_at > to_timestamp(${now}::float8 - ${raw(BEFORE_S)})
    group by 1`;
  return new Map(rows.map((row) => [row.algorithm, row]));
}
