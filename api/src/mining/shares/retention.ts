/** Retention (docs/install.md): by partition, small tables by rules. Money and the audit log are never deleted. */
import type { Pool } from 'pg';
import { longStatements } from '../../platform/db/bounded';
import { transaction } from '../../platform/db/transaction';
import { rowsOf } from '../../platform/db/querier';

const RULES = [
  // Keys of counted batches, kept far longer than a segment could wait to be counted.
  ['ingest_batch', "at < $1 - interval '30 days' and waiting is null"],
  ['idempotency', "created_at < $1 - interval '24 hours'"],
  [
    'notification',
    "created_at < $1 - interval '1 year' or (read_at is not null and created_at < $1 - interval '90 days')",
  ],
  ['upstream_switch', "at < $1 - interval '1 year'"],
  ['withheld_work', "day < $1 - interval '1 year'"],
  ['pool_outage', "since < $1 - interval '1 year'"],
  ['worker_event', "at < $1 - interval '90 days'"],
  ['worker_join', "made_at < $1 - interval '90 days'"],
  ['bonus_request', "created_at < $1 - interval '1 year'"],
] as const;

/** Moving many rows of the default partition takes long; new shares wait in the journal meanwhile. */
const LONG_MS = 600_000;
const LOCK_WAIT = "set local lock_timeout to '3s'";

/** Drops old partitions and rows, and creates the partitions to come. `now`: the database's Unix seconds. */
export async function keepWithinTime(pool: Pool, now: number): Promise<void> {
  const runLong = (text: string, values: unknown[]): Promise<unknown> =>
    transaction(pool, async (client) => {
      await longStatements(client, LONG_MS);
      await client.query(LOCK_WAIT);
      await client.query(text, values);
    });
  await runLong('select drop_old_partitions(to_timestamp($1::float8))', [now]);
  const missing = await rowsOf<{ parent: string; lowerAt: Date; upperAt: Date }>(pool)`
    select * from missing_partitions(to_timestamp(${now}::float8))`;
  for (const { parent, lowerAt: lower, upperAt: upper } of missing)
    await runLong('select ensure_partition($1, $2, $3)', [parent, lower, upper]);
  for (const [table, over] of RULES)
    await runLong(`delete from ${table} where ${over.replaceAll('$1', 'to_timestamp($1::float8)')}`, [now]);
}
