import { once } from 'node:events';
import { Miner } from '../../../../e2e/miner/miner';
import { HASHES_PER_DIFFICULTY } from '../../../../e2e/miner/work';
import { startBuiltinPool, type BuiltinPool } from '../builtin-pool';
import { eventually } from '../../testing/eventually';
import { testProxy, type TestProxy } from '../testing/test-proxy';

/** An independent miner with real proofs of work, through the proxy, to a pool that checks every hash. */
let pool: BuiltinPool;
let test: TestProxy;
let miner: Miner;

beforeAll(async () => {
  pool = await startBuiltinPool({ algorithm: 'SCRYPT' });
  test = await testProxy([pool.target]);
  const host = '127.0.0.1';
  miner = new Miner({
    host,
    port: test.port,
    user: 'alice.rig-1',
    algorithm: 'scrypt',
    hashrate: 400,
    rate: 30,
  }).start();
});
afterAll(async () => {
  miner.stop();
  await test.proxy.stop();
  await pool.stop();
});

it('counts the work of a SCRYPT miner within the statistical error, and that of the next block', async () => {
  await eventually(() => miner.accepted >= 120, 'shares');
  expect([miner.rejected, miner.mask]).toEqual([0, 0]);
  const counted = test.sink.shares.filter((share) => share.outcome === 'accepted');
  expect(counted.length).toBeGreaterThanOrEqual(120);
  expect(new Set(counted.map((share) => share.worker))).toEqual(new Set(['rig-1']));
  const done = counted.reduce((sum, share) => sum + share.difficulty, 0) * HASHES_PER_DIFFICULTY.scrypt;
  // Five standard deviations of 1/sqrt(n).
  expect(Math.abs(done / miner.hashes - 1)).toBeLessThan(5 / Math.sqrt(counted.length));
  const before = miner.accepted;
  const next = once(miner, 'job');
  pool.nextBlock();
  await next;
  await eventually(() => miner.accepted > before + 10, 'shares of the new block');
});
