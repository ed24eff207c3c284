/** Groups that make less of their expected hashrate than the limit that their owner set. */
import { isAlgorithm } from '@pool/shared/domain';
import type { Note } from '../messages/notifications';
import { DAY_S } from '../money/accounting/pay-per-share';
import { type Querier, rowsOf, sql } from '../platform/db/querier';
import type { PoolState } from './outage';
import { advance, type Seen, type Watch, watchIn, watchSet } from './transitions';

/** What a group makes now is the mean of so long. */
const WINDOW_S = 600;
/** What is expected of a worker is its mean of a week of UTC days, or since it came; in its first hour it is not judged. */
const WEEK_S = 7 * DAY_S;
const MIN_S = 3600;
/** So much above the limit it is over: a hashrate near the limit is not told again and again. */
const BACK = 1.03;

type Limit = Watch & { subAccountId: number; groupId: number; share: number; userId: number; account: string };
type Work = { subAccountId: number; groupId: number; name: string; algorithm: string; now: number; expected: number };

/** Work a second of the groups, now and expected: of workers with alerts that have mined within a day. */
function workOf(db: Querier, limits: readonly Limit[], until: number): Promise<Work[]> {
  const since = Math.floor((until - WEEK_S) / DAY_S) * DAY_S;
  return rowsOf<Work>(db)`
    select g.sub_account_id, g.id as group_id, g.name, w.algorithm,
      coalesce(sum(m.work), 0) / ${WINDOW_S}::float8 as now,
      sum(d.work / greatest(${MIN_S}, ${until}::float8 - f.at)) as expected
    from unnest(
        ${limits.map((limit) => limit.subAccountId)}::int[], ${limits.map((limit) => limit.groupId)}::int[]
      ) as k(account, id)
      join worker_group g on g.sub_account_id = k.account and g.id = k.id
      join worker w on w.sub_account_id = g.sub_account_id and w.group_id = g.id and not w.muted
      join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
        and l.last_share_at > to_timestamp(${until - DAY_S})
      join lateral (
        select extract(epoch from min(h.at))::float8 as at
        from share_1h h
        where h.sub_account_id = w.sub_account_id and h.worker_id = w.id and h.at >= to_timestamp(${since})
      ) f on f.at <= ${until - MIN_S}
      join lateral (
        select sum(d.accepted) as work
        from share_1d d
        where d.sub_account_id = w.sub_account_id and d.worker_id = w.id and d.at >= to_timestamp(${since})
      ) d on true
      join lateral (
        select sum(m.accepted) as work
        from share_1m m
        where m.sub_account_id = w.sub_account_id and m.worker_id = w.id
          and m.at >= to_timestamp(${until - WINDOW_S}) and m.at < to_timestamp(${until})
      ) m on true
    group by 1, 2, 3, 4`;
}

/** What is to be told at `now`, Unix seconds. An outage of the pool, and the time after it, is nobody's low hashrate. */
export async function groupNotes(db: Querier, { up, outages }: PoolState, now: number): Promise<Note[]> {
  const until = Math.floor(now / 60) * 60;
  const limits = await rowsOf<Limit>(db)`
    select g.sub_account_id, g.group_id, g.share, ${watchIn('g')}, s.name as account, s.user_id
    from group_limit g
      join sub_account s on s.id = g.sub_account_id and s.deleted_at is null
      join app_user u on u.id = s.user_id and not u.disabled
    order by 1, 2`;
  if (limits.length === 0) return [];
  const work = await workOf(db, limits, until);
  const isJudged = ({ algorithm, expected }: Work): boolean =>
    isAlgorithm(algorithm) && expected > 0 && !outages[algorithm] && (up[algorithm] ?? now) <= until - WINDOW_S;
  const notes: Note[] = [];
  for (const { subAccountId, groupId, share: limit, userId, account, ...watch } of limits) {
    const own = work.filter((row) => row.subAccountId === subAccountId && row.groupId === groupId && isJudged(row));
    const [first] = own;
    if (!first) continue;
    // Work of two algorithms has no sum: the worse one counts.
    const share = Math.min(...own.map((row) => row.now / row.expected));
    const state = share < limit ? 'trouble' : share >= Math.min(1, limit * BACK) ? 'fine' : 'unclear';
    const next = advance(watch, { state } satisfies Seen, now, { muted: false, lastAlertAt: watch.toldAt });
    if (next.say)
      notes.push({
        userId,
        kind: next.say === 'alert' ? 'workers_group_low' : 'workers_group_low_over',
        values: { account, group: first.name, percent: Math.round(share * 100), limit: Math.round(limit * 100) },
      });
    if (next.watch !== watch)
      await db.query(sql`
        update group_limit set ${watchSet(next.watch)}
        where sub_account_id = ${subAccountId} and group_id = ${groupId}`);
  }
  return notes;
}
