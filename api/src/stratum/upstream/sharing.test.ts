/** Many miners on one upstream connection: a slot and a difficulty for each, and what becomes of all when it ends. */
import { hashHeader, hashNumber, headerOf, jobOf, targetOf } from '../../../../e2e/miner/work';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy, testProxy } from '../testing/test-proxy';
import type { StubOptions, StubUpstream } from '../testing/upstream';
import { LIMITS } from '../wire/limits';
import { Dues } from './dues';
import { type Owner, SharedConnection, type Tenant } from './shared-connection';
import type { SharedJob } from './shared-job';
import type { UpstreamConnection } from './upstream-connection';
import type { Upstream } from './upstream-events';

const { stub, proxyOf, connect, join, mine } = stratumForEach();
let upstream: StubUpstream;
let test: TestProxy;

async function setUp(given: StubOptions = {}, options: Parameters<typeof testProxy>[1] = {}): Promise<void> {
  upstream = await stub(given);
  test = await proxyOf([upstream.target], options);
  // The first look is over.
  await eventually(
    () => test.proxy.upstreams()[0]?.state === 'active' && upstream.sockets.size === 0,
    'the first look',
  );
}
const crowd = (count: number): Promise<RawClient[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => mine(test.port, `${i % 2 ? 'alice' : 'bob'}.m${i}`)));
const extranonce1Of = (c: RawClient): string =>
  String(c.lines.flatMap(({ result }) => (Array.isArray(result) ? [result[1]] : []))[0]);
/** The whole coinbase up to what the miner rolls. */
const headOf = (c: RawClient): string => `${String(c.jobs.at(-1)?.[2])}${extranonce1Of(c)}`;

it.each([
  [8, 300, 2],
  [5, 120, 2],
  [4, 80, 3],
])(
  'of %d bytes: %d miners of two accounts have %d connections at most, and all different work',
  async (size, count, most) => {
    await setUp({ extranonceSize: size });
    const before = upstream.connects;
    const miners = await crowd(count);
    expect(new Set(miners.map(headOf)).size).toBe(count);
    expect(upstream.connects - before).toBeLessThanOrEqual(most);
    const rolled = '07'.padStart(size === 4 ? 6 : 8, '0');
    const verdicts = await Promise.all(miners.map((c) => c.submit({ extranonce2: rolled, nonce: '0000002a' })));
    expect(new Set(verdicts)).toEqual(new Set([true]));
    expect(new Set(upstream.submits.map((params) => String(params[2]))).size).toBeGreaterThan(count / most);
    expect(test.proxy.upstreams(1)[0]?.connections).toBe(count / 2);
  },
);

it('a connection that ends is one event: its miners go on, on the other or a new one', async () => {
  await setUp();
  const miners = await crowd(150);
  await eventually(() => upstream.sockets.size === 2, 'two connections');
  const { connects } = upstream;
  const [one] = upstream.sockets;
  const jobs = miners.map((c) => c.jobs.length);
  one?.destroy();
  await eventually(() => upstream.sockets.size === 2 && test.proxy.upstreams()[0]?.connections === 150, 'all there');
  // One of them was lost, and at most one look at the pool besides.
  expect(upstream.connects - connects).toBeLessThanOrEqual(2);
  expect(miners.filter((c, i) => c.jobs.length > (jobs[i] ?? 0)).length).toBeLessThan(150);
  upstream.drop();
  await Promise.all(miners.map((c) => eventually(async () => (await c.submit()) === true, 'work again')));
  expect(miners.filter((c) => c.closed)).toEqual([]);
});

it('each machine has its own difficulty, and a slow one after a fast one of its name starts as it would alone', async () => {
  await setUp({ difficulty: 1e6 });
  const fast = connect(test.port);
  await fast.call('mining.subscribe', ['cpuminer/2.5.1']);
  await fast.authorise('alice.rig', 'd=500000,x');
  await fast.job();
  fast.destroy();
  const slow = await mine(test.port, 'alice.rig', 'cpuminer/2.5.1');
  const bitaxe = await mine(test.port, 'alice.other', 'bitaxe/BM1370');
  expect([fast.difficulties, slow.difficulties, bitaxe.difficulties]).toEqual([[500_000], [0.00233], [559]]);
  expect(upstream.suggested).toEqual([]);
});

it('an upstream that starts so low that its miners would flood it is asked for more, once for all', async () => {
  await setUp({ difficulty: 1 }, { vardiff: {} });
  const farm = await Promise.all(['a', 'b', 'c'].map((name) => join(test.port, `alice.${name}`, 'Antminer S21/1')));
  await Promise.all(farm.map((c) => c.job()));
  // 100 TH/s each: none may send more than ten shares a second.
  expect(farm.map((c) => c.difficulties)).toEqual(farm.map(() => [776]));
  await eventually(() => upstream.suggested.length >= 2, 'the suggestion');
  expect(upstream.suggested.at(-1)).toBeGreaterThanOrEqual(23_000);
  expect(upstream.suggested.length).toBeLessThan(6);
});

it('and is told twice, as it may take the first without a word and tell of another only (ckpool-lhr)', async () => {
  await setUp({ difficulty: 1, takesSuggestions: true }, { vardiff: {} });
  const farm = await Promise.all(['a', 'b', 'c'].map((name) => mine(test.port, `alice.${name}`, 'Antminer S21/1')));
  for (let i = 0; i < 3; i += 1) {
    const jobs = farm.map((c) => c.job(() => undefined));
    upstream.notify();
    await Promise.all(jobs);
  }
  expect(farm.map((c) => Number(c.difficulties.at(-1)) > 10_000)).toEqual(farm.map(() => true));
});

it('and is asked for nothing by the guess at an unknown machine, which would pin it far above what that does', async () => {
  await setUp({ difficulty: 1e-4 }, { vardiff: {} });
  const unknown = await Promise.all(['a', 'b', 'c'].map((name) => mine(test.port, `alice.${name}`, 'own/1')));
  await Promise.all(unknown.map((c) => c.job(() => upstream.notify())));
  expect(upstream.suggested).toEqual([]);
});

describe('a neighbour', () => {
  const DIFFICULTY = 1e-6;
  /** A share of its last job. */
  const find = (c: RawClient): { extranonce2: string; nonce: string } => {
    const extranonce2 = '00000001';
    const job = jobOf(c.jobs.at(-1) ?? [], 'sha256', DIFFICULTY);
    const header = headerOf(job, Buffer.from(extranonce1Of(c), 'hex'), Buffer.from(extranonce2, 'hex'));
    header.writeUInt32LE(job.version, 0);
    const target = Number(targetOf('sha256', DIFFICULTY));
    for (let nonce = 0; ; nonce += 1) {
      header.writeUInt32LE(nonce, 76);
      if (Number(hashNumber(hashHeader.sha256(header))) <= target)
        return { extranonce2, nonce: nonce.toString(16).padStart(8, '0') };
    }
  };

  it('that sends the share of another has no work to show for it, whatever it calls the job', async () => {
    await setUp({ difficulty: DIFFICULTY });
    const [one, other] = [await mine(test.port), await mine(test.port, 'bob.thief')];
    const share = { ...find(one), ntime: String(one.jobs.at(-1)?.[7]) };
    expect(await other.submit(share)).toBe(23);
    expect(await other.submit({ ...share, job: one.jobs.at(-1)?.[0] })).toBe(21);
    expect(await one.submit(share)).toBe(true);
    expect(test.sink.shares.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
  });

  it('that lies and floods, or has the name of another, costs the others nothing', async () => {
    await setUp();
    const [good, namesake] = [await mine(test.port, 'alice.rig'), await mine(test.port, 'alice.rig')];
    const bad = await mine(test.port, 'bob.bad');
    void bad.submitMany(300, { extranonce2: 'zz' }).catch(() => undefined);
    expect([await good.submit(), await namesake.submit()]).toEqual([true, true]);
    await bad.ended();
    expect([await good.submit(), await namesake.submit(), upstream.sockets.size]).toEqual([true, true, 1]);
  });
});

describe('jobs are kept by time', () => {
  it('a job each second: shares thirty seconds old count (oliverw/miningcore#397)', async () => {
    await setUp();
    const c = await mine(test.port);
    const [job] = await c.job();
    for (let i = 0; i < 40; i += 1) await c.job(() => upstream.notify(false));
    expect(await c.submit({ job })).toBe(true);
  });

  it('an id that this connection was given is late, however old, and brings no ban', async () => {
    await setUp({}, { limits: { upstreamLinesPerSecond: 1e6, linesPerSecond: 2000 } });
    const c = await mine(test.port);
    const [job] = await c.job();
    for (let i = 0; i < 700; i += 1) upstream.notify(false);
    await eventually(() => c.jobs.length > 700, 'the jobs');
    expect(await c.submitMany(150, { job })).toEqual([21]);
    expect(await c.submit({ job: 'ffffffffff' })).toBe(21);
    expect(await c.submit()).toBe(true);
  });
});

it('a job comes to a few miners in one turn, shares are answered in between; who has not had it yet gets the next, as clean', async () => {
  const facts = { extranonce: { extranonce1: 'aa', size: 8 }, ready: true, difficulty: 1, counted: 1, versionMask: 0 };
  const connection = facts as unknown as UpstreamConnection;
  const shared = new SharedConnection(() => connection, {} as Upstream, LIMITS, new Dues(), {} as Owner);
  const got: string[][] = Array.from({ length: 40 }, () => []);
  for (const [i, own] of got.entries()) {
    const layout = { extranonce1: i.toString(16).padStart(2, '0'), extranonce2Size: 4 };
    const onJob = ({ sent }: SharedJob, clean: boolean): unknown => own.push(`${sent.id} ${clean}`);
    const tenant = { layout, onJob, seated: () => undefined, wanted: 1, asked: null } as unknown as Tenant;
    shared.seat(tenant, shared.slotFor(layout)!, 'pool');
  }
  const job = {
    prevHash: '11'.repeat(32),
    coinb1: '',
    coinb2: '',
    branches: [],
    version: '20000000',
    nbits: '1702f128',
  };
  shared.onJob({ ...job, id: 'a', ntime: '65000000', clean: true });
  const first = got.filter((jobs) => jobs.length > 0).length;
  expect(first).toBeLessThan(40);
  shared.onJob({ ...job, id: 'b', ntime: '65000000', clean: false });
  await eventually(() => got.every((jobs) => jobs.at(-1)?.startsWith('b')), 'the last job for all');
  expect(got.map((jobs) => jobs.join())).toEqual(got.map((_, i) => (i < first ? 'a true,b false' : 'b true')));
});

describe('names of workers, where the upstream shows them', () => {
  const NAMES = ['a', 'b', 'c'];
  async function named(given: StubOptions = {}): Promise<RawClient[]> {
    upstream = await stub(given);
    test = await proxyOf([{ ...upstream.target, user: 'wallet.{worker}' }]);
    await eventually(
      () => test.proxy.upstreams()[0]?.state === 'active' && upstream.sockets.size === 0,
      'the first look',
    );
    return Promise.all(NAMES.map((name) => mine(test.port, `alice.${name}`)));
  }
  /** Names that shares were taken under, one share of each miner. */
  const takenOf = async (miners: RawClient[]): Promise<unknown[]> => {
    const before = upstream.submits.length;
    await Promise.all(miners.map((c) => eventually(async () => (await c.submit()) === true, 'a share that counts')));
    return [...new Set(upstream.submits.slice(before).map(([user]) => user))].sort();
  };
  const ALL = NAMES.map((name) => `wallet.${name}`);

  it('share a connection, each with shares under its own name', async () => {
    const miners = await named();
    expect(await takenOf(miners)).toEqual(ALL);
    expect(upstream.sockets.size).toBe(1);
  });

  it.each<[string, StubOptions]>([
    ['refuses a second name', { names: 'refuses' }],
    ['ends the connection for it', { names: 'closes' }],
    ['refuses its shares, as ckpool does', { names: 'mismatch' }],
  ])('have one each where the upstream %s; nobody is disconnected', async (_, given) => {
    const miners = await named(given);
    expect(await takenOf(miners)).toEqual(ALL);
    await eventually(() => upstream.sockets.size === NAMES.length, 'a connection for each name');
    expect(miners.filter((c) => c.closed)).toEqual([]);
  });

  it('a name that the upstream refuses costs the others nothing', async () => {
    const miners = await named({ authorise: (user) => !String(user).includes('bad') });
    const strangers = await Promise.all(Array.from({ length: 6 }, (_, i) => join(test.port, `alice.bad${i}`)));
    expect(await takenOf(miners)).toEqual(ALL);
    expect(test.proxy.upstreams()[0]?.state).toBe('active');
    expect([...miners, ...strangers].filter((c) => c.closed)).toEqual([]);
  });
});
