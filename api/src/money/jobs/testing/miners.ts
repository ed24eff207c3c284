/** Four users with a sub-account and an address each, and what they mined. */
import type { Pool } from 'pg';
import type { Database } from '../../../platform/db/database';
import { emptyTables } from '../../../platform/db/testing/test-database';
import { transaction } from '../../../platform/db/transaction';
import { countBatch } from '../../../mining/shares/count-batch';

export async function insertUsers(database: Database): Promise<void> {
  await emptyTables(database);
  await database.pool.query(
    `with made as (
       insert into app_user (identity_id, user_name, created_at)
       select 'user_' || n, name, '2026-01-01Z'
       from unnest('{ann,ben,cat,dan}'::text[]) with ordinality as names (name, n)
       returning id, user_name)
     insert into sub_account (user_id, name, threshold_sat, btc_address)
     select id, user_name, 1000, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' from made order by id`,
  );
}

let sequence = 0;

/** Counts work of an hour each; `at`: Unix seconds. */
export const countWork = (pool: Pool, rows: { account: number; at: number; accepted: number }[]) =>
  transaction(pool, (client) =>
    countBatch(
      client,
      { proxyId: 'test', sequence: (sequence += 1) },
      rows.map((row) => ({
        subAccountId: row.account,
        algorithm: 'SHA256_ASICBOOST' as const,
        worker: 'rig',
        at: row.at,
        span: 3600,
        accepted: row.accepted,
        stale: 0,
        rejected: 0,
        shares: 1,
        lastShareAt: row.at,
      })),
    ),
  );
