import { Bus } from '../../platform/bus';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import { EASY } from '../testing/upstream';
import type { SwitchRow } from '../failover/upstreams';

const { stub, proxyOf, join } = stratumForEach();
let test: TestProxy;

const client = (user?: string): Promise<RawClient> => join(test.port, user);
const notifies = (c: RawClient): unknown[][] =>
  c.lines.flatMap((line) => (line.method === 'mining.notify' ? [line.params ?? []] : []));
const submit = (c: RawClient, job: unknown, nonce = '00000001') =>
  c.call('mining.submit', ['alice.rig', job, '00000001', '65000000', nonce]);

it('a killed upstream disconnects nobody: every miner gets new work when it is back', async () => {
  const upstream = await stub();
  test = await proxyOf([upstream.target]);
  const miners = await Promise.all(Array.from({ length: 50 }, (_, i) => client(`alice.rig-${i}`)));
  await Promise.all(miners.map((c) => c.notification('mining.notify')));
  const before = miners.map((c) => notifies(c).length);
  await upstream.kill();
  await eventually(() => test.proxy.upstreams()[0]?.state === 'down', 'down');
  const late = await miners[0]?.call('mining.submit', [
    'alice.rig-0',
    notifies(miners[0])[0]?.[0],
    '00000001',
    '65000000',
    '00000001',
  ]);
  expect(late?.error?.[0]).toBe(21);
  await upstream.start();
  await eventually(() => miners.every((c, i) => notifies(c).length > (before[i] ?? 0)), 'fresh work');
  expect(miners.filter((c) => c.closed)).toEqual([]);
  expect(miners.every((c) => notifies(c).at(-1)?.[8] === true)).toBe(true);
  const c = miners[0] as RawClient;
  expect(
    (await c.call('mining.submit', ['alice.rig-0', notifies(c).at(-1)?.[0], '00000001', '65000000', '00000002']))
      .result,
  ).toBe(true);
});

it('miners reconnect in turns: never more handshakes than the limit, and all of them get work', async () => {
  const upstream = await stub();
  test = await proxyOf([upstream.target], { limits: { upstreamHandshakes: 3, upstreamWorkMs: 400, settledMs: 0 } });
  const miners = await Promise.all(Array.from({ length: 20 }, (_, i) => client(`alice.rig-${i}`)));
  await Promise.all(miners.map((c) => c.notification('mining.notify')));
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
  const [primary, backup] = [
    await stub({ name: 'Primary', difficulty: EASY }),
    await stub({ name: 'Backup', difficulty: 2 * EASY }),
  ];
  const rows: SwitchRow[] = [];
  const bus = new Bus();
  const told: string[] = [];
  bus.subscribe((event) => told.push(event.type));
  test = await proxyOf([primary.target, backup.target], { onSwitch: (row) => rows.push(row), bus });
  await eventually(() => test.proxy.upstreams().every((u) => u.state !== 'down' && u.latencyMs !== null), 'both seen');
  const c = await client();
  await c.notification('mining.notify');
  expect(
    test.proxy
      .upstreams(1)
      .map(({ name, state, priority, of, connections }) => ({ name, state, priority, of, connections })),
  ).toEqual([
    { name: 'Primary', state: 'active', priority: 1, of: 2, connections: 1 },
    { name: 'Backup', state: 'standby', priority: 2, of: 2, connections: 0 },
  ]);
  expect(test.proxy.upstreams(2).map((u) => u.connections)).toEqual([0, 0]);
  await primary.kill();
  await eventually(() => notifies(c).length === 2, 'work of the backup');
  expect(c.lines.filter((line) => line.method === 'mining.set_difficulty').map((line) => line.params?.[0])).toEqual([
    EASY,
    2 * EASY,
  ]);
  expect(test.proxy.upstreams(1).map(({ state, connections }) => ({ state, connections }))).toEqual([
    { state: 'down', connections: 0 },
    { state: 'active', connections: 1 },
  ]);
  expect(rows.map(({ fromUrl, toUrl }) => [fromUrl, toUrl])).toContainEqual([primary.target.url, backup.target.url]);
  expect(told).toContain('upstream');
  expect(JSON.stringify(test.proxy.upstreams())).not.toContain('"pool"');
  expect((await submit(c, notifies(c).at(-1)?.[0])).result).toBe(true);
  expect(test.sink.shares.at(-1)?.difficulty).toBe(2 * EASY);
});

it('a flapping upstream is retried slowly, few of its switches are recorded, and the miner stays', async () => {
  const upstream = await stub();
  const rows: SwitchRow[] = [];
  test = await proxyOf([upstream.target], {
    onSwitch: (row) => rows.push(row),
    limits: { backoffMs: 5, backoffMaxMs: 40 },
  });
  const c = await client();
  for (let i = 1; i <= 12; i += 1) {
    await eventually(() => notifies(c).length >= i, `work ${i}`);
    upstream.drop();
  }
  await eventually(() => notifies(c).length >= 13, 'work again');
  expect(c.closed).toBe(false);
  expect(rows.length).toBeLessThanOrEqual(6);
});

it('an upstream that sends noise is disconnected and retried, the miner stays', async () => {
  const upstream = await stub();
  test = await proxyOf([upstream.target]);
  const c = await client();
  await c.notification('mining.notify');
  const connects = upstream.connects;
  upstream.send('\u0000\u0001 hello\n'.repeat(20));
  await eventually(() => notifies(c).length === 2 && upstream.connects > connects, 'fresh work');
  expect(c.closed).toBe(false);
});

it('an upstream that floods is disconnected', async () => {
  const upstream = await stub();
  test = await proxyOf([upstream.target]);
  const c = await client();
  await c.notification('mining.notify');
  const connects = upstream.connects;
  await eventually(() => {
    if (upstream.connects > connects) return true;
    // Again and again: on a busy machine the lines of one burst are read over more than a second.
    for (let i = 0; i < 400; i += 1) upstream.notify(true);
    return false;
  }, 'the next connection');
  expect(c.closed).toBe(false);
});

it('an upstream that answers no share is disconnected, the share is stale', async () => {
  const upstream = await stub({ submit: () => undefined });
  test = await proxyOf([upstream.target], { limits: { submitMs: 60 } });
  const c = await client();
  const job = (await c.notification('mining.notify')).params?.[0];
  expect((await submit(c, job)).error?.[0]).toBe(21);
  await eventually(() => notifies(c).length === 2, 'fresh work');
});

it('uses a new extranonce of the upstream from the next job on, without a message to the miner', async () => {
  const upstream = await stub();
  test = await proxyOf([upstream.target]);
  const c = await client();
  await c.notification('mining.notify');
  upstream.send({ id: null, method: 'mining.set_extranonce', params: ['c0ffee', 6] });
  upstream.notify(false);
  await eventually(() => notifies(c).length === 2, 'work');
  expect(notifies(c)[1]?.[2]).toMatch(/^aa01c0ffee[0-9a-f]{2}$/);
  expect((await submit(c, notifies(c)[1]?.[0])).result).toBe(true);
  expect(upstream.submits.at(-1)?.[2]).toMatch(/^[0-9a-f]{2}0000000001$/);
});
