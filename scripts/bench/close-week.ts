/**
 * The time to close a week of one-minute data of 200 workers, counted as in production, into earnings.
 * With both databases.
 */
import type { Database } from '../../api/src/db/database';
import { testDatabase } from '../../api/src/db/testing/test-database';
import { transaction } from '../../api/src/db/transaction';
import { closeDays } from '../../api/src/accounting/earnings';
import { countBatch } from '../../api/src/shares/count-batch';
import type { Bucket } from '../../api/src/shares/rollup';
import { onBothDatabases } from './databases';

const DAYS = 7;
const ACCOUNTS = 20;
const WORKERS = 200;
const HOUR_S = 3600;

async function measureCloseWeek({ pool }: Database): Promise<number> {
  await pool.query(
    `insert into app_user (id, identity_id, user_name)
     select n, 'bench' || n, 'bench' || n from generate_series(1, ${ACCOUNTS}) n`,
  );
  await pool.query(
    `insert into sub_account (id, user_id, name) select n, n, 'bench' || n from generate_series(1, ${ACCOUNTS}) n`,
  );
  const today = Math.floor(Date.now() / 86_400_000) * 86_400;
  const first = today - DAYS * 86_400;
  for (let hour = first; hour < today; hour += HOUR_S) {
    const buckets = Array.from({ length: WORKERS * 60 }, (_, i): Bucket => ({
      subAccountId: 1 + (i % ACCOUNTS),
      algorithm: 'SHA256_ASICBOOST',
      worker: `rig-${i % WORKERS}`,
      at: hour + Math.floor(i / WORKERS) * 60,
      span: 60,
      accepted: 2e6 + (i % 97) * 1000,
      stale: 0,
      rejected: 0,
      shares: 30,
      lastShareAt: null,
    }));
    await transaction(pool, (client) => countBatch(client, { proxyId: 'bench', sequence: hour }, buckets));
  }
  const closing = performance.now();
  const { days } = await closeDays(pool, { poolFeePercent: 1.5 }, Date.now() / 1000);
  const closeMs = performance.now() - closing;
  const {
    rows: [made],
  } = await pool.query<{ n: number }>('select count(*) as n from earning');
  if (days !== DAYS || made?.n !== DAYS * ACCOUNTS) throw new Error(`closed ${days} days into ${made?.n} earnings`);
  return closeMs;
}

export const benchCloseWeek = (): Promise<void> =>
  onBothDatabases(async (name) => {
    const database = await testDatabase();
    try {
      const seconds = (await measureCloseWeek(database)) / 1000;
      process.stdout.write(`\nA week of ${WORKERS} workers on ${name} closed in ${seconds.toFixed(2)} s\n`);
    } finally {
      await database.close();
    }
  });
