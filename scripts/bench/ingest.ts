/** How fast shares are journaled and counted in the embedded database, and the cost of JOURNAL_SYNC_MS. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../api/src/platform/db/database';
import { createLog } from '../../api/src/platform/log';
import { ShareIngest } from '../../api/src/mining/shares/ingest';
import type { Share } from '../../api/src/stratum/ports';
import { quantile } from './figures';

const log = createLog('silent');
const perSecond = (count: number, sinceMs: number) => Math.round((count / (performance.now() - sinceMs)) * 1000);
const print = (text: string) => process.stdout.write(`${text}\n`);

async function withDatabase(work: (database: Database, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-ingest-'));
  const database = await openDatabase({ folder: join(folder, 'database') });
  try {
    await work(database, join(folder, 'journal'));
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const shareOf = (worker: number, at: number): Share => ({
  subAccountId: 1,
  algorithm: 'SHA256_ASICBOOST',
  worker: `worker-${worker}`,
  difficulty: 65_536,
  outcome: 'accepted',
  at,
});

const SHARES = 100_000;
const WORKERS = 1000;
const BATCH = 10_000;

async function measureIngest({ pool }: Database, folder: string): Promise<void> {
  await pool.query("insert into app_user (id, identity_id, user_name) values (1, 'bench', 'bench')");
  await pool.query("insert into sub_account (id, user_id, name) values (1, 1, 'bench')");
  const from = Date.now() - 300_000;
  const shares = Array.from({ length: SHARES }, (_, i) =>
    shareOf(i % WORKERS, from + Math.floor((i / SHARES) * 300_000)),
  );

  const ingest = await ShareIngest.open({ pool, folder, log, flushMs: 3_600_000 });
  const start = performance.now();
  for (const [i, share] of shares.entries()) {
    void ingest.share(share);
    if ((i + 1) % BATCH === 0) await ingest.flush();
  }
  const counted = perSecond(SHARES, start);
  await ingest.stop();
  const { rows } = await pool.query<{ n: number }>('select sum(shares)::int as n from account_1d');
  if (rows[0]?.n !== SHARES) throw new Error(`counted ${rows[0]?.n} of ${SHARES} shares`);
  print(
    `\nShare ingest, ${SHARES} shares of ${WORKERS} workers into the embedded database: counted ${counted} shares/s`,
  );
}

const SYNCED_SHARES = 50_000;
const MINERS = 500;

/** Miners that each send the next share when the last was answered. */
async function measureSync({ pool }: Database, folder: string, syncMs: number): Promise<void> {
  const ingest = await ShareIngest.open({ pool, folder, log, flushMs: 3_600_000, syncMs });
  const waits: number[] = [];
  let sent = 0;
  const mine = async (miner: number): Promise<void> => {
    while (sent < SYNCED_SHARES) {
      sent += 1;
      const before = performance.now();
      await ingest.share(shareOf(miner, Date.now()));
      waits.push(performance.now() - before);
      // Other work comes between two shares, as in production.
      if (waits.length % 50 === 0) await nextTurn();
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: MINERS }, (_, miner) => mine(miner)));
  const acknowledged = perSecond(SYNCED_SHARES, start);
  await ingest.stop();
  print(
    `  JOURNAL_SYNC_MS=${syncMs}: ${MINERS} miners at once, ${acknowledged} shares/s, ` +
      `answered in ${quantile(waits, 0.5).toFixed(2)} ms (p50), ${quantile(waits, 0.99).toFixed(2)} ms (p99)`,
  );
}

export async function benchIngest(): Promise<void> {
  await withDatabase(measureIngest);
  for (const syncMs of [1000, 100, 10, 0])
    await withDatabase((database, folder) => measureSync(database, folder, syncMs));
}
