import { Bus, type BusEvent } from '../../platform/bus';
import type { Limits } from '../wire/limits';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy, MemoryLists, testProxy } from '../testing/test-proxy';
import { EASY, type StubUpstream, type StubOptions } from '../testing/upstream';
import type { SwitchRow } from './upstreams';

/** Switching to the next upstream and back, with delays far shorter than in production. */
describe('switching to the next upstream and back', () => {
  const { stub, proxyOf, join } = stratumForEach();
  const SOON: Partial<Limits> = { upstreamWorkMs: 5000, submitMs: 5000, stableMs: 400, settledMs: 60_000 };
  /** Limits for tests of silence: so long that an upstream which answers on a busy machine never looks silent. */
  const HASTY: Partial<Limits> = { upstreamWorkMs: 700, submitMs: 700 };
  let test: TestProxy;
  let rows: SwitchRow[];
  let events: BusEvent[];
  let primary: StubUpstream;
  let backup: StubUpstream;
  const flappers: NodeJS.Timeout[] = [];

  async function setUp(first: StubOptions = {}, limits: Partial<Limits> = {}): Promise<void> {
    [primary, backup] = [await stub({ difficulty: EASY, ...first }), await stub({ difficulty: 2 * EASY })];
    rows = [];
    events = [];
    const bus = new Bus();
    bus.subscribe((event) => events.push(event));
    test = await proxyOf([], {
      onSwitch: (row) => rows.push(row),
      bus,
      limits: { ...SOON, lookMs: 50, downMaxMs: 50, ...limits },
    });
    test.lists.set(1, primary.own(1, { name: 'Primary' }), backup.own(2, { name: 'Backup' }));
  }
  /** Whether the miner works for this upstream, recognised by its difficulty. */
  const at = (c: RawClient, upstream: StubUpstream): boolean => c.difficulties.at(-1) === upstream.options.difficulty;
  const worksAt = (upstream: StubUpstream, ...miners: RawClient[]): Promise<unknown> =>
    eventually(
      () => miners.every((c) => at(c, upstream)),
      `work of ${upstream === primary ? 'the primary' : 'the backup'}`,
    );
  const stateOf = (upstream: StubUpstream) => test.proxy.poolStatus(1).get(upstream === primary ? 1 : 2)?.state;
  const words = (): [string | null, string | null, string][] => {
    const names = new Map([
      [primary.target.url, 'primary'],
      [backup.target.url, 'backup'],
    ]);
    return rows.map(({ fromUrl, toUrl, why }) => [
      names.get(fromUrl ?? '') ?? null,
      names.get(toUrl ?? '') ?? null,
      why,
    ]);
  };

  afterEach(async () => {
    for (const timer of flappers.splice(0)) clearInterval(timer);
  });

  describe('switches to the next upstream', () => {
    it.each<[string, StubOptions, string]>([
      ['takes connections and says nothing', { mute: true }, 'silent'],
      ['refuses its user', { authorise: false }, 'auth_failed'],
    ])('from one that %s', async (_, options, why) => {
      await setUp(options, HASTY);
      const c = await join(test.port);
      await worksAt(backup, c);
      expect(await c.submit()).toBe(true);
      expect(words()).toEqual([['primary', 'backup', why]]);
      expect(rows[0]?.subAccountId).toBe(1);
      expect(events.find((event) => event.type === 'upstream' && event.data.why)).toEqual({
        type: 'upstream',
        userId: 1,
        data: { algorithm: 'SHA256_ASICBOOST', account: 'alice', from: 'Primary', to: 'Backup', why },
      });
      expect(stateOf(primary)).toBe(why === 'auth_failed' ? 'auth_failed' : 'down');
      expect(stateOf(backup)).toBe('active');
    });

    it.each<[string, Partial<Limits>, () => unknown, string]>([
      ['is killed', {}, () => primary.kill(), 'lost'],
      [
        'sends no more work',
        { jobSilenceMs: 1500 },
        () => {
          flappers.push(setInterval(() => backup.notify(), 30));
          primary.options.mute = true;
        },
        'silent',
      ],
    ])('from one that %s while miners work', async (_, limits, happens, why) => {
      await setUp({}, limits);
      const c = await join(test.port);
      await worksAt(primary, c);
      await happens();
      await worksAt(backup, c);
      expect(words()[0]).toEqual(['primary', 'backup', why]);
      expect(c.closed).toBe(false);
    });

    it('from one that hangs: all its miners switch, also those without a pending share', async () => {
      // Left alone, the miners would retry after a minute.
      await setUp({}, { ...HASTY, backoffMs: 60_000, backoffMaxMs: 60_000 });
      const miners = await Promise.all(['a', 'b', 'c', 'd'].map((name) => join(test.port, `alice.${name}`)));
      await worksAt(primary, ...miners);
      primary.options.mute = true;
      // One of them notices; a look then decides for all.
      expect(await miners[0]?.submit()).toBe(21);
      await worksAt(backup, ...miners);
      expect(words()).toEqual([['primary', 'backup', 'silent']]);
      await eventually(() => primary.sockets.size <= 1, 'only a look left at the primary');
      expect(miners.filter((c) => c.closed)).toEqual([]);
    });

    it('not from one that lost one old connection and takes it back at once', async () => {
      await setUp({}, { settledMs: 0 });
      const c = await join(test.port);
      await worksAt(primary, c);
      await c.job(() => primary.drop());
      expect(at(c, primary)).toBe(true);
      expect(rows).toEqual([]);
    });

    it('a dead pool is looked at, and not tried by every miner', async () => {
      await setUp({}, { ...HASTY, backoffMs: 1, backoffMaxMs: 1 });
      const miners = await Promise.all(Array.from({ length: 10 }, (_, i) => join(test.port, `alice.m${i}`)));
      await worksAt(primary, ...miners);
      await backup.kill();
      // Until the next look sees it: miners must not go to the backup first.
      await eventually(() => stateOf(backup) === 'down', 'the backup down');
      primary.options.mute = true;
      primary.drop();
      await eventually(() => stateOf(primary) === 'down', 'both down');
      await eventually(() => primary.sockets.size <= 1, 'earlier connections closed');
      const before = primary.connects;
      await eventually(() => primary.connects >= before + 3, 'three more looks');
      // Each look lasts 0.7 s: miners would have connected thousands of times.
      expect(primary.sockets.size).toBeLessThanOrEqual(1);
      expect(primary.connects - before).toBeLessThan(6);
      primary.options.mute = false;
      const again = miners.map((c) => c.job(() => undefined));
      primary.drop();
      await Promise.all(again);
      expect(miners.filter((c) => c.closed)).toEqual([]);
    });

    it('to none when none works: reports it, and continues with the first that works again', async () => {
      await setUp();
      const c = await join(test.port);
      await worksAt(primary, c);
      await Promise.all([primary.kill(), backup.kill()]);
      await eventually(() => rows.at(-1)?.toUrl === null, 'all lost');
      expect(c.closed).toBe(false);
      await c.job(() => backup.start());
      expect(at(c, backup)).toBe(true);
      expect(words().at(-1)).toEqual([null, 'backup', 'restored']);
    });
  });

  describe('back to the primary', () => {
    it("when it was stable for long enough, with the backup's shares answered", async () => {
      await setUp();
      const c = await join(test.port);
      await worksAt(primary, c);
      await primary.kill();
      await worksAt(backup, c);
      const since = Date.now();
      await primary.start();
      await worksAt(primary, c);
      expect(Date.now() - since).toBeGreaterThanOrEqual(400);
      expect(await c.submit()).toBe(true);
      expect(words()).toEqual([
        ['primary', 'backup', 'lost'],
        ['backup', 'primary', 'returned'],
      ]);
      await eventually(() => stateOf(backup) === 'standby', 'the backup waits');
      expect(c.closed).toBe(false);
    });

    it('never while it does not keep a connection for the stable time', async () => {
      await setUp({ flapMs: 100 });
      const c = await join(test.port);
      await worksAt(backup, c);
      const connects = primary.connects;
      await eventually(() => primary.connects > connects + 4, 'five more looks at the primary');
      expect(at(c, backup)).toBe(true);
      expect(words()).toEqual([['primary', 'backup', 'lost']]);
      expect(await c.submit()).toBe(true);
    });

    it('at most until the hour has six switches; then stays at the working upstream', async () => {
      await setUp({}, { stableMs: 1 });
      const c = await join(test.port);
      for (let i = 0; i < 3; i += 1) {
        await worksAt(primary, c);
        await primary.kill();
        await worksAt(backup, c);
        await primary.start();
      }
      expect(words()).toHaveLength(5);
      const connects = primary.connects;
      await eventually(() => primary.connects > connects + 5, 'five more successful looks at the primary');
      expect(at(c, backup)).toBe(true);
      expect(words()).toHaveLength(5);
      // The upstream in use fails: moving on is always allowed.
      await backup.kill();
      await worksAt(primary, c);
      expect(words().at(-1)).toEqual(['backup', 'primary', 'lost']);
    });

    it('at the limit of the hour waits for a failed upstream a moment before it switches', async () => {
      await setUp({}, { switchesAnHour: 2, stableMs: 60_000, graceMs: 300 });
      const c = await join(test.port);
      await worksAt(primary, c);
      await primary.kill();
      await worksAt(backup, c);
      await primary.start();
      await eventually(() => stateOf(primary) === 'standby', 'the primary is back');
      await backup.kill();
      await worksAt(primary, c);
      await backup.start();
      await eventually(() => stateOf(backup) === 'standby', 'the backup is back');
      // A short interruption: the miner stays.
      await c.job(() => primary.drop());
      expect(at(c, primary)).toBe(true);
      expect(words()).toHaveLength(2);
      const since = Date.now();
      await primary.kill();
      await worksAt(backup, c);
      expect(Date.now() - since).toBeGreaterThanOrEqual(290);
      expect(words()).toHaveLength(3);
      expect(c.closed).toBe(false);
    });
  });
});

describe('lists of sub-accounts', () => {
  const { upstreams, stub, proxyOf, connect, join, mine } = stratumForEach();
  let test: TestProxy;
  let lists: MemoryLists;
  let rows: SwitchRow[];
  let events: BusEvent[];

  async function setUp(
    standard: readonly StubUpstream[],
    options: Parameters<typeof testProxy>[1] = {},
  ): Promise<void> {
    rows = [];
    events = [];
    const bus = new Bus();
    bus.subscribe((event) => events.push(event));
    test = await proxyOf(
      standard.map((s) => s.target),
      { onSwitch: (row) => rows.push(row), bus, ...options },
    );
    ({ lists } = test);
  }
  /** Submits a share of the last job; returns the upstream that got it. */
  async function shareGoesTo(c: RawClient): Promise<StubUpstream | undefined> {
    const before = upstreams.map((u) => u.submits.length);
    const isAccepted = (await c.submit()) === true;
    return isAccepted ? upstreams.find((u, i) => u.submits.length > (before[i] ?? 0)) : undefined;
  }
  /** The extranonce that its subscription gave it. */
  const extranonceOf = (c: RawClient): unknown[] =>
    c.lines.flatMap(({ result }) => (Array.isArray(result) ? [result.slice(1)] : []))[0] ?? [];

  it("a sub-account mines to its own pools, one without any to the pool's", async () => {
    const [standard, own] = [await stub(), await stub({ name: 'Own' })];
    await setUp([standard]);
    lists.set(1, own.own(71, { user: 'alice-there', name: 'Own' }));
    const [alice, bob] = [await mine(test.port), await mine(test.port, 'bob.rig')];
    expect(await shareGoesTo(alice)).toBe(own);
    expect(own.submits[0]?.[0]).toBe('alice-there');
    expect(await shareGoesTo(bob)).toBe(standard);
    // A user's own pool may accept anything, so the accounting has to know.
    expect(test.sink.shares.map(({ subAccountId, ownPool }) => [subAccountId, ownPool])).toEqual([
      [1, true],
      [2, undefined],
    ]);
    expect(test.proxy.upstreams(1)).toMatchObject([
      { name: 'Own', state: 'active', priority: 1, of: 1, connections: 1 },
    ]);
    expect(test.proxy.upstreams(2)).toMatchObject([{ name: 'Stub', connections: 1 }]);
    expect([...test.proxy.poolStatus(1)]).toMatchObject([[71, { state: 'active', lastError: null, rejectRate: 0 }]]);
    expect(test.proxy.poolStatus(2).size).toBe(0);
  });

  it('the status of an account without miners is its list, without a connection', async () => {
    const [standard, own] = [await stub(), await stub()];
    await setUp([standard]);
    lists.set(1, own.own(71, { name: 'Own' }));
    expect(await test.proxy.status(1)).toMatchObject([
      { name: 'Own', state: 'standby', latencyMs: null, connections: 0 },
    ]);
    expect(await test.proxy.status(2)).toMatchObject([{ name: 'Stub' }]);
    expect(own.connects).toBe(0);
  });

  it('connected miners follow every change of the list: added, reordered, disabled, removed', async () => {
    const [standard, a, b] = [await stub(), await stub({ difficulty: EASY }), await stub({ difficulty: 2 * EASY })];
    await setUp([standard]);
    const [one, two] = [await mine(test.port), await mine(test.port, 'alice.other')];
    expect(await shareGoesTo(one)).toBe(standard);
    const steps: [StubUpstream, () => void][] = [
      [a, () => lists.set(1, a.own(1))],
      [a, () => lists.set(1, a.own(1), b.own(2))],
      [b, () => lists.set(1, b.own(2), a.own(1))],
      // b is disabled, then enabled behind a.
      [a, () => lists.set(1, a.own(1))],
      [a, () => lists.set(1, a.own(1), b.own(2))],
      [b, () => lists.set(1, b.own(2))],
      [standard, () => lists.set(1)],
    ];
    for (const [expected, change] of steps) {
      change();
      for (const c of [one, two])
        await eventually(async () => (await shareGoesTo(c)) === expected, 'shares at the right upstream');
    }
    expect([one.closed, two.closed]).toEqual([false, false]);
    // A share sent during a change is late, never wrong.
    expect(test.sink.count('rejected')).toBe(0);
    expect(one.lines.filter((line) => line.method === 'mining.set_extranonce')).toEqual([]);
    expect(
      rows.filter((row) => row.subAccountId === 1).map(({ fromUrl, toUrl, why }) => [fromUrl, toUrl, why]),
    ).toEqual([
      [standard.target.url, a.target.url, 'changed'],
      [a.target.url, b.target.url, 'changed'],
      [b.target.url, a.target.url, 'changed'],
      [a.target.url, b.target.url, 'changed'],
      [b.target.url, standard.target.url, 'changed'],
    ]);
    expect(events.flatMap((event) => (event.type === 'upstream' && event.data.why ? [event] : []))[0]).toEqual({
      type: 'upstream',
      userId: 1,
      data: { algorithm: 'SHA256_ASICBOOST', account: 'alice', from: 'Stub', to: 'Stub', why: 'changed' },
    });
    // Nobody stays connected to a pool that was removed.
    await eventually(() => a.sockets.size === 0 && b.sockets.size === 0, 'nobody at a pool of the old list');
    expect(test.sink.count('accepted')).toBe(upstreams.reduce((sum, u) => sum + u.submits.length, 0));
  });

  it('renaming a pool reconnects nobody', async () => {
    const own = await stub();
    await setUp([]);
    lists.set(1, own.own(1, { name: 'Before' }));
    const c = await mine(test.port);
    const connects = own.connects;
    lists.set(1, own.own(1, { name: 'After' }));
    await eventually(() => test.proxy.upstreams(1)[0]?.name === 'After', 'the name');
    expect(await shareGoesTo(c)).toBe(own);
    expect(own.connects).toBe(connects);
  });

  it('a new password is used at once; miners keep the old connection until the new one has work', async () => {
    const seen: unknown[] = [];
    const own = await stub({
      authorise: (_, password) => {
        seen.push(password);
        return password !== 'wrong';
      },
    });
    await setUp([]);
    lists.set(1, own.own(1, { password: 'first' }));
    const c = await mine(test.port);
    await c.job(() => lists.set(1, own.own(1, { password: 'second' })));
    expect(c.jobs.at(-1)?.[8]).toBe(true);
    expect(seen.at(-1)).toBe('second');
    await eventually(() => own.sockets.size <= 2, 'the old connection is gone');
    // A refused password is reported, and miners leave the upstream that is no longer in the list.
    lists.set(1, own.own(1, { password: 'wrong' }));
    await eventually(() => test.proxy.poolStatus(1).get(1)?.state === 'auth_failed', 'auth_failed');
    expect(test.proxy.poolStatus(1).get(1)?.lastError).toBe('Unknown user');
    await eventually(
      () => own.sockets.size === 0 || test.proxy.upstreams(1)[0]?.connections === 0,
      'the old connection is gone',
    );
    expect(c.closed).toBe(false);
    await c.job(() => lists.set(1, own.own(1, { password: 'third' })));
    expect(await shareGoesTo(c)).toBe(own);
  });

  it('a list without miners is forgotten: no look, no timer, no state', async () => {
    const own = await stub();
    await setUp([], { limits: { routeKeptMs: 50, lookMs: 20, downMaxMs: 20 } });
    lists.set(1, own.own(1));
    const [first, second] = [await mine(test.port), await mine(test.port, 'alice.other')];
    first.destroy();
    await eventually(() => test.proxy.upstreams(1)[0]?.connections === 1, 'one left');
    expect(test.proxy.poolStatus(1).size).toBe(1);
    second.destroy();
    await eventually(() => test.proxy.poolStatus(1).size === 0 && own.sockets.size === 0, 'forgotten');
    const connects = own.connects;
    // Ten times the interval, measured by looks for another account.
    const other = await stub();
    lists.set(2, other.own(2));
    (await mine(test.port, 'bob.rig')).destroy();
    await eventually(() => test.proxy.poolStatus(2).size === 0, 'bob forgotten');
    expect(own.connects).toBe(connects);
  });

  describe('lists that cannot be read', () => {
    const messages = (c: RawClient): unknown[] =>
      c.lines.flatMap((line) => (line.method === 'client.show_message' ? [line.params?.[0]] : []));

    it("nobody mines for the pool's own upstream until they can: miners wait and get a message", async () => {
      const [standard, own] = [await stub(), await stub()];
      await setUp([standard]);
      await eventually(() => test.proxy.upstreams()[0]?.state === 'active', "the pool's own");
      lists.set(1, own.own(1));
      lists.down = true;
      const [alice, bob] = [
        await join(test.port, 'alice.rig', 'cgminer/4.11.1'),
        await join(test.port, 'bob.rig', 'unheard-of/1'),
      ];
      await alice.notification('client.show_message');
      expect(test.proxy.upstreams(1)).toEqual([]);
      expect([alice.jobs, bob.jobs]).toEqual([[], []]);
      lists.down = false;
      await Promise.all([alice.job(), bob.job()]);
      expect(await shareGoesTo(alice)).toBe(own);
      expect(await shareGoesTo(bob)).toBe(standard);
      expect(standard.submits).toHaveLength(1);
      expect([messages(alice), messages(bob)]).toEqual([[expect.stringContaining('cannot be read now')], []]);
      expect([alice.closed, bob.closed]).toEqual([false, false]);
      // Its owner is notified that it works again.
      expect(rows.map(({ subAccountId, toUrl, why }) => [subAccountId, toUrl, why])).toEqual([
        [1, own.target.url, 'restored'],
      ]);
    });

    it('a pool without an upstream says so, and sends work once the account has a pool of its own', async () => {
      await setUp([]);
      const c = await join(test.port, 'alice.rig', 'cgminer/4.11.1');
      await c.notification('client.show_message');
      expect(messages(c)).toEqual([expect.stringContaining('no upstream pool for SHA256')]);
      lists.set(1, (await stub()).own(1));
      await c.job();
      expect(c.closed).toBe(false);
    });

    it('connected miners continue, and reconnecting ones too', async () => {
      const [standard, own] = [await stub(), await stub()];
      await setUp([standard], { limits: { routeKeptMs: 0 } });
      lists.set(1, own.own(1));
      const [alice, bob] = [await mine(test.port), await mine(test.port, 'bob.rig')];
      lists.down = true;
      expect(await shareGoesTo(alice)).toBe(own);
      for (const c of [alice, bob]) c.destroy();
      await eventually(() => test.proxy.poolStatus(1).size === 0 && own.sockets.size === 0, 'everybody gone');
      const [again, bobAgain] = [await mine(test.port), await mine(test.port, 'bob.rig')];
      expect(await shareGoesTo(again)).toBe(own);
      expect(await shareGoesTo(bobAgain)).toBe(standard);
      // A list that changed meanwhile is not replaced by the old one.
      for (const c of [again, bobAgain]) c.destroy();
      await eventually(() => test.proxy.poolStatus(1).size === 0 && own.sockets.size === 0, 'everybody gone again');
      lists.set(2, own.own(2));
      const third = await join(test.port, 'bob.rig', 'cgminer/4.11.1');
      await third.notification('client.show_message');
      expect(third.jobs).toEqual([]);
    });

    it('a pool whose password cannot be read is never connected to; if it is the only one, miners wait', async () => {
      const [standard, locked, open] = [await stub(), await stub(), await stub()];
      await setUp([standard]);
      lists.set(1, locked.own(1, { password: null, name: 'Locked' }));
      expect(await test.proxy.status(1)).toMatchObject([{ name: 'Locked', state: 'unreadable' }]);
      const c = await join(test.port, 'alice.rig', 'cgminer/4.11.1');
      await c.notification('client.show_message');
      expect(messages(c)).toEqual([expect.stringContaining('give them again')]);
      expect(test.proxy.upstreams(1)).toMatchObject([{ name: 'Locked', state: 'unreadable', connections: 0 }]);
      expect(test.proxy.poolStatus(1).get(1)).toMatchObject({
        state: 'unreadable',
        lastError: 'the stored password cannot be read: give it again',
      });
      expect(rows).toMatchObject([{ subAccountId: 1, fromUrl: null, toUrl: null, why: 'unreadable' }]);
      lists.set(1, locked.own(1, { password: null }), open.own(2));
      await c.job();
      expect(await shareGoesTo(c)).toBe(open);
      lists.set(1, locked.own(1, { password: null }));
      await eventually(() => rows.at(-1)?.why === 'unreadable' && open.sockets.size === 0, 'the miners to wait again');
      await c.job(() => lists.set(1, locked.own(1, { password: 'given again' })));
      expect(await shareGoesTo(c)).toBe(locked);
      expect([standard.submits.length, c.closed]).toEqual([0, false]);
    });
  });

  describe("an upstream that grants other things than the pool's", () => {
    it('less extranonce: the miner gets a new one, or reconnects once when it does not understand that', async () => {
      const [standard, own] = [await stub(), await stub({ extranonceSize: 4 })];
      await setUp([standard]);
      lists.set(1, own.own(1));
      const modern = connect(test.port);
      for (const method of ['mining.extranonce.subscribe', 'mining.subscribe']) await modern.call(method, []);
      await modern.authorise('alice.modern');
      expect((await modern.notification('mining.set_extranonce')).params).toEqual([expect.stringMatching(/^..$/), 3]);
      await modern.job();
      const old = await join(test.port, 'alice.old', 'old/1');
      await old.ended();
      const { connects } = own;
      // Meanwhile another user comes from the same address, and gets no less for it (Stratehm/stratum-proxy#98).
      const other = await mine(test.port, 'bob.rig', 'new/1');
      const again = await mine(test.port, 'alice.old', 'old/1');
      const third = await mine(test.port, 'alice.new', 'old/1');
      expect([other, again, third].map((c) => extranonceOf(c)[1])).toEqual([4, 3, 3]);
      for (const [c, pool] of [
        [again, own],
        [third, own],
        [other, standard],
      ] as const) {
        const [, , coinb1] = c.jobs[0] ?? [];
        const [byte, size] = extranonceOf(c);
        const rolled = '01'.padStart(2 * Number(size), '0');
        expect(await c.submit({ extranonce2: rolled })).toBe(true);
        const sent = String(pool.submits.at(-1)?.[2]);
        expect(`${String(coinb1)}${String(byte)}${rolled}`).toMatch(new RegExp(`^aa01ab0000..${sent}$`));
      }
      // They share the one that there is.
      expect(own.connects).toBe(connects);
    });

    it('four bytes, of which rental services roll all: a connection with one slot for each, and one reconnect', async () => {
      const own = await stub({ extranonceSize: 4 });
      await setUp([]);
      lists.set(1, own.own(1));
      await (await join(test.port, 'alice.rental', 'NiceHash/1.0.0')).ended();
      const [rental, rig] = [
        await mine(test.port, 'alice.rental', 'NiceHash/1.0.0'),
        await join(test.port, 'alice.rig', 'rig/1'),
      ];
      await rig.ended();
      const again = await mine(test.port, 'alice.rig', 'rig/1');
      expect([rental, again].map((c) => extranonceOf(c)[1])).toEqual([4, 3]);
      expect(await rental.submit({ extranonce2: '01020304' })).toBe(true);
      expect(own.submits.at(-1)?.[2]).toBe('01020304');
      await eventually(() => own.sockets.size === 2, 'one for the rental, one for the others');
    });
  });

  it('names each machine to the pool where the user says so: it sets the difficulty by user (eloipool)', async () => {
    const users = new Set<unknown>();
    const own = await stub({ authorise: (user) => Boolean(users.add(user)) });
    await setUp([]);
    lists.set(1, own.own(1, { user: 'wallet.{account}.{worker}' }));
    await mine(test.port, 'alice.hall-a');
    const b = await mine(test.port, 'alice.hall-b');
    await shareGoesTo(b);
    expect(own.submits[0]?.[0]).toBe('wallet.alice.hall-b');
    // The check of the pool is of no machine.
    expect(users).toEqual(new Set(['wallet.alice.default', 'wallet.alice.hall-a', 'wallet.alice.hall-b']));
  });

  describe('testPool', () => {
    it('returns ok, auth_failed or timeout, and does not stay', async () => {
      await setUp([], { limits: { upstreamWorkMs: 500 } });
      for (const [word, options] of [
        ['ok', {}],
        ['auth_failed', { authorise: false }],
        ['timeout', { mute: true }],
      ] as const) {
        const pool = await stub(options);
        expect(await test.proxy.testPool(pool.own(1))).toBe(word);
        await eventually(() => pool.sockets.size === 0, 'it does not stay');
      }
    });
  });
});
