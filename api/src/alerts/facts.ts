/** What there is to see of the workers, in one query over all accounts. Inactive workers are left out; so are most of those that are well. */
import type { AlgorithmName } from '@pool/shared/domain';
import type { Querier } from '../db/querier';
import { BEFORE_S, RECENT_S, type Users } from './outage';
import type { AlertKind, Seen } from './transitions';

/** Rejected work above this part of all, in the last hour, is trouble. */
export const REJECTS_LIMIT = 0.05;
/** A rate is judged from so many shares an hour on: below, chance alone looks like trouble (error about 1/sqrt(shares)). */
export const ENOUGH_SHARES = 20;
const OFFLINE_S = 600;

export type Facts = {
  id: number;
  name: string;
  algorithm: AlgorithmName;
  muted: boolean;
  account: string;
  userId: number;
  /** Unix seconds. */
  lastShareAt: number;
  /** Enough shares, and in every ten minutes of the hour, to judge the rate. */
  steady: boolean;
  low: boolean;
  judged: boolean;
  rejects: boolean;
};

/**
 * The windows are those of the worker list (pool/workers.ts): the hour in ten-minute steps, the day in hours. $1 now, $2 start
 * of the hour, $3 the step that is not over, $4 start of the day; Unix seconds.
 */
const FACTS = `
  with hour as materialized (
    select worker_id, sum(accepted) as accepted, sum(accepted + stale + rejected) as work, sum(rejected) as rejected, sum(shares) as shares,
      count(*) filter (where accepted > 0 and at < to_timestamp($3::float8)) as steps
    from share_10m where at >= to_timestamp($2::float8) group by 1
  ), day as materialized (
    select worker_id, sum(accepted) as accepted, sum(shares) as shares from share_1h where at >= to_timestamp($4::float8) group by 1
  ), judged as (
    select l.worker_id, l.last_share_at,
      coalesce(h.steps >= 5 and d.shares >= $5::float8 * 24, false) as steady,
      coalesce(h.accepted / ($1::float8 - $2::float8) < w.alert_limit * d.accepted / ($1::float8 - $4::float8), false) as low,
      coalesce(h.shares >= $5::float8 or (h.accepted = 0 and h.rejected > 0), false) as judged,
      coalesce(h.rejected > h.work * $6::float8, false) as rejects,
      w.id, w.name, w.algorithm, w.muted, w.sub_account_id
    from worker_live l join worker w on w.id = l.worker_id left join hour h on h.worker_id = l.worker_id left join day d on d.worker_id = l.worker_id
    where l.last_share_at > to_timestamp($1::float8 - 86400)
  )
  select j.id, j.name, j.algorithm, j.muted, s.name as account, s.user_id as "userId", extract(epoch from j.last_share_at)::float8 as "lastShareAt", j.steady, j.low, j.judged, j.rejects
  from judged j join sub_account s on s.id = j.sub_account_id and s.deleted_at is null join app_user u on u.id = s.user_id and not u.disabled
  where j.last_share_at < to_timestamp($1::float8 - ${RECENT_S}) or (j.steady and j.low) or (j.judged and j.rejects)
    or exists (select from worker_alert a where a.worker_id = j.id)
  order by j.id`;

export async function workerFacts(db: Querier, now: number): Promise<Facts[]> {
  const step = Math.floor(now / 600) * 600;
  const { rows } = await db.query<Facts>(FACTS, [
    now,
    step - 3000,
    step,
    Math.floor(now / 3600) * 3600 - 23 * 3600,
    ENOUGH_SHARES,
    REJECTS_LIMIT,
  ]);
  return rows;
}

/** `upSince`: silence counts from there at the earliest. */
export function seenOf(facts: Facts, kind: AlertKind, now: number, upSince: number): Seen {
  const quietSince = Math.max(facts.lastShareAt, upSince);
  const silent = now - facts.lastShareAt > OFFLINE_S;
  if (kind === 'offline') {
    if (now - quietSince > OFFLINE_S) return { state: 'trouble', since: quietSince };
    // One share and then silence again is not a recovery.
    return { state: now - facts.lastShareAt < RECENT_S ? 'fine' : 'unclear' };
  }
  if (kind === 'low') {
    if (silent || !facts.steady) return { state: 'unclear' };
    return { state: facts.low ? 'trouble' : 'fine' };
  }
  if (!facts.judged) return { state: 'unclear' };
  return { state: facts.rejects ? 'trouble' : 'fine' };
}

/** Miners of each algorithm that were and are at work. */
export async function usersAtWork(db: Querier, now: number): Promise<Map<string, Users>> {
  const { rows } = await db.query<Users & { algorithm: string }>(
    `select w.algorithm, count(distinct s.user_id) as before, count(distinct s.user_id) filter (where l.last_share_at > to_timestamp($1::float8 - ${RECENT_S})) as recent
     from worker_live l join worker w on w.id = l.worker_id join sub_account s on s.id = w.sub_account_id where l.last_share_at > to_timestamp($1::float8 - ${BEFORE_S}) group by 1`,
    [now],
  );
  return new Map(rows.map((row) => [row.algorithm, row]));
}
