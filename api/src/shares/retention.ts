/**
 * What is kept how long (docs/operations.md). Measurements go with their partitions; here is what has no partitions and
 * is small. Money, the ledger, earnings, payments and the audit log are never deleted.
 */
import type { Pool } from 'pg';
import { transaction } from '../db/transaction';

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

/** Rows that have no partition move into theirs, however many they are; whoever counts waits in the journal meanwhile. */
const PATIENCE = "set local statement_timeout to '10min'; set local lock_timeout to '3s'";

/** Drops partitions and deletes rows whose time is over at `now` (Unix seconds, of the database), and makes the partitions of the days to come. */
export async function keepWithinTime(pool: Pool, now: number): Promise<void> {
  const patiently = (text: string, values: unknown[]): Promise<unknown> =>
    transaction(pool, async (client) => {
      await client.query(PATIENCE);
      await client.query(text, values);
    });
  await patiently('select drop_old_partitions(to_timestamp($1::float8))', [now]);
  const { rows: missing } = await pool.query<{ parent: string; lower_at: Date; upper_at: Date }>(
    'select * from missing_partitions(to_timestamp($1::float8))',
    [now],
  );
  for (const { parent, lower_at: lower, upper_at: upper } of missing)
    await patiently('select ensure_partition($1, $2, $3)', [parent, lower, upper]);
  for (const [table, over] of RULES)
    await patiently(`delete from ${table} where ${over.replaceAll('$1', 'to_timestamp($1::float8)')}`, [now]);
}
