import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import { type StubUpstream, EASY, type StubOptions } from '../testing/upstream';
import { Spared } from './optional-calls';

/** What pools answer, do not answer, and say unasked, from reports about other proxies and miners (docs/interop.md). */
const { stub, proxyOf: open, connect, join } = stratumForEach();
let test: TestProxy;

/** Milliseconds that a share waits for its answer; a call that counted as one would soon end the connection. */
const SUBMIT_MS = 300;
const proxyOf = async (...targets: StubUpstream[]): Promise<void> => {
  test = await open(
    targets.map(({ target }) => target),
    { limits: { submitMs: SUBMIT_MS } },
  );
  await eventually(() => test.proxy.upstreams()[0]?.state === 'active', 'the first look');
};
const mine = async (suggested?: number): Promise<RawClient> => {
  const c = connect(test.port);
  await c.call('mining.subscribe', ['test/1']);
  if (suggested) await c.call('mining.suggest_difficulty', [suggested]);
  await c.authorise('alice.rig');
  await c.job();
  return c;
};
/** Shares for longer than one of them may wait. */
const outlive = async (c: RawClient): Promise<void> => {
  const until = performance.now() + SUBMIT_MS + 50;
  while (performance.now() < until) expect(await c.submit()).toBe(true);
};
const asked = ({ lines }: StubUpstream, method: string): number =>
  lines.filter((line) => line.includes(`"${method}"`)).length;

describe('a call that a pool does not know costs no connection, and the next one goes without it', () => {
  const ways = ['silent', 'refuses', 'closes'] as const;

  it.each(ways)('mining.configure: %s', async (way) => {
    const upstream = await stub({ unknown: { 'mining.configure': way } });
    await proxyOf(upstream);
    expect(upstream.connects).toBe(way === 'closes' ? 2 : 1);
    const connects = upstream.connects + 1;
    const c = await mine();
    await outlive(c);
    expect([upstream.connects, asked(upstream, 'mining.configure')]).toEqual([connects, 1]);
    expect(test.sink.count('accepted')).toBe(upstream.submits.length);
    expect(test.proxy.upstreams()[0]).toMatchObject({ state: 'active', lastSwitchWhy: 'connected' });
  });

  it.each(ways)('mining.suggest_difficulty: %s', async (way) => {
    const upstream = await stub({ unknown: { 'mining.suggest_difficulty': way } });
    await proxyOf(upstream);
    for (const suggested of [16, 32]) {
      const c = await mine(suggested);
      await outlive(c);
      c.destroy();
      await eventually(() => upstream.sockets.size === 0, 'its connection closed');
    }
    // The look's, those of the miners, and the one that was ended.
    expect(upstream.connects).toBe(way === 'closes' ? 4 : 3);
    // A pool that answers nothing may still do as it is asked: ckpool.
    expect(asked(upstream, 'mining.suggest_difficulty')).toBe({ silent: 4, refuses: 1, closes: 1 }[way]);
    expect(test.proxy.upstreams()[0]).toMatchObject({ state: 'active', lastSwitchWhy: 'connected' });
  });

  it('a pool that ends every connection is asked again as before', async () => {
    const upstream = await stub({ unknown: { 'mining.configure': 'closes', 'mining.subscribe': 'closes' } });
    test = await open([upstream.target]);
    await eventually(() => test.proxy.upstreams()[0]?.state === 'down', 'down');
    upstream.options.unknown = {};
    await eventually(() => test.proxy.upstreams()[0]?.state === 'active', 'the pool is back');
    const c = connect(test.port);
    const granted = await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': 'ffffffff' }]);
    expect(granted.result).toMatchObject({ 'version-rolling': true });
  });

  it('a pool that goes away in the handshake is not asked for ever', async () => {
    const upstream = await stub();
    upstream.onConnect = () => void upstream.kill();
    test = await open([upstream.target], { limits: { upstreamWorkMs: 600_000 } });
    await eventually(() => test.proxy.upstreams()[0]?.state === 'down', 'down');
    expect(test.proxy.upstreams()[0]?.lastSwitchWhy).toBe('lost');
  });

  it('the last one before the end of a connection that has work is not made again (Stratehm/stratum-proxy#44)', async () => {
    const upstream = await stub({ unknown: { 'mining.suggest_difficulty': 'closes later' } });
    await proxyOf(upstream);
    const c = await mine(16);
    // Clean: what is found for the work before is of a connection that is gone.
    expect((await c.job(() => undefined))[8]).toBe(true);
    await outlive(c);
    await outlive(c);
    expect(asked(upstream, 'mining.suggest_difficulty')).toBe(2);
    // Its two connections, and two looks at the pool.
    expect(upstream.connects).toBeLessThanOrEqual(4);
  });

  it('one that was granted before is made again soon', () => {
    const spared = new Spared();
    const calls = ['mining.configure', 'mining.suggest_difficulty'] as const;
    spared.grant('mining.configure');
    for (const call of calls) spared.spare(call, 0);
    expect(calls.map((call) => spared.has(call, 59_000))).toEqual([true, true]);
    expect(calls.map((call) => spared.has(call, 61_000))).toEqual([false, true]);
    spared.grant('mining.suggest_difficulty');
    expect(spared.has('mining.suggest_difficulty', 61_000)).toBe(false);
  });

  it("is one account's pool's own: what one leaves unanswered is asked of another at the same address (braiins/braiins#76)", async () => {
    const upstream = await stub({ unknown: { 'mining.configure': 'silent' } });
    await proxyOf(upstream);
    test.lists.set(1, upstream.own(1, { user: 'alice-there' }));
    upstream.options.unknown = {};
    const c = connect(test.port);
    await c.call('mining.subscribe', []);
    await c.authorise('alice.rig');
    await c.job();
    expect(asked(upstream, 'mining.configure')).toBeGreaterThan(1);
  });

  it('mining.extranonce.subscribe is made: a pool may end connections without it (bitaxeorg/ESP-Miner#62)', async () => {
    const upstream = await stub({ needs: 'mining.extranonce.subscribe' });
    await proxyOf(upstream);
    const c = await mine();
    const { connects } = upstream;
    await outlive(c);
    expect([upstream.connects, c.closed]).toEqual([connects, false]);
  });

  it("the test of a user's pool also goes on without it", async () => {
    const upstream = await stub({ unknown: { 'mining.configure': 'closes' } });
    test = await open([]);
    expect(await test.proxy.testPool(upstream.own(1))).toBe('ok');
  });
});

describe('an authorisation', () => {
  it.each([
    { result: null, error: null },
    { jsonrpc: '2.0', result: { status: 'OK' } },
  ])('granted: %j', async (granted) => {
    await proxyOf(await stub({ granted }));
    const c = await mine();
    expect(await c.submit()).toBe(true);
  });

  const unsaid = 'the user name or the address was refused';
  it.each<[answer: object, why: string]>([
    [{ result: false, error: null }, unsaid],
    [{ error: null }, unsaid],
    [{ result: true, error: [24, 'Unknown user', null] }, 'Unknown user'],
  ])('refused: %j', async (granted, why) => {
    const upstream = await stub({ granted });
    test = await open([]);
    test.lists.set(1, upstream.own(1));
    await join(test.port);
    await eventually(() => test.proxy.poolStatus(1).get(1)?.state === 'auth_failed', 'refused');
    expect(test.proxy.poolStatus(1).get(1)?.lastError).toBe(why);
  });
});

describe('a stray line', () => {
  const STRAY: (object | string)[] = [
    // bfgminer#676: an object that is not JSON.
    '{ id: null, result: [], error: true }',
    { id: null, result: [], error: true },
    { id: null, method: 'mining.set_goal', params: { goal: 'btc' } },
    'welcome to the pool',
    { id: {}, result: true, error: null },
    { id: null, method: 'mining.set_difficulty', params: ['low'] },
    { id: null, method: 'mining.notify', params: ['x'] },
    { id: null, method: 'mining.set_extranonce', params: [7, 'x'] },
    // Messages that nobody asked for.
    { id: null, method: 'client.show_message', params: ['hello'] },
    { id: null, method: 'client.reconnect', params: ['other.example', 3333, 0] },
    { id: 'abc', method: 'mining.something', params: [] },
    { id: 7, method: 'client.show_message' },
    { id: 3, result: null, error: [-3, 'Method not found', null] },
    { id: 4711, result: true, error: null },
    { id: null, result: null, error: [20, 'what?', null] },
    { id: null, method: 'mining.set_version_mask', params: [] },
  ];
  it('is dropped, before each job', async () => {
    const upstream = await stub();
    await proxyOf(upstream);
    const c = await mine();
    const { connects } = upstream;
    for (const line of STRAY) {
      upstream.send(line);
      await c.job(() => upstream.notify(false));
      expect([line, await c.submit()]).toEqual([line, true]);
    }
    expect([upstream.connects, c.closed]).toEqual([connects, false]);
  });

  it('what is a number as text is read, and a job id that is a number is sent back as one', async () => {
    const upstream = await stub();
    await proxyOf(upstream);
    const c = await mine();
    upstream.send('{"id":null,"method":"mining.set_difficulty","params":["0.0000000002"]}\0');
    upstream.send({ id: null, method: 'mining.set_extranonce', params: ['c0ffee', '8'] });
    await c.job(() => upstream.notify(false));
    const [, , coinb1] = await c.job(() => upstream.notify(false, { 0: 17 }));
    expect(coinb1).toMatch(/^aa01c0ffee[0-9a-f]{6}$/);
    expect(c.difficulties.at(-1)).toBe(2e-10);
    expect(await c.submit()).toBe(true);
    expect([upstream.submits[0]?.[1], String(upstream.submits[0]?.[2]).length]).toEqual([17, 16]);
  });

  it('a page of HTML at the handshake is no pool', async () => {
    const upstream = await stub({ mute: true });
    test = await open([upstream.target]);
    await eventually(() => upstream.sockets.size > 0, 'the first look');
    upstream.send('HTTP/1.1 400 Bad Request\r\n\r\n<html>');
    await eventually(() => test.proxy.upstreams()[0]?.state === 'down', 'down');
    expect(test.proxy.upstreams()[0]?.lastSwitchWhy).toBe('misbehaves');
  });
});

describe('client.reconnect', () => {
  const reconnect = (...params: unknown[]): object => ({ id: null, method: 'client.reconnect', params });

  it('MiningRigRentals: a session begins with another port; the test of the pool and its miners follow', async () => {
    const upstream = await stub();
    const front = await stub({ mute: true });
    test = await open([]);
    test.lists.set(1, front.own(1));
    front.onConnect = () => front.send(reconnect('127.0.0.1', String(upstream.target.port), 0));
    expect(await test.proxy.testPool(front.own(1))).toBe('ok');
    const c = await mine();
    expect(await c.submit()).toBe(true);
    expect(test.proxy.poolStatus(1).get(1)?.state).toBe('active');
  });

  it('to itself for ever is a pool that does not work', async () => {
    const upstream = await stub({ mute: true });
    upstream.onConnect = () => upstream.send(reconnect());
    test = await open([upstream.target]);
    await eventually(() => test.proxy.upstreams()[0]?.state === 'down', 'down');
    expect(test.proxy.upstreams()[0]?.lastSwitchWhy).toBe('misbehaves');
  });

  it('the shares under way are still answered by the connection that they were sent on', async () => {
    const upstream = await stub({ submit: () => undefined });
    test = await open([upstream.target]);
    const c = await mine();
    const share = c.submit();
    await eventually(() => upstream.submits.length === 1, 'the share');
    const [old] = upstream.sockets;
    await c.job(() => upstream.send(reconnect()));
    const sent = JSON.parse(upstream.lines.find((line) => line.includes('mining.submit')) ?? '{}') as { id: number };
    old?.write(`${JSON.stringify({ id: sent.id, result: true, error: null })}\n`);
    expect(await share).toBe(true);
    await eventually(() => old?.destroyed, 'the old connection is ended');
    expect(test.proxy.upstreams()[0]).toMatchObject({ state: 'active', lastSwitchWhy: 'connected' });
  });
});

/** Habits of upstream pools, each named by the software that has it (docs/interop.md says where the others are). */
describe('habits of pools', () => {
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
    it.each<[change: string, steps: readonly number[], refused: unknown]>([
      // No hash here reaches the higher difficulty: it is no share to who judges by that, and work as any other.
      ['a raise', [1e6], true],
      ['a lowering', [1 / 2], 23],
      ['two raises in one job', [1e6, 2e6], true],
      ['up and down in one job', [1e6, 1], true],
    ])('after %s', async (_, steps, refused) => {
      let takes = true;
      await setUp({
        difficulty: BASE,
        submit: () => (takes ? { result: true, error: null } : { result: null, error: 'Above target' }),
      });
      const c = await mine();
      const [id] = await c.job();
      for (const step of steps) setDifficulty(BASE * step);
      // The miner is told with the job from which on it counts for certain, once.
      expect(c.difficulties).toEqual([BASE]);
      for (let job = 0; job < 2; job += 1) await c.job(() => upstream.notify(false));
      expect(c.difficulties).toHaveLength(steps.at(-1) === 1 ? 1 : 2);
      expect(await c.submit({ job: id })).toBe(true);
      takes = false;
      // More than decide about a ban.
      expect(await c.submitMany(120, { job: id })).toEqual([refused]);
      const [first, ...others] = test.sink.shares.filter(({ outcome }) => outcome === 'accepted');
      const difficulty = BASE * Math.min(1, ...steps);
      expect(first).toMatchObject({ difficulty, taken: { upstream: 'Stub', accepted: difficulty } });
      expect(new Set(others.map((share) => [share.difficulty, share.taken?.accepted].join()))).toEqual(
        new Set(refused === true ? [`${BASE},0`] : []),
      );
      expect(c.closed).toBe(false);
    });
  });

  describe('difficulty and work', () => {
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
      [
        'job before the difficulty, both before that answer',
        { greets: 'early', greeting: ['job', 'difficulty'] },
        EASY,
      ],
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
      await eventually(
        () => upstream.lines.filter((line) => line.includes('mining.authorize')).length > 1,
        'both asked',
      );
      expect(c.jobs).toEqual([]);
      answer();
      await c.job();
      expect(c.closed).toBe(false);
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
      expect(new Set(upstream.suggested)).toEqual(new Set([1000, 2001]));
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
      await eventually(() => lines().length > 0, 'the suggestion');
      expect(lines()[0]?.replace(/"id":\d+,/, '')).toBe('{"method":"mining.suggest_difficulty","params":[0.00000015]}');
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
      await eventually(() => test.proxy.upstreams()[0]?.state === 'active', 'the first look');
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
      upstream.send({ id: null, method: 'mining.set_extranonce', params: ['c0ffee', 4] });
      await takes.job(() => upstream.notify(true));
      const [own, size] = (await takes.notification('mining.set_extranonce')).params ?? [];
      expect([own, size]).toEqual([expect.stringMatching(/^..$/), 3]);
      expect(await takes.submit({ extranonce2: '000007' })).toBe(true);
      expect(upstream.submits.at(-1)?.[2]).toBe(`${String(own)}000007`);
      await other.ended();
      const again = await mine();
      await again.job();
      expect(await again.submit({ extranonce2: '000007' })).toBe(true);
      expect(upstream.submits.at(-1)?.[2]).not.toBe(`${String(own)}000007`);
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
});
