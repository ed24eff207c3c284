import type { AccountDirectory } from '../ports';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, testProxy, TestProxy } from '../testing/test-proxy';
import { EASY, type StubUpstream, type StubOptions } from '../testing/upstream';

const { stub, proxyOf, connect, mine } = stratumForEach();
let upstream: StubUpstream;
let test: TestProxy;

async function setUp(given: StubOptions = {}, options: Parameters<typeof testProxy>[1] = {}): Promise<void> {
  upstream = await stub(given);
  test = await proxyOf([upstream.target], options);
  // The first look is over.
  await eventually(
    () => test.proxy.upstreams()[0]?.state !== 'standby' && upstream.sockets.size === 0,
    'the first look',
  );
}
const client = (): RawClient => connect(test.port);

/** A working miner that rolls bits. */
async function miner(user = 'alice.rig'): Promise<RawClient> {
  const c = client();
  await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': '1fffe000' }]);
  await c.call('mining.subscribe', ['test/1']);
  await c.authorise(user);
  await c.job();
  return c;
}

describe('the handshake', () => {
  it('grants version rolling and the fixed extranonce, sends difficulty before work, rewrites coinb1', async () => {
    await setUp({ difficulty: 64 });
    const c = client();
    expect(
      (await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': 'ffffffff' }])).result,
    ).toEqual({ 'version-rolling': true, 'version-rolling.mask': '1fffe000' });
    expect((await c.call('mining.subscribe', ['test/1'])).result).toEqual([expect.anything(), '00', 4]);
    expect(await c.authorise('alice.rig')).toBe(true);
    const job = await c.job();
    expect(c.difficulties).toEqual([64]);
    expect(c.lines.slice(-2).map(({ method }) => method)).toEqual(['mining.set_difficulty', 'mining.notify']);
    // aa01, the upstream's extranonce1, and the three bytes of its extranonce2 that the miner does not see.
    expect(job[2]).toMatch(/^aa01ab0000..[0-9a-f]{6}$/);
    expect(job[8]).toBe(true);
    expect(test.sink.presences.at(-1)).toMatchObject({
      worker: 'rig',
      connected: true,
      difficulty: 64,
      software: 'test/1',
    });
  });

  it('reports how long a machine with its software may be silent at its difficulty', async () => {
    await setUp({ difficulty: 1 });
    const c = connect(test.port);
    await c.call('mining.subscribe', ['cpuminer/2.5.1']);
    await c.authorise('alice.rig', 'd=1,x');
    await c.job();
    // 5 MH/s: a share each 859 s, and in one of a thousand cases none in seven times that.
    expect(test.sink.presences.at(-1)).toMatchObject({ difficulty: 1, silence: 5934 });
  });

  it("withdraws the mask when a later upstream refuses it, before that upstream's first job", async () => {
    await setUp();
    const c = await miner();
    upstream.options.mask = null;
    await c.job(() => upstream.drop());
    const methods = c.lines.map(({ method }) => method);
    expect(methods.indexOf('mining.set_version_mask')).toBeLessThan(methods.lastIndexOf('mining.notify'));
    expect((await c.notification('mining.set_version_mask')).params).toEqual(['00000000']);
    expect(await c.submit({ bits: '00002000' })).toBe(20);
    expect(await c.submit()).toBe(true);
    // No bits, because none were negotiated.
    expect(upstream.submits.at(-1)).toHaveLength(5);
  });

  it('disconnects new miners while accounts cannot be read, and keeps serving known ones', async () => {
    let down = false;
    const alice = { subAccountId: 1, name: 'alice', userId: 1, minerPassword: null };
    const directory: AccountDirectory = {
      ownWorkers: async () => new Set(),
      find: async (name) => {
        if (down) throw new Error('down');
        return name === 'alice' ? alice : null;
      },
      known: (by) => (by === 'bob' ? { ...alice, name: 'bob', subAccountId: 2 } : null),
      byId: async () => null,
      closed: async () => [],
      onChange: () => () => undefined,
    };
    await setUp({}, { directory });
    await miner();
    down = true;
    const c = client();
    await c.call('mining.subscribe', []);
    expect(await c.authorise('carol.rig')).toBe(20);
    await c.ended();
    await miner('alice.rig-2');
    await miner('bob.rig');
  });
});

describe('shares', () => {
  it('reach the upstream whole, and count with the lowest difficulty that may be in force', async () => {
    await setUp({ difficulty: EASY });
    const c = await miner();
    upstream.send({ id: null, method: 'mining.set_difficulty', params: [2 * EASY] });
    expect(await c.submit({ bits: '00004000', nonce: '0000002a' })).toBe(true);
    // The bytes of the upstream's extranonce2 that the miner does not see, its own byte, and what it rolls.
    const slot = String(c.jobs[0]?.[2]).slice(-6);
    expect(upstream.submits).toEqual([
      ['pool', expect.stringContaining('first'), `${slot}0000000001`, '65000000', '0000002a', '00004000'],
    ]);
    for (let job = 0; job < 2; job += 1) {
      await c.job(() => upstream.notify(false));
      await c.submit();
    }
    // ckpool judges the first job after a raise by the difficulty before.
    const share = { outcome: 'accepted', worker: 'rig', subAccountId: 1 };
    expect(test.sink.shares).toMatchObject([EASY, EASY, 2 * EASY].map((difficulty) => ({ ...share, difficulty })));
  });

  it("without rolled bits carry the job's own to an upstream that negotiated them", async () => {
    await setUp();
    const c = await mine(test.port);
    await c.job(() => upstream.notify(true, { 5: '20804000' }));
    await c.submit();
    expect(upstream.submits[0]?.[5]).toBe('00804000');
  });

  it('with a fault are refused, and told which', async () => {
    await setUp();
    const c = await miner();
    for (const [what, change, code] of [
      ['an unknown job', { job: 'ffff' }, 21],
      ['a short extranonce2', { extranonce2: '0001' }, 20],
      ['time before the job', { ntime: '64ffffff' }, 20],
      ['time far ahead', { ntime: '65001c21' }, 20],
      ['text for a nonce', { nonce: 'xyz' }, 20],
      ['bits outside the mask', { bits: '20000000' }, 20],
      ['malformed bits', { bits: '0x4000' }, 20],
      ["another's worker", { user: 'bob.rig' }, 24],
    ] as const)
      expect([what, await c.submit(change)]).toEqual([what, code]);
    expect((await c.call('mining.submit', [])).error?.[0]).toBe(24);
    expect(upstream.submits).toEqual([]);
    expect(test.sink.count('accepted')).toBe(0);
  });

  it('are read with their version bits in any spelling (parasitepool/para#410)', async () => {
    await setUp();
    const c = await miner();
    for (const [bits, sent] of [
      [null, '00000000'],
      ['', '00000000'],
      ['e000', '0000e000'],
      ['1FFFE000', '1fffe000'],
    ]) {
      expect(await c.submit({ bits })).toBe(true);
      expect(upstream.submits.at(-1)?.[5]).toBe(sent);
    }
  });

  it('before the subscription are refused with 25', async () => {
    await setUp();
    expect(await client().submit()).toBe(25);
  });

  it('sent a thousand times count once, the rest are 22, and bring the ban', async () => {
    await setUp({}, { limits: { linesPerSecond: 2000 } });
    const c = await miner();
    const nonces = ['0000002a', '0000002A'];
    const lines = nonces.map((nonce, id) => ({ id, method: 'mining.submit', params: c.share({ nonce }) }));
    c.send(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`.repeat(500));
    await c.ended();
    await eventually(() => test.sink.count('accepted') === 1, 'the one share');
    expect(upstream.submits).toHaveLength(1);
    const codes = new Set(c.lines.flatMap((line) => (line.error ? [line.error[0]] : [])));
    expect(codes).toEqual(new Set([22]));
    const again = client();
    await again.call('mining.subscribe', []);
    expect((await again.call('mining.authorize', ['alice.rig', 'x'])).error?.[1]).toMatch(/Banned/);
    // A miner behind the same address is not affected.
    await miner('alice.rig-2');
  });

  it.each<[string, boolean, number | true, { job?: unknown; nonce?: string; user?: string }, StubOptions]>([
    ['are accepted', false, true, {}, {}],
    ['the upstream refuses', false, 20, {}, { submit: () => ({ result: null, error: [20, 'No', null] }) }],
    ['are of a connection of a moment ago', false, 21, { job: 'ffff' }, {}],
    ['are of a job that it cannot have any more', true, 21, { job: 'ffff' }, {}],
    ['are malformed', true, 20, { nonce: 'xyz' }, {}],
    ['name no job', true, 20, { job: 7 }, {}],
    ['are too easy', true, 23, {}, { difficulty: 1e6 }],
    ["are another's", true, 24, { user: 'bob.rig' }, {}],
  ])('four in a row that %s bring a ban: %s', async (what, isBanned, answer, change, given) => {
    await setUp(given, { limits: { banWindow: 4, banPart: 1 } });
    const c = await miner();
    const { now } = performance;
    if (what.includes('any more'))
      jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 121_000);
    for (let share = 0; share < 4; share += 1) expect(await c.submit(change)).toBe(answer);
    jest.restoreAllMocks();
    if (isBanned) await c.ended();
    // It may come back as well.
    else await miner();
    expect(c.closed).toBe(isBanned);
  });

  describe('of work that comes again where an upstream leaves no room to make it other work', () => {
    const BASE = 2 * EASY;
    /** A miner that rolls all bits, and what sends it the same work again; the result is the new job. */
    async function again(rolling = true) {
      await setUp({ extranonceSize: 4, difficulty: BASE });
      const c = client();
      if (rolling) await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': '1fffe000' }]);
      await c.call('mining.subscribe', []);
      await c.call('mining.extranonce.subscribe', []);
      await c.authorise('alice.rig');
      const first = await c.job();
      const next = (factor: number, clean = false): Promise<unknown[]> =>
        c.job(() => {
          upstream.send({ id: null, method: 'mining.set_difficulty', params: [factor * BASE] });
          upstream.notify(clean, { 4: ['cc'.repeat(32)] });
        });
      // A time that all of its jobs allow.
      const found = { ntime: '65000020', nonce: '0000002a' };
      const submit = ([job]: unknown[], extranonce2: string) => c.submit({ ...found, job, extranonce2 });
      const credits = () => test.sink.shares.flatMap((s) => (s.outcome === 'accepted' ? [s.difficulty] : []));
      return { c, first, next, submit, credits };
    }

    it('a raise waits for other work, as no share of this is worth more than before; what is found again is 22', async () => {
      const { c, first, next, submit, credits } = await again();
      expect(await submit(first, '000001')).toBe(true);
      await next(2);
      const second = await next(2);
      expect([second[0] === first[0], second.slice(1, 7)]).toEqual([false, first.slice(1, 7)]);
      expect([await submit(second, '000001'), await submit(second, '000002')]).toEqual([22, true]);
      await c.job(() => upstream.notify(false));
      expect(c.difficulties).toEqual([BASE, 2 * BASE]);
      expect(credits()).toEqual([BASE, BASE]);
    });

    it('a raise by eight is told at once: the miner floods the pool', async () => {
      const { c, first, next, submit, credits } = await again();
      expect(await submit(first, '000001')).toBe(true);
      await next(8);
      expect(await submit(await next(8), '00000c')).toBe(true);
      expect(c.difficulties).toEqual([BASE, 8 * BASE]);
      expect(credits()).toEqual([BASE, BASE]);
    });

    it('a lower difficulty is told at once while no share was sent, and is what each job of this work is worth', async () => {
      const { c, first, next, submit, credits } = await again();
      expect(await submit(await next(1 / 2), '000001')).toBe(true);
      expect(await submit(first, '000002')).toBe(true);
      expect(c.difficulties).toEqual([BASE, BASE / 2]);
      expect(credits()).toEqual([BASE / 2, BASE / 2]);
    });

    it('a lower difficulty waits for other work once a share was sent, and is what it is worth', async () => {
      const { c, first, next, submit, credits } = await again();
      expect(await submit(first, '000001')).toBe(true);
      expect(await submit(await next(1 / 2), '000002')).toBe(true);
      expect(await submit(first, '000003')).toBe(true);
      expect(c.difficulties).toEqual([BASE]);
      expect(credits()).toEqual([BASE, BASE / 2, BASE / 2]);
    });

    it.each([
      ['with bits of the version that it does not roll', false],
      ['without any', true],
    ])('cpuminer and cpuminer-multi take it: its time moves on, %s', async (_, rolling) => {
      const { c, first, next } = await again(rolling);
      const jobs = [first, await next(1 / 2), await next(1 / 4), await next(1), await next(1)];
      jobs.push(await c.job(() => upstream.notify(false, { 4: ['cc'.repeat(32)], 7: '65000005' })));
      expect(jobs.map((job) => Number(job[7]) - 65_000_000)).toEqual([0, 1, 2, 3, 4, 5]);
      // A raise waits for other work, before a share too.
      expect(c.difficulties).toEqual([BASE, BASE / 2, ...(rolling ? [] : [BASE])]);
      expect(await c.submit({ job: jobs[2]?.[0], extranonce2: '000001', ntime: '65000001' })).toBe(20);
    });

    it('bits that the miner does not roll make other work of it: its difficulty is told at once', async () => {
      const { c, first, next, submit } = await again(false);
      const second = await next(1 / 2);
      expect(second[5]).not.toBe(first[5]);
      expect([await submit(first, '000001'), await submit(second, '000001')]).toEqual([true, true]);
      await next(1);
      await next(1);
      expect(c.difficulties).toEqual([BASE, BASE / 2, BASE]);
      const bits = (parseInt(String(second[5]), 16) & 0x1fffe000).toString(16).padStart(8, '0');
      expect(bits).not.toBe('00000000');
      expect(upstream.submits.map((params) => params[5])).toEqual(['00000000', bits]);
    });

    it('who begins anew with each clean job is not banned for what it finds again', async () => {
      const { c, first, next, submit } = await again();
      const found = Array.from({ length: 12 }, (_, i) => i.toString(16).padStart(6, '0'));
      for (const en2 of found) await submit(first, en2);
      for (let round = 0; round < 9; round += 1) {
        const job = await next(1, true);
        for (const en2 of found) expect(await submit(job, en2)).toBe(22);
      }
      expect(c.closed).toBe(false);
    });
  });

  it('below the difficulty of their job are refused whatever the upstream says', async () => {
    await setUp({ difficulty: 1e6 });
    const c = await miner();
    upstream.send({ id: null, method: 'mining.set_difficulty', params: [EASY] });
    expect(await c.submitMany(20)).toEqual([23]);
    expect([upstream.submits, test.sink.count('accepted')]).toEqual([[], 0]);
  });

  it('of the same block are taken after a clean job: it only changed the difficulty', async () => {
    await setUp();
    const c = await miner();
    const [[job] = []] = c.jobs;
    await c.job(() => upstream.notify(true));
    expect(await c.submit({ job })).toBe(true);
  });

  it('pending when the miner leaves still count', async () => {
    let answer: (() => void) | undefined;
    await setUp({
      submit: () => {
        const { id } = JSON.parse(upstream.lines.at(-1) ?? '{}') as { id: number };
        answer = () => upstream.send({ id, result: true, error: null });
        return undefined;
      },
    });
    const c = await miner();
    void c.submit().catch(() => undefined);
    await eventually(() => answer !== undefined, 'the share at the upstream');
    c.destroy();
    await eventually(() => test.sink.presences.some((p) => !p.connected), 'the miner gone');
    answer?.();
    await eventually(
      () => test.sink.count('accepted') === 1 && upstream.sockets.size === 0,
      'the share counted, the upstream connection closed',
    );
  });

  it('of a finished block are stale and cause no ban', async () => {
    await setUp({}, { limits: { linesPerSecond: 2000 } });
    const c = await miner();
    const [[job] = []] = c.jobs;
    await c.job(() => upstream.notify(true, { 1: '22'.repeat(32) }));
    expect(await c.submitMany(150, { job })).toEqual([21]);
    expect(c.closed).toBe(false);
    expect(test.sink.count('stale')).toBe(150);
  });

  it.each([
    [[21, 'late', null], 21, 'stale'],
    [[22, 'known', null], 22, 'rejected'],
    [[24, 'who', null], 20, 'rejected'],
    [null, 20, 'rejected'],
  ])('the upstream refuses with %j are answered %i and counted as %s', async (error, code, outcome) => {
    await setUp({ submit: () => ({ result: null, error }) });
    const c = await miner();
    expect(await c.submit()).toBe(code);
    expect(test.sink.shares.map((s) => s.outcome)).toEqual([outcome]);
  });

  it('are never refused because they come fast: what is too much waits in the network', async () => {
    await setUp({}, { limits: { linesPerSecond: 100, pendingSubmits: 10 } });
    const c = await miner();
    expect(await c.submitMany(300)).toEqual([true]);
    expect(test.sink.count('accepted')).toBe(300);
  });
});
