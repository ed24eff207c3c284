/** What pools answer, do not answer, and say unasked, from reports about other proxies and miners (docs/interop.md). */
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';

const { stub, proxyOf: open, connect, join } = stratumForEach();
let test: TestProxy;

/** Milliseconds that a share waits for its answer; a call that counted as one would soon end the connection. */
const SUBMIT_MS = 300;
const proxyOf = async (...targets: StubUpstream[]): Promise<void> => {
  test = await open(
    targets.map(({ target }) => target),
    { limits: { submitMs: SUBMIT_MS } },
  );
  await eventually(() => test.proxy.upstreams()[0]?.state === 'active', 'the probe');
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
    }
    // The probe's, those of the miners, and the one that was ended.
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

  it('a call of a connection that has work is not to blame for its end', async () => {
    const upstream = await stub();
    await proxyOf(upstream);
    const c = await mine();
    await c.call('mining.suggest_difficulty', [16]);
    await eventually(() => asked(upstream, 'mining.suggest_difficulty') === 1, 'the suggestion');
    // Clean: what is found for the work before is of a connection that is gone.
    expect((await c.job(() => upstream.drop()))[8]).toBe(true);
    await eventually(() => asked(upstream, 'mining.suggest_difficulty') === 3, 'before and after the authorisation');
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
    const [, , coinb1] = await c.job(() => upstream.notify(false, { 0: 17 }));
    expect(coinb1).toMatch(/^aa01c0ffee[0-9a-f]{6}$/);
    expect(c.difficulties.at(-1)).toBe(2e-10);
    expect(await c.submit()).toBe(true);
    expect([upstream.submits[0]?.[1], String(upstream.submits[0]?.[2]).length]).toEqual([17, 16]);
  });

  it('a page of HTML at the handshake is no pool', async () => {
    const upstream = await stub({ mute: true });
    test = await open([upstream.target]);
    await eventually(() => upstream.sockets.size > 0, 'the probe');
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
