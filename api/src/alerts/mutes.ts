/** The end of mutes that have one. */
import { type Querier, raw, rowsOf, sql } from '../platform/db/querier';
import { RECENT_S } from './outage';

/**
 * Ends mutes whose time is over, and those until a worker mines again. What went wrong meanwhile and was told of to
 * nobody is found anew by the next run. `now`: Unix seconds.
 */
export async function endMutes(db: Querier, now: number): Promise<void> {
  const ended = await rowsOf<{ subAccountId: number; id: number }>(db)`
    update worker w
    set muted = false, muted_until = null
    where w.muted_until <= to_timestamp(${now}::float8) or (
      w.muted_until = 'infinity'
      and exists (
        select from worker_live l
        where l.sub_account_id = w.sub_account_id and l.worker_id = w.id
          and l.last_share_at > to_timestamp(${now}::float8 - ${raw(RECENT_S)})
      )
      and not exists (
        select from worker_alert a
        where a.sub_account_id = w.sub_account_id and a.worker_id = w.id and a.since is not null
      )
    )
    returning w.sub_account_id, w.id`;
  if (ended.length === 0) return;
  const untold = sql`
    a.sub_account_id = any(${ended.map((one) => one.subAccountId)}::int[])
    and a.worker_id = any(${ended.map(({ id }) => id)}::int[]) and a.active and not a.told`;
  await db.query(sql`
    delete from worker_event e using worker_alert a
    where e.sub_account_id = a.sub_account_id and e.worker_id = a.worker_id and e.kind = a.kind and e.at = a.since
      and e.event_id is null and ${untold}`);
  await db.query(sql`update worker_alert a set active = false where ${untold}`);
}
