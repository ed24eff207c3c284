/** Four users with a sub-account and an address each, and what they mined. */
import type { Pool } from 'pg';
import type { Database } from '../../db/database';
import { appUser, subAccount } from '../../db/schema';
import { emptyTables } from '../../db/testing/test-database';
import { transaction } from '../../db/transaction';
import { countBatch } from '../../shares/count-batch';

export async function insertUsers(database: Database): Promise<void> {
  await emptyTables(database);
  const names = ['ann', 'ben', 'cat', 'dan'];
  await database.db
    .insert(appUser)
    .values(names.map((userName, i) => ({ identityId: `user_${i}`, userName, createdAt: new Date('2026-01-01') })));
  await database.db.insert(subAccount).values(
    names.map((name, i) => ({
      userId: i + 1,
      name,
      thresholdSat: 1000,
      btcAddress: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    })),
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
