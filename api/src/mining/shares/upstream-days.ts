/** What each of the pool's own upstreams accepted a day, and what is credited for it. */
import type { PoolClient } from 'pg';
import type { UpstreamDay } from '@pool/shared/api/contract';
import { dayOf } from '../../platform/days';
import type { Bucket } from './rollup';
import { sql } from '../../platform/db/querier';

type Sums = Omit<UpstreamDay, 'counted'>;

function sumByDay(buckets: readonly Bucket[], credited: ReadonlySet<Bucket>): Sums[] {
  const days = new Map<string, Sums>();
  for (const bucket of buckets) {
    if (!bucket.taken) continue;
    const day = dayOf(bucket.at);
    for (const [upstream, sum] of bucket.taken) {
      const key = `${day} ${bucket.algorithm} ${upstream}`;
      let row = days.get(key);
      if (!row) {
        row = {
          day,
          algorithm: bucket.algorithm,
          upstream,
          accepted: 0,
          credited: 0,
          acceptedShares: 0,
          creditedShares: 0,
        };
        days.set(key, row);
      }
      row.accepted += sum.accepted;
      row.acceptedShares += sum.shares;
      if (!credited.has(bucket)) continue;
      row.credited += sum.credited;
      row.creditedShares += sum.shares;
    }
  }
  // Sorted, so that concurrent writers cannot deadlock.
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Adds buckets. `credited`: those of existing accounts; what a deleted account sent is accepted and credited to nobody. */
export async function addUpstreamDays(
  client: PoolClient,
  buckets: readonly Bucket[],
  credited: ReadonlySet<Bucket>,
): Promise<void> {
  const rows = sumByDay(buckets, credited);
  if (rows.length === 0) return;
  await client.query(sql`
    insert into upstream_day as t (day, algorithm, upstream, accepted, credited, accepted_shares, credited_shares)
    select day, algorithm, upstream, accepted, credited, "acceptedShares", "creditedShares"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      day date, algorithm text, upstream text, accepted float8, credited float8,
      "acceptedShares" bigint, "creditedShares" bigint)
    on conflict (day, algorithm, upstream) do update set
      accepted = t.accepted + excluded.accepted,
      credited = t.credited + excluded.credited,
      accepted_shares = t.accepted_shares + excluded.accepted_shares,
      credited_shares = t.credited_shares + excluded.credited_shares`);
}
