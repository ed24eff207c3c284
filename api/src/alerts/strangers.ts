/** Marks new worker names as strange when there are many within a day: anybody can mine in an account's name. */
import type { Note } from '../messages/notifications';
import { dayOf } from '../platform/days';
import { type Querier, rowsOf } from '../platform/db/querier';
import { listed } from './workers';

/** New names of an account and algorithm within a day. */
const MANY = 100;
/** Times the mean work of these names. */
const FAR_MORE = 10;

/** Marks strange names; at most one notification a day and account. `now`: Unix seconds. */
export async function strangerNotes(db: Querier, now: number): Promise<Note[]> {
  const rows = await rowsOf<{ userId: number; account: string; names: string[] }>(db)`
    with fresh as materialized (
      select id, sub_account_id, algorithm, standing
      from worker
      where created_at > to_timestamp(${now}::float8 - 86400) and standing is distinct from 'owned'
    ), crowd as (
      select sub_account_id, algorithm from fresh group by 1, 2 having count(*) >= ${MANY}
    ), work as (
      select sub_account_id, worker_id, sum(accepted) as sum
      from share_1h
      where at > to_timestamp(${now}::float8 - 90000)
        and (sub_account_id, worker_id) in (
          select sub_account_id, id from fresh join crowd using (sub_account_id, algorithm)
        )
      group by 1, 2
    ), judged as (
      select f.sub_account_id, f.id, f.standing, coalesce(w.sum, 0) as work,
        avg(coalesce(w.sum, 0)) over (partition by f.sub_account_id, f.algorithm) as mean
      from fresh f
        join crowd c on c.sub_account_id = f.sub_account_id and c.algorithm = f.algorithm
        left join work w on w.sub_account_id = f.sub_account_id and w.worker_id = f.id
    ), marked as (
      update worker w
      set standing = 'strange'
      from judged j
      where w.sub_account_id = j.sub_account_id and w.id = j.id and j.standing is null
        and j.work <= j.mean * ${FAR_MORE}
      returning w.sub_account_id, w.name
    )
    select s.user_id, s.name as account, array_agg(m.name order by m.name) as names
    from marked m
      join sub_account s on s.id = m.sub_account_id
    group by 1, 2`;
  return rows.map(({ userId, account, names }) => ({
    userId,
    kind: 'workers_strange',
    values: { account, count: names.length, names: listed(names) },
    once: `strange ${account} ${dayOf(now)}`,
  }));
}
