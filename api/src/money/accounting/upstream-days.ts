/** What each of the pool's own upstreams accepted in a UTC day, and what miners were credited for it. */
import type { UpstreamDay } from '@pool/shared/api/contract';
import { type Querier, rowsOf } from '../../platform/db/querier';

/** Newest day first. `until`: null for today too. */
export async function upstreamDays(db: Querier, from: string, until: string | null = null): Promise<UpstreamDay[]> {
  return rowsOf<UpstreamDay>(db)`
    select day, algorithm, upstream, accepted, credited, accepted_shares, credited_shares, counted
    from upstream_day
    where day >= ${from}::date and day <= coalesce(${until}::date, 'infinity')
    order by day desc, algorithm, upstream`;
}
