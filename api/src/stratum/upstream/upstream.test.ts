import { createServer, type AddressInfo, type Server } from 'node:net';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import { type TestProxy, MemoryLists, type RawClient, testProxy } from '../testing/test-proxy';
import { EASY, type StubUpstream } from '../testing/upstream';
import { LIMITS } from '../wire/limits';
import type { SwitchRow } from '../failover/upstreams';
import { parseReconnect } from './reconnect';
import { UpstreamState } from './upstream-state';
import { resolveOutbound } from '../../platform/outbound';
import { HASHES_PER_DIFFICULTY } from '../../../../e2e/miner/work';
import { Miner } from '../../../../e2e/miner/miner';
import { startBuiltinPool } from '../builtin-pool';

const { stub, proxyOf, mine } = stratumForEach();
let test: TestProxy;

it('switches to the next of the list, and reports the state of each', async () => {
  const [primary, backup] = [await stub({ name: 'Primary' }), await stub({ name: 'Backup', difficulty: 2 * EASY })];
  const rows: SwitchRow[] = [];
  test = await proxyOf([primary.target, backup.target], { onSwitch: (row) => rows.push(row) });
  await eventually(() => test.proxy.upstreams().every((u) => u.state !== 'down' && u.latencyMs !== null), 'both seen');
  const c = await mine(test.port);
  expect(test.proxy.upstreams(1)).toMatchObject([
    { name: 'Primary', state: 'active', priority: 1, of: 2, connections: 1 },
    { name: 'Backup', state: 'standby', priority: 2, of: 2, connections: 0 },
  ]);
  expect(test.proxy.upstreams(2).map((u) => u.connections)).toEqual([0, 0]);
  await c.job(() => primary.kill());
  expect(c.difficulties).toEqual([EASY, 2 * EASY]);
  expect(test.proxy.upstreams(1)).toMatchObject([
    { state: 'down', connections: 0 },
    { state: 'active', connections: 1 },
  ]);
  expect(rows.map(({ fromUrl, toUrl }) => [fromUrl, toUrl])).toContainEqual([primary.target.url, backup.target.url]);
  // Neither the user nor the password is shown.
  expect(JSON.stringify(test.proxy.upstreams())).not.toContain('"pool"');
  expect(await c.submit()).toBe(true);
});

it('an upstream that floods is disconnected', async () => {
  const upstream = await stub();
  test = await proxyOf([upstream.target]);
  const c = await mine(test.port);
  const connects = upstream.connects;
  await eventually(() => {
    if (upstream.connects > connects) return true;
    // Again and again: on a busy machine the lines of one burst are read over more than a second.
    for (let i = 0; i < 400; i += 1) upstream.notify(true);
    return false;
  }, 'the next connection');
  expect(c.closed).toBe(false);
});

it('an upstream lost during a successful look is looked at again soon, not at the next round', async () => {
  const upstream = await stub();
  let lost = false;
  const limits = { ...LIMITS, backoffMs: 20, downMaxMs: 100, lookMs: 3_600_000 };
  const state: UpstreamState = new UpstreamState(
    upstream.target,
    { limits, names: {} },
    {
      isBetter: () => false,
      onChange: () => {
        if (lost || state.state !== 'active') return;
        lost = true;
        // Miners' connections do so before that of the look has closed.
        setImmediate(() => state.failed({ word: 'lost', why: 'gone' }, 0, true));
      },
    },
  );
  state.look();
  try {
    await eventually(() => lost && state.state === 'active', 'found working again');
    expect(upstream.connects).toBeGreaterThanOrEqual(2);
  } finally {
    state.drop();
  }
});

const configured = { host: 'eu.pool.co.uk', port: 3333 };

it.each<[what: string, params: unknown[], to: ReturnType<typeof parseReconnect>]>([
  ['MiningRigRentals: another port', ['eu.pool.co.uk', 3344, 0], { ...configured, port: 3344, waitMs: 0 }],
  ['a port and a wait as text', ['EU.pool.co.uk', '3344', '5'], { host: 'EU.pool.co.uk', port: 3344, waitMs: 5000 }],
  ['no parameters', [], { ...configured, waitMs: 0 }],
  ['no host', ['', 3344], { ...configured, port: 3344, waitMs: 0 }],
  ['nothing but a wait', [null, null, 2], { ...configured, waitMs: 2000 }],
  ['an endless wait', ['', '', 1e9], { ...configured, waitMs: 60_000 }],
  ['another host of the same domain', ['us.pool.co.uk', 3333], { host: 'us.pool.co.uk', port: 3333, waitMs: 0 }],
  ['a host of somebody else', ['other.co.uk', 3333], null],
  ['a host at the same landlord', ['eu.pool.co.uk.evil.example', 3333], null],
  ['an address', ['10.0.0.1', 3333], null],
  ['a port that is none', ['eu.pool.co.uk', 0], null],
  ['a port above all', ['eu.pool.co.uk', 65_536], null],
  ['a port as words', ['eu.pool.co.uk', '22; rm'], null],
  ['an object', [{}, 3333], null],
])('client.reconnect: %s', (_, params, to) => expect(parseReconnect(params, configured)).toEqual(to));

it('client.reconnect: of an address only the same one, of a shared suffix only the same name', () => {
  expect(parseReconnect(['198.51.100.8', 1], { host: '198.51.100.7', port: 1 })).toBeNull();
  expect(parseReconnect(['b.github.io', 1], { host: 'a.github.io', port: 1 })).toBeNull();
  expect(parseReconnect(['localhost', 2], { host: 'localhost', port: 1 })?.port).toBe(2);
});

/**
 * Malicious pools of users: which addresses the proxy connects to, which messages it accepts.
 */
describe('malicious pools', () => {
  const { stub, proxyOf, join } = stratumForEach();
  let test: TestProxy;
  const lists = new MemoryLists();
  const canaries: Server[] = [];

  /** Counts connections. */
  async function canary(): Promise<{ port: number; seen(): number }> {
    let seen = 0;
    const server = createServer((socket) => {
      seen += 1;
      socket.destroy();
    });
    canaries.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, resolve);
    });
    return { port: (server.address() as AddressInfo).port, seen: () => seen };
  }
  const mine = (): Promise<RawClient> => join(test.port);

  afterEach(async () => {
    for (const server of canaries.splice(0)) server.close();
  });

  describe('addresses inside', () => {
    const INSIDE = ['127.0.0.1', '2130706433', 'localhost', '::ffff:10.0.0.1', 'inside.test', 'both.test'];
    const resolver = async (host: string) =>
      host === 'both.test' ? [{ address: '93.184.216.34' }, { address: '127.0.0.1' }] : [{ address: '127.0.0.1' }];

    it(`are never connected to, in ${INSIDE.length} spellings: a listening canary sees no connection`, async () => {
      const { port, seen } = await canary();
      lists.set(
        1,
        ...INSIDE.map((host, i) => ({
          id: i + 1,
          algorithm: 'SHA256_ASICBOOST' as const,
          name: host,
          url: `stratum+tcp://${host}:${port}`,
          host,
          port,
          tls: i % 2 === 1,
          user: 'u',
          password: 'p',
        })),
      );
      test = await proxyOf([], {
        ownPools: {
          lists,
          outbound: { resolve: (host, at) => resolveOutbound(host, at, { allowPrivate: false, resolver }) },
        },
      });
      const c = await mine();
      await eventually(
        () => [...test.proxy.poolStatus(1).values()].filter(({ state }) => state === 'down').length === INSIDE.length,
        'all refused',
      );
      expect(new Set([...test.proxy.poolStatus(1).values()].map(({ lastError }) => lastError))).toEqual(
        new Set(['the address cannot be connected to']),
      );
      const answers = await Promise.all(
        (await lists.find(1, 'SHA256_ASICBOOST')).map((target) => test.proxy.testPool(target)),
      );
      expect(new Set(answers)).toEqual(new Set(['refused']));
      expect(seen()).toBe(0);
      expect(c.closed).toBe(false);
    });

    it('a name that changes its address is resolved for each connection, which uses the checked address', async () => {
      const outside = await stub();
      const { port, seen } = await canary();
      // The name first resolves to an allowed pool, then to the canary's address inside.
      let inside = false;
      const asked: string[] = [];
      lists.set(1, outside.own(1, { host: 'rebinding.test' }));
      test = await proxyOf([], {
        ownPools: {
          lists,
          outbound: {
            resolve: (host, at) => {
              asked.push(host);
              return resolveOutbound(host, at, {
                allowPrivate: false,
                allow: inside ? [] : ['rebinding.test'],
                resolver: async () => [{ address: '127.0.0.1' }],
              });
            },
          },
        },
      });
      const c = await mine();
      await c.job();
      const before = asked.length;
      inside = true;
      lists.set(1, outside.own(1, { host: 'rebinding.test', port }));
      await eventually(() => test.proxy.poolStatus(1).get(1)?.state === 'down', 'refused');
      expect(asked.length).toBeGreaterThan(before);
      expect(seen()).toBe(0);
    });
  });

  it("client.reconnect of a user's pool leads to nobody else's host and to no port that is not allowed", async () => {
    const upstream = await stub();
    const { port, seen } = await canary();
    lists.set(1, upstream.own(1));
    const resolver = lists.ownPools.outbound.resolve;
    const resolve = async (host: string, at: number) => {
      if (at === port) throw new Error('not allowed');
      return resolver(host);
    };
    test = await proxyOf([], {
      ownPools: { lists, outbound: { resolve } },
    });
    const c = await mine();
    await c.job();
    for (const params of [
      ['127.0.0.2', port, 0],
      ['localhost', port],
      ['169.254.169.254', 80],
      [`127.0.0.1:${port}`, port],
      ['::1', port],
      [{}, port],
    ])
      upstream.send({ id: null, method: 'client.reconnect', params });
    const connects = upstream.connects;
    await c.job(() => upstream.notify(true));
    expect(upstream.connects).toBe(connects);
    upstream.send({ id: null, method: 'client.reconnect', params: ['127.0.0.1', port, 0] });
    await eventually(() => upstream.connects > connects && c.jobs.length > 2, 'where it was configured to be again');
    expect(seen()).toBe(0);
    expect(c.closed).toBe(false);
  });

  describe('what it sends', () => {
    /** More of what makes no sense than is dropped. */
    const flood = (upstream: StubUpstream, line: string): void => {
      for (let i = 0; i < 50; i += 1) upstream.send(line);
    };

    it.each<[string, (upstream: StubUpstream) => void]>([
      [
        'a line of 10 MB',
        (upstream) => {
          const piece = 'x'.repeat(1024 * 1024);
          for (const socket of upstream.sockets) {
            socket.write('{"id":null,"method":"mining.notify","params":["');
            for (let i = 0; i < 10; i += 1) socket.write(piece);
          }
        },
      ],
      [
        'difficulties without end',
        (upstream) => flood(upstream, '{"id":null,"method":"mining.set_difficulty","params":[1e999]}'),
      ],
      ['a job with a coinbase of 40 KB', (upstream) => upstream.notify(true, { 2: 'aa'.repeat(40_000) })],
    ])('%s: disconnected, switched to the next', async (_, sends) => {
      const [bad, good] = [await stub(), await stub({ difficulty: 99 })];
      lists.set(1, bad.own(1), good.own(2));
      const words: string[] = [];
      test = await proxyOf([], {
        ownPools: lists.ownPools,
        onSwitch: ({ why }) => words.push(why),
      });
      const c = await mine();
      await c.job();
      await eventually(
        () => test.proxy.poolStatus(1).get(2)?.state === 'standby' && good.sockets.size === 0,
        'the next was looked at',
      );
      sends(bad);
      await eventually(() => c.difficulties.at(-1) === 99, 'switched to the next');
      expect(words).toEqual(['misbehaves']);
      expect(c.difficulties).toEqual([EASY, 99]);
      expect(c.closed).toBe(false);
    });
  });
});

it('the built-in pool counts the work of a SCRYPT miner within the statistical error, and that of the next block', async () => {
  const pool = await startBuiltinPool({ algorithm: 'SCRYPT' });
  const { proxy, sink, port } = await testProxy([pool.target]);
  const miner = new Miner({
    host: '127.0.0.1',
    port,
    user: 'alice.rig-1',
    algorithm: 'scrypt',
    hashrate: 400,
    rate: 30,
  }).start();
  await eventually(() => miner.accepted >= 60, 'shares');
  expect([miner.rejected, miner.mask]).toEqual([0, 0]);
  const counted = sink.shares.filter((share) => share.outcome === 'accepted');
  expect(new Set(counted.map((share) => share.worker))).toEqual(new Set(['rig-1']));
  const done = counted.reduce((sum, share) => sum + share.difficulty, 0) * HASHES_PER_DIFFICULTY.scrypt;
  // Five standard deviations of 1/sqrt(n).
  expect(Math.abs(done / miner.hashes - 1)).toBeLessThan(5 / Math.sqrt(counted.length));
  const before = miner.accepted;
  pool.nextBlock();
  await eventually(() => miner.accepted > before + 10, 'shares of the new block');
  miner.stop();
  await proxy.stop();
  await pool.stop();
});
