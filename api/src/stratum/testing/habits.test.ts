/**
 * Habits of miners, each named by the software that has it, from 1 kH/s to 200 TH/s and a farm of 50 PH/s: five minutes
 * (HEAVY=1: ten) at the built-in pool, side by side on one connection to it, in simulated time (docs/interop.md says
 * where the others are).
 */
import { HASHES_PER_DIFFICULTY } from '../../../../e2e/miner/work';
import { stream } from '../../demo/random';
import { startBuiltinPool, type BuiltinPool } from '../builtin-pool';
import { type Habits, ModelMiner } from '../testing/model-miner';
import { testProxy, type TestProxy } from '../testing/test-proxy';

/** What each header reaches: nobody here does 200 TH/s. Whoever makes another header from a share finds nothing. */
const mockLuck = new Map<string, number>();
jest.mock('../wire/proof', () => {
  const reached = (_: string, header: Buffer): number => mockLuck.get(header.toString('hex')) ?? 0;
  return { ...jest.requireActual<object>('../wire/proof'), difficultyOf: reached, difficultyOffLoop: reached };
});

const [K, M, G, T, P] = [1e3, 1e6, 1e9, 1e12, 1e15] as const;
const MINUTES = process.env.HEAVY ? 10 : 5;
/** A round trip, and how precisely time passes. */
const STEP_MS = 200;
const FIRST_SHARE_S = 20;
const REFUSED = 0.01;
const FACTOR = 1.5;

const cgminer = { software: 'cgminer/4.11.1', hashrate: 3 * T };
const bfgminer = { software: 'bfgminer/5.5.0', hashrate: 1.5 * T };
const bmminer = { software: 'bmminer/2.0.0', hashrate: 100 * T };
const nerd = { software: 'NerdMinerV2/V1.8.3', hashrate: 350 * K };
const bitaxe = { software: 'bitaxe/BM1370/v2.4.0', hashrate: 1.2 * T, floor: 256 };
const cpu = { software: 'cpuminer/2.5.1', hashrate: 3.5 * M };
const braiins = { software: 'braiins-farm-proxy/1.0', hashrate: 2 * P };
const farm = { software: 'farm-proxy/1.0', hashrate: 50 * P, workers: 500, password: 'd=30000000,x' };

/** `row`: of the table in docs/interop.md. */
type Row = { row: string; habit: string; habits: Habits };
const row = (at: string, habit: string, habits: Habits): Row => ({ row: at, habit, habits });
const ROWS: Row[] = [
  row('M1', 'cgminer: two difficulties before one job stack', { ...cgminer, hashrate: 14 * T, applies: 'stacked' }),
  row('M2', 'cgminer: shares of the last job after a new one', { ...cgminer, lag: 0.2 }),
  row('M4', 'cgminer: ninety seconds of silence are the end', { ...cgminer, silence: 90 }),
  row('M5', 'cgminer: keeps shares while it is away, and sends them after it', { ...cgminer, offline: [150, 190] }),
  row('M6', 'cgminer: chips that report nothing below 16', { ...cgminer, hashrate: 1 * T, floor: 16 }),
  row('M9', 'bfgminer: shares of the last job that reach the new difficulty only', {
    ...bfgminer,
    lag: 0.1,
    newTargetForOldJobs: true,
  }),
  row('M10', 'bfgminer: suggests a target before it subscribes', {
    ...bfgminer,
    suggests: { difficulty: 600, method: 'target', when: 'first' },
  }),
  row('M12', 'cpuminer: a scan of a minute that only a clean job ends', { ...cpu, scan: 60 }),
  row('M13', 'cpuminer: stops two minutes after the last new job id', { ...cpu, needsNewJobs: 120 }),
  row('M17', 'ESP-Miner: each job keeps its own difficulty', { ...bitaxe, lag: 0.2 }),
  row('M18', 'ESP-Miner: a known job id is ignored unless the job is clean', { ...bitaxe, ignoresKnownIds: true }),
  row('M19', 'ESP-Miner: begins its extranonce2 anew with each job', { ...bitaxe, restarts: true }),
  row('M20', 'ESP-Miner: suggests after its authorisation', { ...bitaxe, suggests: { difficulty: 1000 } }),
  row('M22', 'ESP-Miner: chips set to 256 for good', { ...bitaxe, hashrate: 0.5 * T }),
  row('M23', 'NerdQAxe++: difficulties without their fraction', { ...bitaxe, hashrate: 4.8 * T, truncates: true }),
  row('M25', 'NerdMiner: judges by the difficulty of now', { ...nerd, applies: 'at once' }),
  row('M26', 'NerdMiner: the best share of a batch only', { ...nerd, batch: 16_384 }),
  row('M27', 'NerdMiner: suggests 0.00015 each half a minute', {
    ...nerd,
    suggests: { difficulty: 0.00015, everySeconds: 30 },
  }),
  row('M28', 'NerdMiner: nonces without leading zeros', { ...nerd, unpadded: true }),
  row('M29', 'bmminer: its first difficulty acts at once', { ...bmminer, applies: 'first at once' }),
  row('M29', 'bmminer: starts its boards for a minute and a half', { ...bmminer, hashrate: 200 * T, boots: 90 }),
  row('M30', 'cgminer-dash: a difficulty acts at once, on the job that it has', { ...cgminer, applies: 'at once' }),
  row('M31', 'Whatsminer: opens with a suggestion', {
    ...bmminer,
    software: 'whatsminer/v1.0',
    suggests: { difficulty: 65_536, when: 'first' },
  }),
  row('M34', 'Braiins proxy: difficulties without their fraction, for a farm', { ...braiins, truncates: true }),
  row('M35', 'NMAxe: suggests every few seconds', {
    ...bitaxe,
    software: 'NMAxe/v2.9',
    suggests: { difficulty: 512, everySeconds: 3 },
  }),
  row('M36', 'NiceHash: hashrate rented for a minute at a time', {
    software: 'NiceHash/1.0.0',
    hashrate: 1.2 * P,
    rented: [
      [10, 70],
      [130, 200],
      [230, 300],
    ],
  }),
  row('M37', 'MiningRigRentals: a rig that suggests its difficulty', {
    software: 'miningrigrentals/1.0',
    hashrate: 150 * T,
    suggests: { difficulty: 100_000 },
  }),
  row('farm', 'a proxy of 500 workers on one connection, which asks for its difficulty in the password', farm),
  ...[1 * K, 1 * G, 200 * T].map((hashrate) =>
    row('any', `unknown software of ${hashrate} H/s`, { software: 'unknown/1.0', hashrate }),
  ),
];

let pool: BuiltinPool;
let test: TestProxy;
const miners: ModelMiner[] = [];
const credited = new Map<string, number>();

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
/** Lets every message that is under way arrive: miner, proxy, pool and back. */
async function deliver(): Promise<void> {
  const lines = (): number => miners.reduce((sum, miner) => sum + miner.heard, 0);
  for (let quiet = 0, before = lines(); quiet < 12; quiet += 1) {
    await turn();
    if (lines() !== before) [quiet, before] = [0, lines()];
  }
}

beforeAll(async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
  jest.spyOn(Math, 'random').mockImplementation(stream(25));
  pool = await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST', blockMs: [100_000, 200_000] });
  test = await testProxy([pool.target], { vardiff: {} });
  await deliver();
  const start = performance.now();
  const world = { port: test.port, luck: mockLuck, seconds: () => (performance.now() - start) / 1000 };
  miners.push(
    ...ROWS.map(
      ({ habits }, i) =>
        new ModelMiner(`${i % 2 ? 'alice' : 'bob'}.r${i}`, habits, { ...world, random: stream(i + 1) }),
    ),
  );
  for (let ms = 0; ms < MINUTES * 60_000; ms += STEP_MS) {
    jest.advanceTimersByTime(STEP_MS);
    for (const miner of miners) miner.live();
    await deliver();
  }
  for (const { worker, outcome, difficulty } of test.sink.shares) {
    const [name = ''] = worker.split('-');
    if (outcome === 'accepted')
      credited.set(name, (credited.get(name) ?? 0) + difficulty * HASHES_PER_DIFFICULTY.sha256);
  }
});
afterAll(async () => {
  for (const miner of miners) miner.stop();
  jest.useRealTimers();
  jest.restoreAllMocks();
  await test.proxy.stop();
  await pool.stop();
});

it.each(ROWS.map((of, i) => ({ ...of, i })))('$row $habit', ({ habits, i }) => {
  const miner = miners[i] as ModelMiner;
  expect(miner.faults).toEqual([]);
  expect(miner.firstShare ?? Infinity).toBeLessThan(FIRST_SHARE_S);
  expect(miner.refused.length).toBeLessThanOrEqual(Math.ceil(REFUSED * miner.accepted));
  const credit = (credited.get(`r${i}`) ?? 0) / miner.done;
  expect(credit).toBeGreaterThan(1 / FACTOR);
  expect(credit).toBeLessThan(FACTOR);
  expect(miner.disconnects).toBe(0);
  // It has another extranonce1 on each connection, and keeps no share of an earlier one.
  expect(miner.late).toEqual([]);
  if (habits.suggests) expect(miner.difficulties.at(-1)).toBe(habits.suggests.difficulty);
});
