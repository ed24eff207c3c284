/** Miners without a share get few upstream connections, and none of them has to wait for ever. */
import { Registry } from 'prom-client';
import { type Limits, LIMITS } from '../wire/limits';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import { MemoryLists, type RawClient, type TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';

const { stub, proxyOf, connect } = stratumForEach();
let upstream: StubUpstream;
let test: TestProxy;
let metrics: Registry;

const { unprovenPerAddress, unprovenPerAccount } = LIMITS;
async function setUp(limits: Partial<Limits> = {}, lists = new MemoryLists()): Promise<void> {
  upstream = await stub();
  metrics = new Registry();
  test = await proxyOf([upstream.target], {
    metrics,
    ownPools: lists.ownPools,
    limits: { unprovenPerAddress, unprovenPerAccount, ...limits },
  });
  // The proxy's own probe.
  await eventually(() => upstream.connects === 1 && upstream.sockets.size === 0, 'a look');
}
/** Connections made for miners. */
const made = (): number => upstream.connects - 1;
const miner = async (user: string): Promise<RawClient> => {
  const c = connect(test.port);
  await c.call('mining.subscribe', []);
  expect((await c.call('mining.authorize', [user, 'x'])).result).toBe(true);
  return c;
};
const crowd = (count: number, user: string): Promise<RawClient[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => miner(`${user}${i}`)));
const hasWork = (c: RawClient): boolean => c.lines.some(({ method }) => method === 'mining.notify');
const working = (miners: RawClient[]): number => miners.filter(hasWork).length;
const waiting = async (): Promise<number | undefined> =>
  (await metrics.getSingleMetric('stratum_waiting_miners')?.get())?.values[0]?.value;
const share = async (c: RawClient, user: string): Promise<unknown> => {
  const job = (await c.notification('mining.notify')).params?.[0];
  return (await c.call('mining.submit', [user, job, '00000001', '65000000', '00000001'])).result;
};
it('300 strangers at one address that never send a share get eight upstream connections together', async () => {
  await setUp();
  const strangers = await crowd(300, 'alice.s');
  await eventually(() => working(strangers) === unprovenPerAddress, 'work for the first');
  expect([made(), await waiting()]).toEqual([unprovenPerAddress, 300 - unprovenPerAddress]);
  expect(strangers.some(({ closed }) => closed)).toBe(false);
  // One goes, the next comes; those that wait cost nothing when they go.
  strangers.find(hasWork)?.destroy();
  await eventually(() => working(strangers) === unprovenPerAddress + 1, 'work for the next');
  for (const c of strangers) if (!hasWork(c)) c.destroy();
  await eventually(async () => (await waiting()) === 0, 'nobody waits');
  expect([made(), upstream.sockets.size]).toEqual([unprovenPerAddress + 1, unprovenPerAddress]);
});

it('a farm gets work when its first share is accepted, and again after all reconnect', async () => {
  await setUp();
  for (const round of [0, 1]) {
    const farm = await crowd(50, `alice.r${round}-`);
    await eventually(() => working(farm) === unprovenPerAddress, 'work for the first');
    const first = farm.findIndex(hasWork);
    expect(await share(farm[first] as RawClient, `alice.r${round}-${first}`)).toBe(true);
    await eventually(() => working(farm) === 50, 'work for all');
    expect(farm.some(({ closed }) => closed)).toBe(false);
    for (const c of farm) c.destroy();
    await eventually(() => test.proxy.connections() === 0, 'all gone');
  }
});

it('rejected shares prove nothing', async () => {
  await setUp({ unprovenPerAddress: 1 });
  upstream.options.submit = () => ({ result: null, error: [23, 'Low difficulty', null] });
  const stranger = await miner('alice.stranger');
  const waits = await miner('bob.rig');
  expect(await share(stranger, 'alice.stranger')).toBeNull();
  expect([hasWork(waits), made(), await waiting()]).toEqual([false, 1, 1]);
});

it("shares accepted by a sub-account's own pool prove nothing for the default upstream", async () => {
  const lists = new MemoryLists();
  await setUp({ unprovenPerAddress: 1 }, lists);
  const easy = await stub();
  lists.set(1, easy.own(1));
  const [first, second] = [await miner('alice.a'), await miner('alice.b')];
  expect(await share(first, 'alice.a')).toBe(true);
  await second.notification('mining.notify');
  const strangers = await crowd(5, 'bob.s');
  await eventually(() => working(strangers) === 1, 'work for the first');
  expect([made(), await waiting()]).toEqual([1, 4]);
});
