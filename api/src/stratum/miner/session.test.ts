import type { AccountDirectory } from '../ports';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, testProxy, Line, TestProxy } from '../testing/test-proxy';
import { EASY, type StubUpstream, type StubOptions } from '../testing/upstream';

const { stub, proxyOf, connect } = stratumForEach();
const NTIME = '65000000';
let upstream: StubUpstream;
let test: TestProxy;

async function setUp(given: StubOptions = {}, options: Parameters<typeof testProxy>[1] = {}): Promise<void> {
  upstream = await stub(given);
  test = await proxyOf([upstream.target], options);
  // The first probe is over.
  await eventually(() => test.proxy.upstreams()[0]?.state !== 'standby' && upstream.sockets.size === 0, 'the probe');
}
const client = (): RawClient => connect(test.port);

/** A working miner: its client and the id of its first job. */
async function miner(
  user = 'alice.rig',
  { rolling = true } = {},
): Promise<{ c: RawClient; job: string; notify: Line }> {
  const c = client();
  if (rolling) await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': '1fffe000' }]);
  await c.call('mining.subscribe', ['test/1']);
  await c.call('mining.authorize', [user, 'x']);
  const notify = await c.notification('mining.notify');
  return { c, notify, job: String(notify.params?.[0]) };
}
const share = (
  job: string,
  change: Partial<{ user: string; en2: string; ntime: string; nonce: string; bits: string }> = {},
): unknown[] => {
  const { user = 'alice.rig', en2 = '00000001', ntime = NTIME, nonce = '0000002a', bits } = change;
  return [user, job, en2, ntime, nonce, ...(bits === undefined ? [] : [bits])];
};

const submitLine = (id: number, params: unknown[]): string =>
  `${JSON.stringify({ id, method: 'mining.submit', params })}\n`;

describe('the handshake', () => {
  it('grants version rolling and the fixed extranonce, sends difficulty before work, rewrites coinb1', async () => {
    await setUp({ difficulty: 64 });
    const c = client();
    expect(
      (await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': 'ffffffff' }])).result,
    ).toEqual({ 'version-rolling': true, 'version-rolling.mask': '1fffe000' });
    expect((await c.call('mining.subscribe', ['test/1'])).result).toEqual([expect.anything(), '00', 4]);
    expect((await c.call('mining.authorize', ['alice.rig', 'x'])).result).toBe(true);
    const notify = await c.notification('mining.notify');
    const difficulty = await c.notification('mining.set_difficulty');
    expect(difficulty.params).toEqual([64]);
    expect(c.lines.indexOf(difficulty)).toBeLessThan(c.lines.indexOf(notify));
    // aa01, the upstream's extranonce1, and the three bytes of its extranonce2 that the miner does not see.
    expect(notify.params?.[2]).toMatch(/^aa01ab0000..[0-9a-f]{6}$/);
    expect(notify.params?.[8]).toBe(true);
    expect(test.sink.presences.at(-1)).toMatchObject({
      worker: 'rig',
      connected: true,
      difficulty: 64,
      software: 'test/1',
    });
  });

  it('reports how long a machine with its software may be silent at its difficulty', async () => {
    await setUp({ difficulty: 1 });
    const c = client();
    await c.call('mining.subscribe', ['cpuminer/2.5.1']);
    await c.call('mining.authorize', ['alice.rig', 'x']);
    await c.notification('mining.notify');
    // 5 MH/s: a share each 859 s, and in one of a thousand cases none in seven times that.
    expect(test.sink.presences.at(-1)).toMatchObject({ difficulty: 1, silence: 5934 });
  });

  it("withdraws the mask when a later upstream refuses it, before that upstream's first job", async () => {
    await setUp();
    const { c } = await miner();
    upstream.options.mask = null;
    upstream.drop();
    await c.line((line) => line.method === 'mining.set_version_mask');
    await c.line(
      (line) =>
        line.method === 'mining.notify' &&
        c.lines.indexOf(line) > c.lines.findIndex((l) => l.method === 'mining.set_version_mask'),
    );
    expect(c.lines.find((line) => line.method === 'mining.set_version_mask')?.params).toEqual(['00000000']);
    const job = String(c.lines.filter((line) => line.method === 'mining.notify').at(-1)?.params?.[0]);
    expect((await c.call('mining.submit', share(job, { bits: '00002000' }))).error?.[0]).toBe(20);
    expect((await c.call('mining.submit', share(job))).result).toBe(true);
    // No bits, because none were negotiated.
    expect(upstream.submits.at(-1)).toHaveLength(5);
  });

  it('refuses names of nobody with 24', async () => {
    await setUp();
    const c = client();
    await c.call('mining.subscribe', []);
    for (const user of ['nobody.rig', 'alice.<img src=x>', '.'])
      expect((await c.call('mining.authorize', [user, 'x'])).error?.[0]).toBe(24);
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
    expect((await c.call('mining.authorize', ['carol.rig', 'x'])).error?.[0]).toBe(20);
    await c.ended();
    await miner('alice.rig-2');
    await miner('bob.rig');
  });
});

describe('shares', () => {
  it('reach the upstream whole, and count with the lowest difficulty that may be in force', async () => {
    await setUp({ difficulty: EASY });
    const { c, job, notify } = await miner();
    upstream.send({ id: null, method: 'mining.set_difficulty', params: [2 * EASY] });
    expect((await c.call('mining.submit', share(job, { bits: '00004000' }))).result).toBe(true);
    // The bytes of the upstream's extranonce2 that the miner does not see, its own byte, and what it rolls.
    const slot = String(notify.params?.[2]).slice(-6);
    expect(upstream.submits).toEqual([
      ['pool', expect.stringContaining('first'), `${slot}0000000001`, NTIME, '0000002a', '00004000'],
    ]);
    upstream.notify(false);
    const next = await c.line((line) => line.method === 'mining.notify' && line.params?.[0] !== job);
    await c.call('mining.submit', share(String(next.params?.[0])));
    upstream.notify(false);
    const last = await c.line(
      (line) => line.method === 'mining.notify' && ![job, next.params?.[0]].includes(line.params?.[0] as string),
    );
    await c.call('mining.submit', share(String(last.params?.[0])));
    // ckpool judges the first job after a raise by the difficulty before.
    expect(
      test.sink.shares.map(({ difficulty, outcome, worker, subAccountId }) => ({
        difficulty,
        outcome,
        worker,
        subAccountId,
      })),
    ).toEqual([
      { difficulty: EASY, outcome: 'accepted', worker: 'rig', subAccountId: 1 },
      { difficulty: EASY, outcome: 'accepted', worker: 'rig', subAccountId: 1 },
      { difficulty: 2 * EASY, outcome: 'accepted', worker: 'rig', subAccountId: 1 },
    ]);
  });

  it("without rolled bits carry the job's own to an upstream that negotiated them", async () => {
    await setUp();
    const { c } = await miner('alice.rig', { rolling: false });
    upstream.notify(true, { 5: '20804000' });
    const next = await c.line((line) => line.method === 'mining.notify' && line.params?.[5] === '20804000');
    await c.call('mining.submit', share(String(next.params?.[0])));
    expect(upstream.submits[0]?.[5]).toBe('00804000');
  });

  it('with a fault are refused, and told which', async () => {
    await setUp();
    const { c, job } = await miner();
    for (const [what, params, code] of [
      ['an unknown job', share('ffff'), 21],
      ['a short extranonce2', share(job, { en2: '0001' }), 20],
      ['a foreign extranonce', share(job, { en2: 'ab00000100000001' }), 20],
      ['time before the job', share(job, { ntime: '64ffffff' }), 20],
      ['time far ahead', share(job, { ntime: '65001c21' }), 20],
      ['text for a nonce', share(job, { nonce: 'xyz' }), 20],
      ['bits outside the mask', share(job, { bits: '20000000' }), 20],
      ['malformed bits', share(job, { bits: '0x4000' }), 20],
      ["another's worker", share(job, { user: 'bob.rig' }), 24],
      ['another worker of the same account', share(job, { user: 'alice.other' }), 24],
      ['nothing at all', [], 24],
    ] as const)
      expect([what, (await c.call('mining.submit', [...params])).error?.[0]]).toEqual([what, code]);
    expect(upstream.submits).toEqual([]);
    expect(test.sink.count('accepted')).toBe(0);
  });

  it('are read with their version bits in any spelling (parasitepool/para#410)', async () => {
    await setUp();
    const { c, job } = await miner();
    for (const [n, [bits, sent]] of (
      [
        [null, '00000000'],
        ['', '00000000'],
        ['e000', '0000e000'],
        ['1FFFE000', '1fffe000'],
      ] as const
    ).entries()) {
      expect((await c.call('mining.submit', [...share(job, { nonce: `0000000${n}` }), bits])).result).toBe(true);
      expect(upstream.submits[n]?.[5]).toBe(sent);
    }
  });

  it('before the subscription are refused with 25', async () => {
    await setUp();
    expect((await client().call('mining.submit', share('1'))).error?.[0]).toBe(25);
  });

  it('sent a thousand times count once, the rest are 22, and bring the ban', async () => {
    await setUp({}, { limits: { linesPerSecond: 2000 } });
    const { c, job } = await miner();
    c.send(
      Array.from({ length: 1000 }, (_, i) =>
        submitLine(i, share(job, { nonce: i % 2 ? '0000002A' : '0000002a' })),
      ).join(''),
    );
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

  describe('of work that comes again where an upstream leaves no room to make it other work', () => {
    const BASE = 2 * EASY;
    /** A miner that rolls all bits, and what sends it the same work again; the result is the new job. */
    async function again(rolling = true) {
      await setUp({ extranonceSize: 4, difficulty: BASE });
      const c = client();
      if (rolling) await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': '1fffe000' }]);
      await c.call('mining.subscribe', []);
      await c.call('mining.extranonce.subscribe', []);
      await c.call('mining.authorize', ['alice.rig', 'x']);
      const first = (await c.notification('mining.notify')).params ?? [];
      const notifies = () => c.lines.flatMap((l) => (l.method === 'mining.notify' ? [l.params ?? []] : []));
      const next = async (factor: number, clean = false): Promise<unknown[]> => {
        const known = notifies().length;
        upstream.send({ id: null, method: 'mining.set_difficulty', params: [factor * BASE] });
        upstream.notify(clean, { 4: ['cc'.repeat(32)] });
        await eventually(() => notifies().length > known, 'the job again');
        return notifies().at(-1) ?? [];
      };
      const submit = async (of: unknown[], en2: string) =>
        (await c.call('mining.submit', share(String(of[0]), { en2 }))).error?.[0] ?? true;
      const difficulties = () => c.lines.flatMap((l) => (l.method === 'mining.set_difficulty' ? [l.params?.[0]] : []));
      const credits = () => test.sink.shares.flatMap((s) => (s.outcome === 'accepted' ? [s.difficulty] : []));
      return { c, first, next, submit, difficulties, credits };
    }

    it('a raise is told at once; what is found again is 22, and nothing is worth more than before', async () => {
      const { first, next, submit, difficulties, credits } = await again();
      expect(await submit(first, '00000001')).toBe(true);
      const second = await next(2);
      expect([second[0] === first[0], second.slice(1, 8)]).toEqual([false, first.slice(1, 8)]);
      expect(difficulties()).toEqual([BASE, 2 * BASE]);
      expect([await submit(second, '00000001'), await submit(second, '00000002')]).toEqual([22, true]);
      expect(credits()).toEqual([BASE, BASE]);
    });

    it('a lower difficulty waits for other work, and is what it is worth', async () => {
      const { first, next, submit, difficulties, credits } = await again();
      expect(await submit(await next(1 / 2), '00000001')).toBe(true);
      expect(await submit(first, '00000002')).toBe(true);
      expect(difficulties()).toEqual([BASE]);
      expect(credits()).toEqual([BASE / 2, BASE / 2]);
    });

    it('bits that the miner does not roll make other work of it: its difficulty is told at once', async () => {
      const { first, next, submit, difficulties } = await again(false);
      const second = await next(1 / 2);
      expect(second[5]).not.toBe(first[5]);
      expect([await submit(first, '00000001'), await submit(second, '00000001')]).toEqual([true, true]);
      expect(difficulties()).toEqual([BASE, BASE / 2]);
      const bits = (parseInt(String(second[5]), 16) & 0x1fffe000).toString(16).padStart(8, '0');
      expect(upstream.submits.map((params) => params[5])).toEqual(['00000000', bits]);
    });

    it('who begins anew with each clean job is not banned for what it finds again', async () => {
      const { c, first, next, submit } = await again();
      const found = Array.from({ length: 12 }, (_, i) => i.toString(16).padStart(8, '0'));
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
    const { c, job } = await miner();
    upstream.send({ id: null, method: 'mining.set_difficulty', params: [EASY] });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        c.call('mining.submit', share(job, { en2: i.toString(16).padStart(8, '0') })),
      ),
    );
    expect(new Set(answers.map((answer) => answer.error?.[0]))).toEqual(new Set([23]));
    expect([upstream.submits, test.sink.count('accepted')]).toEqual([[], 0]);
  });

  it('of the same block are taken after a clean job: it only changed the difficulty', async () => {
    await setUp();
    const { c, job } = await miner();
    upstream.notify(true);
    await c.line((line) => line.method === 'mining.notify' && line.params?.[0] !== job);
    expect((await c.call('mining.submit', share(job))).result).toBe(true);
  });

  it('pending when the miner leaves still count', async () => {
    let answer: (() => void) | undefined;
    await setUp({
      submit: () => {
        answer = () => upstream.send({ id: 4, result: true, error: null });
        return undefined;
      },
    });
    const { c, job } = await miner();
    void c.call('mining.submit', share(job)).catch(() => undefined);
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
    const { c, job } = await miner();
    upstream.notify(true, { 1: '22'.repeat(32) });
    await c.line((line) => line.method === 'mining.notify' && line.params?.[0] !== job);
    for (let i = 0; i < 150; i += 1)
      expect((await c.call('mining.submit', share(job, { nonce: i.toString(16).padStart(8, '0') }))).error?.[0]).toBe(
        21,
      );
    expect(c.closed).toBe(false);
    expect(test.sink.count('stale')).toBe(150);
  });

  it.each([
    [[21, 'late', null], 21, 'stale'],
    [[24, 'who', null], 20, 'rejected'],
    [null, 20, 'rejected'],
  ])('the upstream refuses with %j are answered %i and counted as %s', async (error, code, outcome) => {
    await setUp({ submit: () => ({ result: null, error }) });
    const { c, job } = await miner();
    const answer = await c.call('mining.submit', share(job));
    expect([answer.result, answer.error?.[0]]).toEqual([null, code]);
    expect(test.sink.shares.map((s) => s.outcome)).toEqual([outcome]);
  });

  it('are never refused because they come fast: what is too much waits in the network', async () => {
    await setUp({}, { limits: { linesPerSecond: 100, pendingSubmits: 10 } });
    const { c, job } = await miner();
    c.send(
      Array.from({ length: 300 }, (_, i) => submitLine(i, share(job, { nonce: i.toString(16).padStart(8, '0') }))).join(
        '',
      ),
    );
    await eventually(() => c.lines.filter((line) => typeof line.id === 'number').length === 300, 'all answers');
    expect(c.lines.filter((line) => typeof line.id === 'number' && line.result !== true)).toEqual([]);
    expect(test.sink.count('accepted')).toBe(300);
  });
});

it("suggests the difficulty of the password to every upstream connection and ignores the firmware's", async () => {
  await setUp();
  const c = client();
  await c.call('mining.subscribe', []);
  await c.call('mining.suggest_difficulty', [0.25]);
  await c.call('mining.authorize', ['alice.rig', 'd=1024,x']);
  await c.notification('mining.notify');
  expect((await c.call('mining.suggest_difficulty', [0.5])).result).toBe(true);
  await eventually(() => upstream.suggested.length === 2, 'the suggestion, before and after the authorisation');
  upstream.drop();
  await eventually(() => upstream.suggested.length === 4, 'the suggestion again');
  expect(upstream.suggested).toEqual([1024, 1024, 1024, 1024]);
});

describe('a difficulty that nobody asked for', () => {
  /** A miner that mines and goes. */
  async function mineOnce(): Promise<void> {
    const { c, job } = await miner();
    expect((await c.call('mining.submit', share(job))).result).toBe(true);
    c.destroy();
    await eventually(() => test.proxy.connections() === 0, 'the miner gone');
    expect(upstream.suggested).toEqual([]);
  }

  it('is suggested to the machine that reached it, well below', async () => {
    await setUp();
    await mineOnce();
    await miner();
    expect(upstream.suggested).toContain(EASY / 4);
    await miner('alice.rig-2');
    expect(upstream.suggested).toHaveLength(2);
    const other = client();
    await other.call('mining.subscribe', ['other/1']);
    await other.call('mining.authorize', ['alice.rig', 'x']);
    await other.notification('mining.notify');
    expect(upstream.suggested).toHaveLength(2);
  });

  it('is given up, and never sent there again, when the upstream refuses what it leads to', async () => {
    let takes = true;
    await setUp({ submit: () => ({ result: takes, error: takes ? null : [23, 'Difficulty too low', null] }) });
    await mineOnce();
    const { c, job } = await miner();
    await eventually(() => upstream.suggested.length === 2, 'the suggestion, before and after the authorisation');
    takes = false;
    const { connects } = upstream;
    for (let n = 1; n <= 5; n += 1)
      expect((await c.call('mining.submit', share(job, { nonce: `0000000${n}` }))).error?.[0]).toBe(23);
    takes = true;
    const again = await c.line((line) => line.method === 'mining.notify' && line.params?.[0] !== job);
    expect((await c.call('mining.submit', share(String(again.params?.[0])))).result).toBe(true);
    upstream.drop();
    await eventually(() => upstream.connects === connects + 2, 'another connection');
    expect([upstream.suggested.length, c.closed]).toEqual([2, false]);
  });

  it('is given up when no share follows', async () => {
    await setUp({}, { limits: { trialMs: 50 } });
    await mineOnce();
    const { connects } = upstream;
    const { c, job } = await miner();
    await c.line((line) => line.method === 'mining.notify' && line.params?.[0] !== job);
    expect([upstream.connects - connects, upstream.suggested.length, c.closed]).toEqual([2, 2, false]);
  });
});
