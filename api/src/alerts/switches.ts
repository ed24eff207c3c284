/** Switches of sub-accounts' own upstream pools, from the log the proxy writes (at most six an hour each). */
import type { Note } from '../messages/notifications';
import { dayOf } from '../platform/days';
import { type Querier, raw, sql } from '../platform/db/querier';

/** Older switches were announced already, or are no news. */
const RECENT_S = 3600;

type Row = {
  id: number;
  algorithm: string;
  from_url: string | null;
  to_url: string | null;
  why: string;
  account: string;
  user_id: number;
};

export async function switchNotes(db: Querier, now: number): Promise<Note[]> {
  const { rows } = await db.query<Row>(sql`
    select x.id, x.algorithm, x.from_url, x.to_url, x.why, s.name as account, s.user_id
    from upstream_switch x join sub_account s on s.id = x.sub_account_id and s.deleted_at is null
    where x.at > to_timestamp(${now}::float8 - ${raw(RECENT_S)})
      and not exists (select from notification n where n.user_id = s.user_id and n.once = 'upstream ' || x.id)
    order by x.id`);
  return rows.map(({ id, algorithm, from_url: from, to_url: to, why, account, user_id: userId }): Note => ({
    userId,
    // Said once a day: every miner that comes back finds it so.
    once: why === 'unreadable' ? `upstream unreadable ${account} ${algorithm} ${dayOf(now)}` : `upstream ${id}`,
    kind: why === 'unreadable' ? 'upstream_unreadable' : to === null ? 'upstream_lost' : 'upstream_switch',
    values: { account, algorithm, why, ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) },
  }));
}
