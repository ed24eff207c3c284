/** Writes the shares of one batch into all tables of shares. */
import type { PoolClient } from 'pg';
import { addBuckets, type Bucket, workerKey } from './rollup';
import { addUpstreamDays } from './upstream-days';
import { updateLastShares, workerIds } from './worker-rows';

export const MAX_ROWS = 10_000;

/**
 * Adds one batch in the caller's transaction. Returns false when the key was counted before. `rows`: maximum rows of
 * one statement.
 */
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
  const { ids, made } = await workerIds(client, buckets, rows);
  // Drop shares of deleted accounts.
  const known = buckets.filter((bucket) => ids.has(workerKey(bucket)));
  await addBuckets(client, known, ids, { now: batch.now, rows });
  await updateLastShares(client, known, ids, rows);
  await addUpstreamDays(client, buckets, new Set(known));
  return { made };
}
