import { Miner } from '../../../../e2e/miner/miner';
import { HASHES_PER_DIFFICULTY } from '../../../../e2e/miner/work';
import { startBuiltinPool, type BuiltinPool } from '../builtin-pool';
import { eventually } from '../../testing/eventually';
import { testProxy, type TestProxy } from '../testing/test-proxy';

/** An independent miner with real proofs of work, through the proxy, to a pool that checks every hash. */
describe.each([
  { algorithm: 'SHA256_ASICBOOST', own: 'sha256', hashrate: 20_000 },
  { algorithm: 'SCRYPT', own: 'scrypt', hashrate: 400 },
] as const)('mining $algorithm', ({ algorithm, own, hashrate }) => {
  let pool: BuiltinPool;
  let test: TestProxy;
  let miner: Miner;

  beforeAll(async () => {
    pool = await startBuiltinPool({ algorithm });
    test = await testProxy([pool.target]);
    miner = new Miner({
      host: '127.0.0.1',
      port: test.port,
      user: 'alice.rig-1',
      algorithm: own,
      hashrate,
      rate: 30,
    }).start();
  });
  afterAll(async () => {
    miner.stop();
    await test.proxy.stop();
    await pool.stop();
  });

  it("counts the miner's work within the statistical error", async () => {
    await eventually(() => miner.accepted >= 120, 'shares');
    expect(miner.rejected).toBe(0);
    const counted = test.sink.shares.filter((share) => share.outcome === 'accepted');
    expect(counted.length).toBeGreaterThanOrEqual(120);
    expect(new Set(counted.map((share) => share.worker))).toEqual(new Set(['rig-1']));
    const done = counted.reduce((sum, share) => sum + share.difficulty, 0) * HASHES_PER_DIFFICULTY[own];
    // Five standard deviations of 1/sqrt(n).
    expect(Math.abs(done / miner.hashes - 1)).toBeLessThan(5 / Math.sqrt(counted.length));
  });

  it('continues with a new block', async () => {
    const before = miner.accepted;
    const next = new Promise((resolve) => {
      miner.once('job', resolve);
    });
    pool.nextBlock();
    await next;
    await eventually(() => miner.accepted > before + 10, 'shares of the new block');
  });

  it(own === 'sha256' ? 'rolls the version' : 'does not roll the version', () => {
    expect(miner.mask).toBe(own === 'sha256' ? 0x1fffe000 : 0);
  });
});
