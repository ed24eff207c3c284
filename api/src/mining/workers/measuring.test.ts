/** The hashrate of a worker that has just started is right from its first minute on, for the worker and its account. */
import { hashrateOfWork, type AlgorithmName } from '@pool/shared/domain';
import { insertUsers, databaseOfFile } from '../../platform/db/testing/test-database';
import { windows } from '../shares/charts';
import { countWork } from '../shares/testing/count-work';
import { WorkerLists } from './workers';

const A: AlgorithmName = 'SHA256_ASICBOOST';
/** Twenty seconds into a minute. */
const NOW = Math.floor(Date.now() / 60_000) * 60 + 20;
/** Work per second, and seconds per share. */
const WORK_PER_S = 1000;
const SHARE_S = 10;
const RATE = hashrateOfWork(A, WORK_PER_S, 1);

const database = databaseOfFile();
beforeAll(async () => {
  await insertUsers(database, 'alice');
});
beforeEach(() =>
  database.pool.query('truncate worker, share_1m, share_10m, share_1h, account_1m, account_10m cascade'),
);

/** Counts work of workers that have mined for `since` seconds and been connected for `connected` seconds. */
async function mining(workers: Record<string, { since: number; connected: number }>) {
  const { pool } = database;
  const minute = NOW - (NOW % 60);
  const buckets = Object.entries(workers).flatMap(([worker, { since }]) =>
    Array.from({ length: 10 }, (_, ago) => minute - ago * 60).flatMap((at) => {
      const seconds = Math.min(NOW, at + 60) - Math.max(NOW - since, at);
      const [accepted, shares] = [WORK_PER_S * seconds, Math.ceil(seconds / SHARE_S)];
      return seconds > 0 ? [{ worker, at, span: 60, accepted, shares }] : [];
    }),
  );
  await countWork(pool, buckets);
  for (const [worker, { connected }] of Object.entries(workers))
    await pool.query(
      `update worker_live
       set connected_at = to_timestamp($2::float8), disconnected_at = null
       from worker w
       where w.id = worker_id and w.name = $1`,
      [worker, NOW - connected],
    );
  const list = await new WorkerLists(pool).list(1, A, NOW);
  return { list, account: await windows(pool, { of: 'accounts', ids: [1], algorithm: A }, NOW) };
}

it.each([75, 299])('a worker that started %d s ago', async (seconds) => {
  const { list, account } = await mining({ rig: { since: seconds, connected: seconds } });
  const [rig] = list;
  // The work is exact, so a difference comes from the divisor; half a percent allows for rounding of minutes.
  for (const rate of [rig?.m5 ?? 0, account.m5]) expect(Math.abs(rate / RATE - 1)).toBeLessThan(0.005);
  const error = 1 / Math.sqrt(seconds / SHARE_S);
  for (const measured of [rig?.measuring, account.measuring])
    expect(Math.abs((measured ?? 0) / error - 1)).toBeLessThan(0.3);
});

it('in its first minute the hashrate is an average over one minute', async () => {
  const { list, account } = await mining({ rig: { since: 30, connected: 30 } });
  expect((list[0]?.m5 ?? 0) / RATE).toBeCloseTo(0.5, 3);
  expect(account.m5 / RATE).toBeCloseTo(0.5, 3);
});

it.each([30, 310])(
  'a worker that reconnected %d s ago, and one that mined all the time, are not marked as measuring',
  async (connected) => {
    const { list, account } = await mining({
      again: { since: 600, connected },
      steady: { since: 600, connected: 600 },
    });
    for (const worker of list) {
      expect(Math.abs(worker.m5 / RATE - 1)).toBeLessThan(0.005);
      expect(worker.measuring).toBeUndefined();
    }
    expect(Math.abs(account.m5 / (2 * RATE) - 1)).toBeLessThan(0.005);
    expect(account.measuring).toBeUndefined();
  },
);

it("an account's hashrate is the sum of its workers' hashrates, new and old", async () => {
  const { list, account } = await mining({
    steady: { since: 600, connected: 600 },
    fresh: { since: 70, connected: 70 },
    fresher: { since: 60, connected: 60 },
  });
  const sum = list.reduce((total, worker) => total + worker.m5, 0);
  expect(Math.abs(sum / (3 * RATE) - 1)).toBeLessThan(0.005);
  expect(account.m5 / sum).toBeCloseTo(1, 5);
  expect(account.measuring).toBeGreaterThan(0);
});
