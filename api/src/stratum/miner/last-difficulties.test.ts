/** Where a worker starts after the server was restarted: at the difficulty of its last shares, from the database. */
import { insertUsers, databaseOfFile } from '../../platform/db/testing/test-database';
import { transaction } from '../../platform/db/transaction';
import { countBatch } from '../../mining/shares/count-batch';
import { minuteBuckets } from '../../mining/shares/rollup';
import type { Share } from '../ports';
import { stratumForEach } from '../testing/for-each';
import type { TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';
import { type LastWork, pgLastWork } from './last-difficulties';

const { stub, proxyOf, join } = stratumForEach();
const database = databaseOfFile();
let upstream: StubUpstream;
let test: TestProxy | null = null;
const hour = 3_600_000;
const now = Date.now();

beforeAll(async () => {
  await insertUsers(database, 'alice');
  const share = (worker: string, ago: number, difficulty: number, change: Partial<Share> = {}): Share => ({
    subAccountId: 1,
    algorithm: 'SHA256_ASICBOOST',
    worker,
    difficulty,
    outcome: 'accepted',
    at: now - ago,
    ...change,
  });
  const shares = [
    // Its search of yesterday does not count, nor what was refused.
    share('rig', 24 * hour, 8),
    ...[500, 500, 600, 400].map((difficulty) => share('rig', hour, difficulty)),
    share('rig', hour, 1e9, { outcome: 'rejected' }),
    share('long-gone', 8 * 24 * hour, 64),
    share('refused', hour, 64, { outcome: 'rejected' }),
    share('own', hour, 64, { ownPool: true }),
    share('scrypt', hour, 0.5, { algorithm: 'SCRYPT' }),
  ];
  await transaction(database.pool, (client) =>
    countBatch(client, { proxyId: 'earlier', sequence: 1 }, minuteBuckets(shares)),
  );
});

beforeEach(async () => {
  upstream = await stub();
});
afterEach(() => {
  test = null;
});

/** What a proxy that has just started suggests to the upstream for this worker. */
async function suggested(lastWork: LastWork, worker = 'rig', software?: string): Promise<unknown> {
  test ??= await proxyOf([upstream.target], { lastWork });
  upstream.suggested = [];
  const c = await join(test.port, `alice.${worker}`, ...(software ? [software] : []));
  await c.notification('mining.notify');
  return upstream.suggested[0];
}

it('is a quarter of the mean of the ten minutes of its last share', async () => {
  expect(await suggested(pgLastWork(database.pool))).toBe(500 / 4);
});

it('is of the same software only: another machine has the name now', async () => {
  expect(await suggested(pgLastWork(database.pool), 'rig', 'ESP-Miner/1')).toBeUndefined();
});

it("is known of a user's own pool as well", async () => {
  expect(await suggested(pgLastWork(database.pool), 'own')).toBe(64 / 4);
});

it.each(['long-gone', 'refused', 'scrypt', 'unknown'])('is open for the worker %s', async (worker) => {
  expect(await suggested(pgLastWork(database.pool), worker)).toBeUndefined();
});

it('is read once for an account, however many of its workers come', async () => {
  let reads = 0;
  const read: LastWork = (...of) => {
    reads += 1;
    return pgLastWork(database.pool)(...of);
  };
  for (const worker of ['a', 'b', 'rig']) await suggested(read, worker);
  expect(reads).toBe(1);
});

it('is open while the database fails or says nothing: miners get work, and it is asked again after a failure', async () => {
  let reads = 0;
  const fails: LastWork = () => {
    reads += 1;
    return Promise.reject(new Error('down'));
  };
  expect([await suggested(fails), await suggested(fails), reads]).toEqual([undefined, undefined, 2]);
  test = null;
  const silent: LastWork = () => new Promise(() => undefined);
  expect(await suggested(silent)).toBeUndefined();
});
