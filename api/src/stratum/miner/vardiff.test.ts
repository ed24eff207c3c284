/** Difficulty of a connection, for miners from 1 kH/s to 200 TH/s. Time is simulated, shares arrive at random. HEAVY=1: more miners. */
import { HASHES_PER_DIFFICULTY } from '../../../../e2e/miner/work';
import { stream } from '../../demo/random';
import { machineOf } from './machines';
import { Vardiff, VARDIFF } from './vardiff';

const HASHRATES = process.env.HEAVY
  ? [1e3, 1e4, 1e5, 1.4e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 2e14]
  : [1e3, 1.4e6, 1e9, 1e12, 2e14];
const RUNS = process.env.HEAVY ? 60 : 8;
const SECONDS = 600;
const TICK = 0.5;
const unknown = machineOf('SHA256_ASICBOOST', null);

/**
 * Ten minutes of a miner that takes new work `delay` seconds after it was sent. `first`: when it had its first share;
 * `off`: part of the time from the third minute on at which the difficulty was wrong by more than a factor of two;
 * `credit`: what was credited in the first hundred seconds, by what it hashed.
 */
function mine(hashrate: number, delay: number, seed: number, machine = unknown) {
  const random = stream(seed);
  let now = 0;
  // A mock of jest's would keep each of a million calls.
  const { now: real } = performance;
  performance.now = () => now * 1000;
  const pool = new Vardiff(VARDIFF, machine);
  const right = (hashrate * VARDIFF.targetSeconds) / HASHES_PER_DIFFICULTY.sha256;
  let [mined, tick, takes] = [pool.difficulty, TICK * random(), Infinity];
  let [first, off, settled, changes, credited, early] = [Infinity, 0, 0, 0, 0, 0];
  const changed = (): void => {
    changes += 1;
    takes = Math.min(takes, now + delay);
    if (delay === 0) mined = pool.difficulty;
  };
  while (now < SECONDS) {
    const share = now - (Math.log(1 - random()) * mined * HASHES_PER_DIFFICULTY.sha256) / hashrate;
    const next = Math.min(share, tick, takes);
    if (next > 120) {
      settled += next - now;
      if (Math.abs(Math.log2(pool.difficulty / right)) > 1) off += next - now;
    }
    if (now < 100 && next >= 100) early = credited;
    now = next;
    if (now === takes) {
      takes = Infinity;
      mined = pool.difficulty;
    } else if (now === tick) {
      tick += TICK;
      if (pool.tick()) changed();
    } else {
      first = Math.min(first, now);
      credited += mined;
      if (pool.share(mined)) changed();
    }
  }
  performance.now = real;
  return { first, off: off / settled, changes, credit: (early * HASHES_PER_DIFFICULTY.sha256) / 100 / hashrate };
}

const runs = (hashrate: number, delay: number, machine = unknown) =>
  Array.from({ length: RUNS }, (_, i) => mine(hashrate, delay, 1000 * i + Math.round(Math.log2(hashrate)), machine));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

describe.each([
  ['takes new work at once', 0, 20],
  ['takes new work after five seconds', 5, 25],
])('a miner of unknown software that %s', (_, delay, firstWithin) => {
  it.each(HASHRATES)('of %d H/s', (hashrate) => {
    const mined = runs(hashrate, delay);
    expect(Math.max(...mined.map(({ first }) => first))).toBeLessThan(firstWithin);
    expect(mean(mined.map(({ off }) => off))).toBeLessThan(0.1);
    expect(Math.max(...mined.map(({ changes }) => changes))).toBeLessThan(20);
    expect(median(mined.map(({ credit }) => credit))).toBeGreaterThan(1 / 1.5);
    expect(median(mined.map(({ credit }) => credit))).toBeLessThan(1.5);
  });
});

it('an ASIC that starts its boards for two minutes is not searched for far below its start', () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const pool = new Vardiff(VARDIFF, machineOf('SHA256_ASICBOOST', 'bmminer/2.0.0'));
  for (; now < 120_000; now += 500) pool.tick();
  expect(pool.difficulty).toBeGreaterThan(20);
  for (let i = 0; i < 10_000; i += 1) pool.tick((now += 60_000));
  expect(pool.difficulty).toBe(1);
  clock.mockRestore();
});

describe('the difficulty a miner asks for', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());
  const asked = (difficulty: number): Vardiff => {
    const pool = new Vardiff(VARDIFF, unknown);
    expect([pool.ask(difficulty), pool.difficulty]).toEqual([true, difficulty]);
    return pool;
  };
  const shares = (pool: Vardiff, count: number, everyMs: number): void => {
    for (let i = 0; i < count; i += 1) {
      now += everyMs;
      pool.tick();
      pool.share(pool.difficulty);
    }
  };

  it('stays at any pace between fifty a second and one in five minutes', () => {
    for (const everyMs of [21, 1000, 20_000]) {
      const pool = asked(0.00012);
      shares(pool, 100, everyMs);
      expect(pool.difficulty).toBe(0.00012);
    }
  });
  it('stays through a chance burst of a slower miner', () => {
    // A miner of 30 shares a second finds eight within 0.1 s by luck in one of a hundred starts.
    const pool = asked(0.00012);
    shares(pool, 8, 12);
    expect(pool.difficulty).toBe(0.00012);
    shares(pool, 100, 33);
    expect(pool.difficulty).toBe(0.00012);
  });
  it('is raised when its shares come faster, and lowered when none comes', () => {
    const fast = asked(0.00012);
    shares(fast, 20, 10);
    expect(fast.difficulty).toBeGreaterThan(0.001);
    const slow = asked(1e9);
    now += 60_001;
    expect([slow.tick(), slow.difficulty]).toEqual([true, 3e8]);
  });
  it.each([null, 'cpuminer/2.5.1', 'NerdMinerV2', 'bmminer/2.0.0'])(
    'is worth a hash of scrypt at least: %s',
    (software) => {
      const pool = new Vardiff(VARDIFF, machineOf('SCRYPT', software));
      pool.ask(1e-9);
      expect(pool.difficulty * HASHES_PER_DIFFICULTY.scrypt).toBeGreaterThan(1);
    },
  );
  it('is never below what the machine can report', () => {
    const pool = new Vardiff(VARDIFF, machineOf('SHA256_ASICBOOST', 'bitaxe/BM1370'));
    pool.ask(1);
    expect(pool.difficulty).toBe(256);
  });
});

it('a first share that came by luck delays the search for a slow machine by seconds, not by minutes', () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const pool = new Vardiff(VARDIFF, machineOf('SHA256_ASICBOOST', 'cpuminer/2.5.1'));
  const start = pool.difficulty;
  pool.share(start, (now = 1000));
  for (; now < 45_000; now += 500) pool.tick();
  expect(pool.difficulty).toBeLessThan(start / 3);
  clock.mockRestore();
});

it('shares of older, easier jobs say nothing of the pace', () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const pool = new Vardiff(VARDIFF, unknown);
  for (let i = 0; i < 8; i += 1) pool.share(pool.difficulty, (now += 1));
  const raised = pool.difficulty;
  expect(raised).toBeGreaterThan(10_000);
  // Two thousand shares were under way and are read at a hundred a second.
  for (let i = 0; i < 2000; i += 1) {
    pool.share(233, (now += 10));
    pool.tick();
  }
  expect(pool.difficulty).toBe(raised);
  clock.mockRestore();
});

it('a machine that stops hashing and comes back is found again', () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const pool = new Vardiff(VARDIFF, unknown);
  for (let i = 0; i < 200; i += 1) pool.share(pool.difficulty, (now += 6000));
  const before = pool.difficulty;
  for (const end = now + 180_000; now < end; now += 500) pool.tick();
  expect(pool.difficulty).toBeGreaterThan(before / 2000);
  clock.mockRestore();
});
