/**
 * How fast shares are counted: appended to the journal (what a miner's acknowledgement waits for) and written to the
 * embedded database. Beside it the same sums in memory only, so that machines can be compared by the ratio.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pino from 'pino';
import { openDatabase } from '../../api/src/db/database';
import { ShareIngest } from '../../api/src/shares/ingest';
import { minuteBuckets } from '../../api/src/shares/rollup';
import type { Share } from '../../api/src/stratum/ports';

export type IngestBench = {
  shares: number;
  workers: number;
  /** From the first append to the last row in the database. */
  sharesPerSecond: number;
  /** Of one append, in microseconds. */
  ackP50: number;
  ackP99: number;
  /** The same shares added up in memory. */
  inMemoryPerSecond: number;
  /** sharesPerSecond / inMemoryPerSecond. */
  ratio: number;
};

const perSecond = (count: number, since: bigint): number =>
  Math.round(count / (Number(process.hrtime.bigint() - since) / 1e9));

export async function measureIngest({ shares = 100_000, workers = 1000, batches = 10 } = {}): Promise<IngestBench> {
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
      log: pino({ level: 'silent' }),
      flushMs: 3_600_000,
    });
    const acks = new Float64Array(shares);
    const start = process.hrtime.bigint();
    for (let batch = 0; batch < batches; batch += 1) {
      const to = Math.floor((shares * (batch + 1)) / batches);
      for (let i = Math.floor((shares * batch) / batches); i < to; i += 1) {
        const before = process.hrtime.bigint();
        ingest.share(list[i] as Share);
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

export async function benchIngest(): Promise<void> {
  const r = await measureIngest();
  process.stdout.write(
    [
      `\nShare ingest, ${r.shares} shares of ${r.workers} workers into the embedded database`,
      `  counted ${r.sharesPerSecond} shares/s (in memory only ${r.inMemoryPerSecond}; ratio ${r.ratio})`,
      `  written down before the acknowledgement in ${r.ackP50} µs (p50), ${r.ackP99} µs (p99)\n`,
    ].join('\n'),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) void benchIngest();
