/**
 * What is kept how long (docs/operations.md). Measurements go with their partitions; here is what has no partitions and
 * is small. Money, the ledger, earnings, payments and the audit log are never deleted.
 */
import type { Pool } from 'pg';

const RULES = [
  // Keys of counted batches: far longer than a segment could wait and come back.
  ['ingest_batch', "at < $1 - interval '30 days'"],
  ['idempotency', "created_at < $1 - interval '24 hours'"],
  [
    'notification',
    "created_at < $1 - interval '1 year' or (read_at is not null and created_at < $1 - interval '90 days')",
  ],
  ['upstream_switch', "at < $1 - interval '1 year'"],
  ['bonus_request', "created_at < $1 - interval '1 year'"],
] as const;

/** Drops partitions and deletes rows whose time is over at `now` (Unix seconds), and makes the partitions of the days to come. */
export async function keepWithinTime(pool: Pool, now: number): Promise<void> {
  await pool.query('select ensure_partitions(to_timestamp($1::float8))', [now]);
  await pool.query('select drop_old_partitions(to_timestamp($1::float8))', [now]);
  for (const [table, over] of RULES)
    await pool.query(`delete from ${table} where ${over.replaceAll('$1', 'to_timestamp($1::float8)')}`, [now]);
}
