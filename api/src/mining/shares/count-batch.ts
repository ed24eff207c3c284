import type { Pool, PoolClient } from 'pg';
import { addBuckets, type Bucket, workerKey } from './rollup';
import { updateLastShares, workerIds } from './worker-rows';
import { lockShared, transaction } from '../../platform/db/transaction';
import type { UpstreamDay } from '@pool/shared/api/contract';
import { dayOf } from '../../platform/days';
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
      row.acceptedShares += sum.acceptedShares;
      if (!credited.has(bucket)) continue;
      row.credited += sum.credited;
      row.creditedShares += sum.creditedShares;
    }
  }
  // Sorted, so that concurrent writers cannot deadlock.
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Adds buckets. `credited`: those of existing accounts; what a deleted account sent is accepted and credited to nobody. */
async function addUpstreamDays(
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

/** Writes chunks of buckets, one transaction each, keyed by (`source`, number). Returns the number of new chunks. */
export async function ingestHistory(pool: Pool, source: string, chunks: Iterable<readonly Bucket[]>): Promise<number> {
  let sequence = 0;
  let counted = 0;
  for (const buckets of chunks) {
    sequence += 1;
    const key = { proxyId: source, sequence };
    if (await transaction(pool, (client) => countBatch(client, key, buckets))) counted += 1;
  }
  return counted;
}

export const MAX_ROWS = 10_000;

/** Adds one batch in the caller's transaction, `rows` in a statement; false: its key was counted before. */
export async function countBatch(
  client: PoolClient,
  key: { proxyId: string; sequence: number },
  buckets: readonly Bucket[],
  rows = MAX_ROWS,
): Promise<{ made: Set<string> } | false> {
  const {
    rows: [batch],
  } = await client.query<{ now: number }>(
    `insert into ingest_batch (proxy_id, sequence, oldest)
     values ($1, $2, to_timestamp($3::float8))
     on conflict do nothing
     returning extract(epoch from now())::float8 as now`,
    [key.proxyId, key.sequence, buckets.reduce<number | null>((oldest, { at }) => Math.min(oldest ?? at, at), null)],
  );
  if (!batch) return false;
  // Until the commit no worker is joined with another (workers/join.ts).
  await lockShared(client, 'counting');
  const { ids, made } = await workerIds(client, buckets, rows);
  // Drop shares of deleted accounts.
  const known = buckets.filter((bucket) => ids.has(workerKey(bucket)));
  await addBuckets(client, known, ids, { now: batch.now, rows });
  await updateLastShares(client, known, ids, rows);
  await addUpstreamDays(client, buckets, new Set(known));
  return { made };
}
