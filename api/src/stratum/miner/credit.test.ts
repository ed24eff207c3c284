/** Nobody is credited for more work than was done, whatever is suggested, held back or sent again. */
import { hashHeader, hashNumber, headerOf, HASHES_PER_DIFFICULTY, jobOf, targetOf } from '../../../../e2e/miner/work';
import { stream } from '../../demo/random';
import { eventually } from '../../testing/eventually';
import type { AccountDirectory } from '../ports';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';
import type { Withheld } from './withholding';

const { stub, proxyOf, mine: minerAt } = stratumForEach();
const EASIEST = 1e-9;
const STEPS = [1, 2, 4, 16, 64];
const JOBS = 60;
/** Hashes of each job: four for a share of the easiest difficulty. */
const HASHES = 150;

let upstream: StubUpstream;
let test: TestProxy;
let c: RawClient;
let random: () => number;
let withheld: Withheld[];

beforeEach(async () => {
  random = stream(7);
  withheld = [];
  // It takes whatever it is sent, as a pool does that judges by the lower of two difficulties.
  upstream = await stub({ difficulty: EASIEST });
});
async function start(vardiff?: { max: number }): Promise<void> {
  const unlimited = { linesPerSecond: 1e6, addressLinesPerSecond: 1e6, banPart: 2 };
  test = await proxyOf([upstream.target], {
    limits: unlimited,
    onWithheld: (found) => withheld.push(found),
    ...(vardiff ? { vardiff } : {}),
  });
  c = await minerAt(test.port);
}

type Found = { params: unknown[]; difficulty: number };

const submit = (params: unknown[]): Promise<boolean> =>
  c.call('mining.submit', params).then(({ result }) => result === true);

/** Hashes for a job: those of the easiest difficulty, and what each reaches. */
function mine(notify: unknown[], extranonce2: string, hashes = HASHES): Found[] {
  const job = jobOf(notify, 'sha256', EASIEST);
  const header = headerOf(job, Buffer.from('00', 'hex'), Buffer.from(extranonce2, 'hex'));
  header.writeUInt32LE(job.version, 0);
  const one = Number(targetOf('sha256', 1));
  const found: Found[] = [];
  for (let nonce = 0; nonce < hashes; nonce += 1) {
    header.writeUInt32LE(nonce, 76);
    const difficulty = one / Number(hashNumber(hashHeader.sha256(header)));
    const text = nonce.toString(16).padStart(8, '0');
    if (difficulty >= EASIEST) found.push({ params: ['alice.rig', job.id, extranonce2, notify[7], text], difficulty });
  }
  return found;
}

/** Credited work, in hashes. */
const credited = (): number =>
  HASHES_PER_DIFFICULTY.sha256 *
  test.sink.shares.filter(({ outcome }) => outcome === 'accepted').reduce((sum, { difficulty }) => sum + difficulty, 0);

it.each([
  ['room', 8, '1fffe000'],
  ['no room', 4, '00000000'],
])(
  'a miner that holds back what is too easy until the difficulty is lowered is credited for no more than its work, where an upstream leaves %s to make other work of it',
  async (_, size, mask) => {
    Object.assign(upstream.options, { extranonceSize: size, mask });
    await start();
    let [current, held]: [number, Found[]] = [EASIEST, []];
    // Variance of the credited work: the number of shares is Poisson distributed, each worth as many hashes as it takes.
    let variance = 0;
    for (let round = 1; round <= JOBS; round += 1) {
      const notify = c.jobs.at(-1) ?? [];
      const found = mine(notify, round.toString(16).padStart(size === 4 ? 6 : 8, '0'));
      const hard = found.filter(({ difficulty }) => difficulty >= current);
      variance += HASHES * current * HASHES_PER_DIFFICULTY.sha256;
      await Promise.all(hard.map(({ params }) => submit(params)));
      held = [...held, ...found.filter(({ difficulty }) => difficulty < current)].slice(-50);
      current = EASIEST * (STEPS[Math.floor(random() * STEPS.length)] ?? 1);
      upstream.send({ id: null, method: 'mining.set_difficulty', params: [current] });
      // Sometimes the same work again, sometimes a clean job.
      const [id] = await c.job(() => upstream.notify(random() < 0.3, random() < 0.3 ? { 4: ['cc'.repeat(32)] } : {}));
      await Promise.all(
        held
          .filter(({ difficulty }) => difficulty >= current)
          .flatMap(({ params }) => [submit(params), submit(params.map((p, i) => (i === 1 ? id : p)))]),
      );
    }
    const done = JOBS * HASHES;
    expect(credited() - done).toBeLessThan(5 * Math.sqrt(variance));
    expect(credited()).toBeGreaterThan(done / 2);
    expect(Math.sqrt(variance) / done).toBeLessThan(0.1);
  },
);

it('an accepted share names its upstream and is credited what that pays for in any case: the lowest difficulty around a change', async () => {
  const [low, high] = [EASIEST, 16 * EASIEST];
  await start();
  upstream.send({ id: null, method: 'mining.set_difficulty', params: [high] });
  await c.job(() => upstream.notify(true));
  const job = await c.job(() => upstream.notify(true));
  const found: Found[] = [];
  for (let n = 1; found.length < 2; n += 1)
    found.push(...mine(job, n.toString(16).padStart(8, '0')).filter(({ difficulty }) => difficulty >= high));
  const [first, second] = found.map(({ params }) => params);
  expect(await submit(first ?? [])).toBe(true);
  upstream.send({ id: null, method: 'mining.set_difficulty', params: [low] });
  await c.job(() => upstream.notify(false));
  expect(await submit(second ?? [])).toBe(true);
  expect(test.sink.shares).toMatchObject([
    { difficulty: high, taken: { upstream: 'Stub', accepted: high } },
    { difficulty: low, taken: { upstream: 'Stub', accepted: low } },
  ]);
});

/** What a pool has in force when a share arrives: of its job, of now and of before, and the first job that is judged by now. */
type InForce = { asked: number; now: number; before: number; job: number; judgedByNowFrom: number };
it.each<[rule: string, judges: (inForce: InForce) => number]>([
  // It numbers a job when it makes the one before, so that one more is judged by the difficulty before.
  [
    'ckpool: the first job after a raise at the difficulty before',
    (p) => (p.job < p.judgedByNowFrom ? p.before : p.now),
  ],
  ['blitzpool: the lower of the job and now', ({ asked, now }) => Math.min(asked, now)],
])('a day is credited as its upstream counts it, within chance: %s', async (_, judges) => {
  let counted = 0;
  const reached = new Map<string, number>();
  const keyOf = ([, , extranonce2, , nonce]: unknown[]): string => `${String(extranonce2).slice(-8)} ${String(nonce)}`;
  const asked = new Map<unknown, { asked: number; job: number }>();
  const pool = { now: EASIEST, before: EASIEST, judgedByNowFrom: 0 };
  upstream.options.submit = (params) => {
    const needs = judges({ ...pool, ...(asked.get(params[1]) ?? { asked: EASIEST, job: 0 }) });
    if ((reached.get(keyOf(params)) ?? 0) < needs) return { result: null, error: [23, 'Low difficulty share', null] };
    counted += needs * HASHES_PER_DIFFICULTY.sha256;
    return { result: true, error: null };
  };
  await start();
  for (let job = 1; job <= JOBS; job += 1) {
    const notify = c.jobs.at(-1) ?? [];
    const told = Number(c.difficulties.at(-1));
    const found = mine(notify, job.toString(16).padStart(8, '0'), HASHES / 5).filter(
      ({ difficulty }) => difficulty >= told,
    );
    for (const { params, difficulty } of found) reached.set(keyOf(params), difficulty);
    const half = Math.floor(found.length / 2);
    await Promise.all(found.slice(0, half).map(({ params }) => submit(params)));
    if (job % 6 === 0) {
      // Shares of steps above four would be so few that chance decides what part of the work is credited.
      const now = EASIEST * (STEPS[Math.floor(random() * 3)] ?? 1);
      Object.assign(pool, { before: pool.now, now, judgedByNowFrom: job + 1 });
      upstream.send({ id: null, method: 'mining.set_difficulty', params: [now] });
      // The proxy has read it, on a slow machine too.
      upstream.send({ id: job, method: 'mining.ping', params: [] });
      await eventually(() => upstream.lines.includes(`{"id":${job},"result":"pong","error":null}`), 'the answer');
    }
    await Promise.all(found.slice(half).map(({ params }) => submit(params)));
    asked.set(`up${job}`, { asked: pool.now, job });
    await c.job(() => upstream.notify(job % 3 === 0));
  }
  // Chance is 1 % of so few shares: those that the upstream found too easy after a raise are credited as work.
  expect(credited() / counted).toBeLessThan(1.05);
  // Some of it is credited at the difficulty before a raise.
  expect(credited() / counted).toBeGreaterThan(0.85);
});

it.each([
  ['too easy: is credited, of which it gets one share, and nothing was kept back', 23, true, 1],
  ['late: is refused, as the rest of that job', 21, false, 1],
  ['anything else: is refused', 20, false, Infinity],
])('what is mined on across a raise and the upstream refuses as %s', async (_, code, isCredited, most) => {
  upstream.options.submit = () => ({ result: null, error: [code, 'No', null] });
  await start();
  upstream.send({ id: null, method: 'mining.set_difficulty', params: [64 * EASIEST] });
  const found = mine(await c.job(() => upstream.notify(true)), '00000001').filter(
    ({ difficulty }) => difficulty < 64 * EASIEST,
  );
  const verdicts = [];
  for (const { params } of found) verdicts.push(await submit(params));
  expect(new Set(verdicts)).toEqual(new Set([isCredited]));
  expect(credited() > 0).toBe(isCredited);
  expect([found.length > 10, withheld, upstream.submits.length]).toEqual([true, [], Math.min(most, found.length)]);
});

it('refused shares of who knows no password count against an account up to its accepted ones', async () => {
  const open = { name: 'open', subAccountId: 3, userId: 3, minerPassword: null };
  const directory: AccountDirectory = {
    find: async () => open,
    byId: async () => open,
    ownWorkers: async () => new Set(),
    closed: async () => [],
    onChange: () => () => undefined,
  };
  let isTaken = false;
  upstream.options.submit = () => ({ result: isTaken, error: isTaken ? null : [20, 'No', null] });
  test = await proxyOf([upstream.target], { directory });
  c = await minerAt(test.port, 'open.rig');
  for (const { params } of mine(c.jobs.at(-1) ?? [], '00000001').slice(0, 9)) {
    isTaken = [1, 2, 6].includes(upstream.submits.length);
    expect(await submit(['open.rig', ...params.slice(1)])).toBe(isTaken);
  }
  const outcomes = test.sink.shares.map(({ outcome }) => outcome[0]).join('');
  expect(outcomes).toBe('aarrar');
});

it.each([0, 0.3])(
  'many small shares beside few that reach the upstream are credited as it counts those, of which it refuses a part of %s',
  async (refuses) => {
    const hard = 16 * EASIEST;
    let [counted, refused, shares] = [0, 0, 0];
    upstream.options.difficulty = hard;
    upstream.options.submit = () => {
      if (random() < refuses) {
        refused += hard * HASHES_PER_DIFFICULTY.sha256;
        return { result: null, error: [20, 'Not today', null] };
      }
      counted += hard * HASHES_PER_DIFFICULTY.sha256;
      return { result: true, error: null };
    };
    await start({ max: EASIEST });
    for (let job = 1; job <= JOBS; job += 1) {
      const found = mine(c.jobs.at(-1) ?? [], job.toString(16).padStart(8, '0'));
      shares += found.length;
      await Promise.all(found.map(({ params }) => submit(params)));
      await c.job(() => upstream.notify(false));
    }
    const done = JOBS * HASHES;
    // The upstream counts as many shares, give or take five times the square root of their number.
    const chance = (5 * Math.sqrt(done * hard * HASHES_PER_DIFFICULTY.sha256)) / done;
    expect(Math.abs(credited() / done - (1 - refuses))).toBeLessThan(chance);
    expect(Math.abs(credited() - counted) / done).toBeLessThan(chance);
    expect(upstream.submits.length).toBeLessThan(test.sink.shares.length / 8);
    // What it refused is lost to all together, to the share, but for what is not made up for yet.
    const share = EASIEST * HASHES_PER_DIFFICULTY.sha256;
    const lost = shares * share - credited();
    expect(lost).toBeLessThan(refused + 1.001 * share);
    expect(refused - lost).toBeLessThan(9 * hard * HASHES_PER_DIFFICULTY.sha256);
    expect(refused > 18 * hard * HASHES_PER_DIFFICULTY.sha256).toBe(refuses > 0);
    // What the upstream took and what it was not sent is credited.
    const taken = test.sink.shares.reduce((sum, share) => sum + (share.taken?.accepted ?? 0), 0);
    expect(taken * HASHES_PER_DIFFICULTY.sha256).toBeCloseTo(counted, 3);
  },
);
