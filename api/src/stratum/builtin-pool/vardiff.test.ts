/** Difficulty of a connection, for miners from 1 kH/s to 200 TH/s. Time is simulated, shares arrive at random. */
import { Miner } from '../../../../e2e/miner/miner';
import { HASHES_PER_DIFFICULTY } from '../../../../e2e/miner/work';
import { stream } from '../../demo/random';
import { eventually } from '../testing/test-proxy';
import { startBuiltinPool } from './index';
import { Vardiff, VARDIFF } from './vardiff';

const HASHRATES = [1e3, 1e4, 1e5, 1.4e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 2e14];
const RUNS = 20;
const SECONDS = 600;
const TICK = 0.25;

/** Ten minutes of a miner that takes new work every `scan` seconds, or at once. Times in seconds. */
function mine(hashrate: number, scan: number, seed: number) {
  const random = stream(seed);
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now * 1000);
  const pool = new Vardiff(VARDIFF);
  const right = (hashrate * VARDIFF.targetSeconds) / HASHES_PER_DIFFICULTY.sha256;
  let [mined, tick, scanEnd] = [pool.difficulty, TICK * random(), scan];
  let [first, off, settled] = [Infinity, 0, 0];
  while (now < SECONDS) {
    const share = now - (Math.log(1 - random()) * mined * HASHES_PER_DIFFICULTY.sha256) / hashrate;
    const next = Math.min(share, tick, scan > 0 ? scanEnd : Infinity);
    if (next > 60) {
      settled += next - now;
      if (Math.abs(Math.log2(pool.difficulty / right)) > 1) off += next - now;
    }
    now = next;
    if (now === tick) {
      tick += TICK;
      pool.tick();
    } else if (now === share) {
      first = Math.min(first, now);
      pool.share(mined);
    } else scanEnd += scan;
    if (scan === 0 || scanEnd - scan === now) mined = pool.difficulty;
  }
  clock.mockRestore();
  return { first, off: off / settled };
}

describe.each([
  ['takes new work at once', 0],
  ['finishes a scan of five seconds first', 5],
])('a miner that %s', (_, scan) => {
  it.each(HASHRATES)('of %d H/s', (hashrate) => {
    const runs = Array.from({ length: RUNS }, (__, i) =>
      mine(hashrate, scan, 1000 * i + Math.round(Math.log2(hashrate))),
    );
    expect(Math.max(...runs.map(({ first }) => first))).toBeLessThan(20);
    // From the second minute on: within a factor of two of a share every ten seconds for nine tenths of the time;
    // chance has the rest.
    expect(runs.reduce((sum, { off }) => sum + off, 0) / RUNS).toBeLessThan(0.1);
  });
});

it('stays at the difficulty the miner suggests', () => {
  const asked = new Vardiff(VARDIFF);
  expect([asked.suggest(0.00012345), asked.difficulty]).toEqual([true, 0.00012345]);
  for (let i = 1; i <= 100; i += 1) asked.share(0.00012345);
  expect([asked.tick(performance.now() + 1e6), asked.difficulty]).toEqual([false, 0.00012345]);
  expect([asked.suggest(1e-30), asked.difficulty]).toEqual([true, VARDIFF.min]);
});

it('settles for an independent miner that finishes its scan first, without a rejected share', async () => {
  // Twenty times faster than in production.
  const pool = await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST', vardiff: { targetSeconds: 0.5 } });
  const hashrate = 20_000;
  const right = (hashrate * 0.5) / HASHES_PER_DIFFICULTY.sha256;
  const miner = new Miner({
    host: '127.0.0.1',
    port: pool.port,
    user: 'pool',
    algorithm: 'sha256',
    hashrate,
    scan: 0.25,
  }).start();
  try {
    await eventually(() => miner.accepted >= 30, 'shares', 60_000);
    await eventually(() => Math.abs(Math.log2((miner.job?.difficulty ?? 0) / right)) < 1.5, 'the pace', 60_000);
    expect([miner.rejected, miner.disconnects]).toEqual([0, 0]);
  } finally {
    miner.stop();
    await pool.stop();
  }
});
