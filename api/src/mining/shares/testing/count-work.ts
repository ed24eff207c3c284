/** Test helper: work in the tables, counted as the server counts it. */
import type { Pool } from 'pg';
import { transaction } from '../../../platform/db/transaction';
import { countBatch } from '../count-batch';
import type { Bucket } from '../rollup';

let sequence = 0;

/** Counts each row; what it does not say is an hour of `rig`, of the account 1. */
export const countWork = (pool: Pool, rows: readonly (Partial<Bucket> & Pick<Bucket, 'at' | 'accepted'>)[]) =>
  transaction(pool, (client) =>
    countBatch(
      client,
      { proxyId: 'counted', sequence: (sequence += 1) },
      rows.map((row) => ({
        subAccountId: 1,
        algorithm: 'SHA256_ASICBOOST',
        worker: 'rig',
        span: 3600,
        stale: 0,
        rejected: 0,
        shares: 1,
        lastShareAt: row.at,
        ...row,
      })),
    ),
  );
