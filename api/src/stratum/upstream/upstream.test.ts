import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { TestProxy } from '../testing/test-proxy';
import { EASY } from '../testing/upstream';
import { LIMITS } from '../wire/limits';
import type { SwitchRow } from '../failover/upstreams';
import { parseReconnect } from './reconnect';
import { Probe } from './upstream-probe';
import { assertOwn, roundRobin, openSocket } from './upstream-socket';
import { UpstreamState } from './upstream-state';
import { parseUpstream } from './upstream-target';

const { stub, proxyOf, join, mine } = stratumForEach();
let test: TestProxy;

it('miners reconnect in turns: never more handshakes than the limit, and all of them get work', async () => {
  const upstream = await stub();
  test = await proxyOf([upstream.target], { limits: { upstreamHandshakes: 3, upstreamWorkMs: 400, settledMs: 0 } });
  const miners = await Promise.all(Array.from({ length: 20 }, (_, i) => join(test.port, `alice.rig-${i}`)));
  await Promise.all(miners.map((c) => c.job()));
  upstream.options.mute = true;
  const before = upstream.connects;
  upstream.drop();
  upstream.sockets.clear();
  let most = 0;
  await eventually(() => {
    most = Math.max(most, upstream.sockets.size);
    return upstream.connects > before + 6;
  }, 'more of them');
  // Plus the probe's connection.
  expect(most).toBeLessThanOrEqual(4);
  upstream.options.mute = false;
  await eventually(() => test.proxy.upstreams()[0]?.connections === 20, 'all of them');
  expect(miners.filter((c) => c.closed)).toEqual([]);
});

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

it('an upstream lost during a successful probe is probed again soon, not at the next round', async () => {
  const upstream = await stub();
  let lost = false;
  const state: UpstreamState = new UpstreamState(upstream.target, LIMITS, {
    onSuspect: () => undefined,
    onChange: () => {
      if (lost || state.state !== 'active') return;
      lost = true;
      // Miners' connections do so before the probe's own has closed.
      setImmediate(() => {
        state.failed({ word: 'lost', why: 'gone' }, 0, true);
        probe.lost();
      });
    },
  });
  const probe = new Probe(state, {
    limits: { ...LIMITS, backoffMs: 20, backoffMaxMs: 100 },
    times: { everyMs: 3_600_000, downMaxMs: 100 },
    holdMs: () => 0,
  });
  try {
    await eventually(() => lost && state.state === 'active', 'found working again');
    expect(upstream.connects).toBeGreaterThanOrEqual(2);
  } finally {
    probe.stop();
  }
});

it('connections start from the configured addresses in turns, also to a name', async () => {
  const from: (string | undefined)[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => from.push(socket.remoteAddress)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const source = roundRobin(['127.0.0.2', '127.0.0.3']);
  for (const host of ['127.0.0.1', 'localhost', '127.0.0.1']) {
    const target = parseUpstream('SCRYPT', `stratum+tcp://user:x@${host}:${port}`);
    sockets.push(await openSocket(target, target, { source }));
  }
  expect(from).toEqual(['127.0.0.2', '127.0.0.3', '127.0.0.2']);
  expect(roundRobin([])()).toBeUndefined();
  for (const socket of sockets) socket.destroy();
  server.close();
});

it('a start with an address of another machine says so', async () => {
  await assertOwn(['127.0.0.2']);
  await expect(assertOwn(['127.0.0.2', '203.0.113.1'])).rejects.toThrow('UPSTREAM_SOURCES: 203.0.113.1 cannot be used');
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
