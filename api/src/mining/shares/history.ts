/** Counts history in the same way as live shares: each chunk is a batch, so a second run adds nothing. */
import type { Pool } from 'pg';
import { countBatch } from './count-batch';
import { transaction } from '../../platform/db/transaction';
import type { Bucket } from './rollup';

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
