/** Habits of upstream pools, each named by the software that has it (docs/interop.md says where the others are). */
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import { EASY, type StubUpstream, type StubOptions } from '../testing/upstream';

const { stub, proxyOf, connect, join } = stratumForEach();
let upstream: StubUpstream;
let test: TestProxy;

async function setUp(options: StubOptions = {}): Promise<void> {
  upstream = await stub(options);
  // The shares of a test come at once.
  test = await proxyOf([upstream.target], { limits: { linesPerSecond: 10_000 } });
}
const mine = (): Promise<RawClient> => join(test.port, 'alice.rig', 'test/1');
const setDifficulty = (difficulty: number): void =>
  upstream.send({ id: null, method: 'mining.set_difficulty', params: [difficulty] });

describe('late shares: what reached the difficulty of its job counts if the upstream takes it, at the lowest since then', () => {
  const BASE = 2 * EASY;
  // Pools differ: some take a share of an old job at the difficulty before a change, others refuse it.
  it.each<[change: string, steps: readonly number[]]>([
    ['a raise', [2]],
    ['a lowering', [1 / 2]],
    ['two raises in one job', [2, 4]],
    ['up and down in one job', [4, 1]],
  ])('after %s', async (_, steps) => {
    let takes = true;
    await setUp({
      difficulty: BASE,
      submit: () => (takes ? { result: true, error: null } : { result: null, error: 'Above target' }),
    });
    const c = await mine();
    const [id] = await c.job();
    for (const step of steps) setDifficulty(BASE * step);
    // The miner is told with the next job, once.
    expect(c.difficulties).toEqual([BASE]);
    await c.job(() => upstream.notify(false));
    expect(c.difficulties).toHaveLength(steps.at(-1) === 1 ? 1 : 2);
    expect(await c.submit({ job: id })).toBe(true);
    takes = false;
    // More than decide about a ban.
    expect(await c.submitMany(120, { job: id })).toEqual([23]);
    const accepted = test.sink.shares.filter(({ outcome }) => outcome === 'accepted');
    expect(accepted.map(({ difficulty }) => difficulty)).toEqual([BASE * Math.min(1, ...steps)]);
    expect(c.closed).toBe(false);
  });
});

describe('difficulty and work', () => {
  it('ckpool: sends a difficulty alone; the miner is told of it with its next job', async () => {
    await setUp();
    const c = await mine();
    await c.job();
    setDifficulty(EASY * 2);
    upstream.send({ id: 77, method: 'mining.ping', params: [] });
    await eventually(() => upstream.lines.some((line) => line.includes('pong')), 'the proxy has read it');
    expect(c.difficulties).toEqual([EASY]);
    const [, ...lines] = [await c.job(() => upstream.notify(false)), ...c.lines.slice(-2)];
    expect(lines.map(({ method }) => method)).toEqual(['mining.set_difficulty', 'mining.notify']);
  });

  it('miningcore: a new difficulty and the same job again are other work, at the new difficulty', async () => {
    await setUp();
    const c = await mine();
    const before = await c.job();
    setDifficulty(EASY * 2);
    const same = { 0: 'first', 4: ['cc'.repeat(32)] };
    const after = await c.job(() => upstream.notify(false, same));
    expect(after[0]).not.toBe(before[0]);
    expect(after[2]).not.toBe(before[2]);
    const last = await c.job(() => upstream.notify(false, same));
    for (const [id] of [before, after, last]) expect(await c.submit({ job: id })).toBe(true);
    expect(test.sink.shares.map(({ difficulty }) => difficulty)).toEqual([EASY, EASY, EASY * 2]);
  });

  it.each<[string, StubOptions, number]>([
    ['slush: none, which stands for 1', { greeting: ['job'] }, 1],
    ['after the job', { greeting: ['job', 'difficulty'], difficulty: 64 }, 64],
    ['job before the difficulty, both before that answer', { greets: 'early', greeting: ['job', 'difficulty'] }, EASY],
  ])('a first difficulty %s', async (_, options, difficulty) => {
    await setUp(options);
    const c = await mine();
    await c.job();
    expect(c.difficulties).toEqual([difficulty]);
  });
});

describe('the handshake', () => {
  it('an authorisation that is answered late, after difficulty and job', async () => {
    let answer = (): void => undefined;
    const authorised = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await setUp({ greets: 'early', authorised });
    const c = await mine();
    await eventually(() => upstream.lines.filter((line) => line.includes('mining.authorize')).length > 1, 'both asked');
    expect(c.jobs).toEqual([]);
    answer();
    await c.job();
    expect(c.closed).toBe(false);
  });

  it('an authorisation that is refused, whatever was sent before, is a state of its own', async () => {
    await setUp({ greets: 'early', authorise: false });
    await eventually(() => test.proxy.upstreams()[0]?.state === 'auth_failed', 'refused');
    expect((await mine()).jobs).toEqual([]);
  });

  it('ckpool: reads whole numbers, and suggestions after the authorisation only; no line is above a kilobyte', async () => {
    await setUp();
    const c = connect(test.port);
    await c.call('mining.subscribe', ['x'.repeat(64)]);
    await c.call('mining.suggest_difficulty', [1000.4]);
    await c.authorise('alice.rig');
    await c.job();
    await c.submit();
    const methods = upstream.lines.map((line) => (JSON.parse(line) as { method: string }).method);
    expect(methods.lastIndexOf('mining.suggest_difficulty')).toBeGreaterThan(methods.lastIndexOf('mining.authorize'));
    expect(upstream.suggested).toEqual([1000, 1000]);
    expect(Math.max(...upstream.lines.map((line) => line.length))).toBeLessThan(1024);
  });

  it('pools that read no exponents get none', async () => {
    await setUp();
    const c = connect(test.port);
    await c.call('mining.subscribe', []);
    c.send('{"id":5,"method":"mining.suggest_difficulty","params":[1.5e-07]}\n');
    await c.authorise('alice.rig');
    await c.job();
    const lines = () => upstream.lines.filter((line) => line.includes('suggest'));
    await eventually(() => lines().length === 2, 'before and after the authorisation');
    expect(lines().map((line) => line.replace(/"id":\d+,/, ''))).toEqual(
      Array(2).fill('{"method":"mining.suggest_difficulty","params":[0.00000015]}'),
    );
  });

  it('ids that come back as strings', async () => {
    await setUp({ idOf: String });
    const c = await mine();
    await c.job();
    expect(await c.submit()).toBe(true);
  });
});

describe('extranonce2', () => {
  it.each([3, 5, 32])('of %d bytes is passed on whole', async (size) => {
    await setUp({ extranonceSize: size });
    await eventually(() => test.proxy.upstreams()[0]?.state === 'active', 'the probe');
    if (size <= 4) await (await mine()).ended();
    const c = await mine();
    const [, , coinb1] = await c.job();
    const [, own, bytes] = (c.lines[0]?.result ?? []) as unknown[];
    expect(bytes).toBe(Math.min(4, size));
    const rolled = '07'.padStart(2 * Math.min(4, size), '0');
    expect(await c.submit({ extranonce2: rolled })).toBe(true);
    const sent = String(upstream.submits[0]?.[2]);
    expect(sent).toHaveLength(2 * size);
    expect(`${String(coinb1)}${String(own)}${rolled}`).toMatch(new RegExp(`^aa01ab0000..${sent}$`));
  });

  it('of two bytes is too little: a state of its own, and its miners wait', async () => {
    await setUp({ extranonceSize: 2 });
    await eventually(() => test.proxy.upstreams()[0]?.state === 'down', 'down');
    expect(test.proxy.upstreams()[0]?.lastSwitchWhy).toBe('small_extranonce');
    const c = await mine();
    expect([c.jobs, c.closed]).toEqual([[], false]);
  });

  it('that shrinks midway: miners that understand it get less to roll, others subscribe again', async () => {
    await setUp();
    const [takes, other] = [await mine(), await mine()];
    await takes.call('mining.extranonce.subscribe', []);
    await Promise.all([takes.job(), other.job()]);
    upstream.send({ id: null, method: 'mining.set_extranonce', params: ['c0ffee', 3] });
    await takes.job(() => upstream.notify(true));
    expect((await takes.notification('mining.set_extranonce')).params).toEqual(['ee', 3]);
    expect(await takes.submit({ extranonce2: '000007' })).toBe(true);
    expect(upstream.submits.at(-1)?.[2]).toBe('000007');
    await other.ended();
    const again = await mine();
    await again.job();
    expect(await again.submit({ extranonce2: '000008' })).toBe(true);
  });

  it('that shrinks midway to less than can be used is an upstream that fails', async () => {
    await setUp();
    const c = await mine();
    await c.job();
    upstream.options.extranonceSize = 2;
    upstream.send({ id: null, method: 'mining.set_extranonce', params: ['c0ffee', 2] });
    await eventually(() => test.proxy.upstreams()[0]?.state === 'down', 'down');
    expect([test.proxy.upstreams()[0]?.lastSwitchWhy, c.closed]).toEqual(['small_extranonce', false]);
  });
});

describe('messages that nobody asked for', () => {
  it('a question is answered with its id', async () => {
    await setUp();
    await (await mine()).job();
    upstream.send({ id: 'v1', method: 'client.get_version', params: [] });
    upstream.send({ id: 0, method: 'mining.ping', params: [] });
    const answers = () =>
      upstream.lines.map((line) => JSON.parse(line) as { method?: string }).filter(({ method }) => !method);
    await eventually(() => answers().length === 2, 'the answers');
    expect(answers()).toMatchObject([{ id: 'v1' }, { id: 0, result: 'pong' }]);
  });
});

describe('BIP 310: a mask that changes', () => {
  it('is in force at once for what follows; work under way keeps the bits it was mined with', async () => {
    await setUp();
    const c = connect(test.port);
    await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': 'ffffffff' }]);
    await c.call('mining.subscribe', []);
    await c.authorise('alice.rig');
    const [before] = await c.job();
    upstream.send({ id: null, method: 'mining.set_version_mask', params: ['00ffe000'] });
    const [after] = await c.job(() => upstream.notify(false));
    expect((await c.notification('mining.set_version_mask')).params).toEqual(['00ffe000']);
    expect(await c.submit({ job: before, bits: '10002000' })).toBe(true);
    expect(await c.submit({ job: after, bits: '00002000' })).toBe(true);
    expect(await c.submit({ job: after, bits: '10002000' })).toBe(20);
    expect(upstream.submits.map((params) => params[5])).toEqual(['10002000', '00002000']);
  });
});
