/**
 * How fast shares are counted: appended to the journal (which an acknowledgement waits for) and written to the embedded
 * database. Also the same sums in memory only, so that machines can be compared by the ratio, and the cost of
 * JOURNAL_SYNC_MS.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '../../api/src/db/database';
import { createLog } from '../../api/src/log';
import { ShareIngest } from '../../api/src/shares/ingest';
import { minuteBuckets } from '../../api/src/shares/rollup';
import type { Share } from '../../api/src/stratum/ports';

type IngestBench = {
  shares: number;
  workers: number;
  /** From the first append to the last row in the database. */
  sharesPerSecond: number;
  /** Time of the loop that one append takes, in microseconds. */
  ackP50: number;
  ackP99: number;
  /** The same shares summed in memory. */
  inMemoryPerSecond: number;
  /** sharesPerSecond / inMemoryPerSecond. */
  ratio: number;
};

type SyncBench = {
  syncMs: number;
  /** Shares acknowledged, by miners that each send the next share when the last was answered. */
  sharesPerSecond: number;
  /** Time until the answer, in milliseconds. */
  p50: number;
  p99: number;
};

const log = createLog('silent');
const perSecond = (count: number, since: bigint): number =>
  Math.round(count / (Number(process.hrtime.bigint() - since) / 1e9));

async function measureIngest({ shares = 100_000, workers = 1000, batches = 10 } = {}): Promise<IngestBench> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-ingest-'));
  const database = await openDatabase({ folder: join(folder, 'database') });
  try {
    const {
      rows: [user],
    } = await database.pool.query<{ id: number }>(
      "insert into app_user (identity_id, user_name) values ('bench', 'bench') returning id",
    );
    const {
      rows: [account],
    } = await database.pool.query<{ id: number }>(
      "insert into sub_account (user_id, name) values ($1, 'bench') returning id",
      [user?.id],
    );
    const subAccountId = account?.id ?? 0;
    const at = Date.now();
    const list = Array.from({ length: shares }, (_, i): Share => ({
      subAccountId,
      algorithm: 'SHA256_ASICBOOST',
      worker: `worker-${i % workers}`,
      difficulty: 65_536,
      outcome: i % 200 ? 'accepted' : 'stale',
      at: at + Math.floor((i / shares) * 300_000) - 300_000,
    }));

    minuteBuckets(list);
    const inMemory = process.hrtime.bigint();
    minuteBuckets(list);
    const inMemoryPerSecond = perSecond(shares, inMemory);

    const ingest = await ShareIngest.open({
      pool: database.pool,
      folder: join(folder, 'journal'),
      log,
      flushMs: 3_600_000,
    });
    const acks = new Float64Array(shares);
    const start = process.hrtime.bigint();
    for (let batch = 0; batch < batches; batch += 1) {
      const to = Math.floor((shares * (batch + 1)) / batches);
      for (let i = Math.floor((shares * batch) / batches); i < to; i += 1) {
        const before = process.hrtime.bigint();
        void ingest.share(list[i] as Share);
        acks[i] = Number(process.hrtime.bigint() - before) / 1000;
      }
      await ingest.flush();
    }
    const sharesPerSecond = perSecond(shares, start);
    await ingest.stop();
    const {
      rows: [sum],
    } = await database.pool.query<{ n: number }>('select sum(shares)::int as n from account_1d');
    const accepted = list.filter((share) => share.outcome === 'accepted').length;
    if (sum?.n !== accepted) throw new Error(`counted ${sum?.n} of ${accepted} shares`);
    acks.sort();
    const at2 = (part: number): number => Math.round((acks[Math.floor(shares * part)] ?? 0) * 10) / 10;
    return {
      shares,
      workers,
      sharesPerSecond,
      ackP50: at2(0.5),
      ackP99: at2(0.99),
      inMemoryPerSecond,
      ratio: Math.round((sharesPerSecond / inMemoryPerSecond) * 1000) / 1000,
    };
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `miners` that mine at once through a journal without a database. */
async function measureSync(syncMs: number, { shares = 50_000, miners = 500 } = {}): Promise<SyncBench> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sync-'));
  const database = await openDatabase({});
  try {
    const ingest = await ShareIngest.open({ pool: database.pool, folder, log, flushMs: 3_600_000, syncMs });
    const waits = new Float64Array(shares);
    let next = 0;
    const mine = async (miner: number): Promise<void> => {
      while (next < shares) {
        const n = next;
        next += 1;
        const before = performance.now();
        await ingest.share({
          subAccountId: 1,
          algorithm: 'SHA256_ASICBOOST',
          worker: `worker-${miner}`,
          difficulty: 65_536,
          outcome: 'accepted',
          at: Date.now(),
        });
        waits[n] = performance.now() - before;
        // As in production, other work comes between two shares.
        if (n % 50 === 0) await nextTurn();
      }
    };
    const start = process.hrtime.bigint();
    await Promise.all(Array.from({ length: miners }, (_, miner) => mine(miner)));
    const sharesPerSecond = perSecond(shares, start);
    await ingest.stop();
    waits.sort();
    const at = (part: number): number => Math.round((waits[Math.floor(shares * part)] ?? 0) * 1000) / 1000;
    return { syncMs, sharesPerSecond, p50: at(0.5), p99: at(0.99) };
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function benchIngest(): Promise<void> {
  const r = await measureIngest();
  const syncs: SyncBench[] = [];
  for (const syncMs of [1000, 100, 10, 0]) syncs.push(await measureSync(syncMs));
  process.stdout.write(
    [
      `\nShare ingest, ${r.shares} shares of ${r.workers} workers into the embedded database`,
      `  counted ${r.sharesPerSecond} shares/s (in memory only ${r.inMemoryPerSecond}; ratio ${r.ratio})`,
      `  each takes ${r.ackP50} µs (p50), ${r.ackP99} µs (p99) of the loop before it is written`,
      ...syncs.map(
        (s) =>
          `  JOURNAL_SYNC_MS=${s.syncMs}: 500 miners at once, ${s.sharesPerSecond} shares/s, ` +
          `answered in ${s.p50} ms (p50), ${s.p99} ms (p99)`,
      ),
      '',
    ].join('\n'),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) void benchIngest();
