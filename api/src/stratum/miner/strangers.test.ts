/** Miners without a share get few upstream connections, and none of them has to wait for ever. */
import { Registry } from 'prom-client';
import { type Limits, LIMITS } from '../wire/limits';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';

const { stub, proxyOf, join } = stratumForEach();
let upstream: StubUpstream;
let test: TestProxy;
let metrics: Registry;

const { unprovenPerAddress, unprovenPerAccount } = LIMITS;
async function setUp(limits: Partial<Limits> = {}): Promise<void> {
  upstream = await stub();
  metrics = new Registry();
  test = await proxyOf([upstream.target], {
    metrics,
    limits: { unprovenPerAddress, unprovenPerAccount, ...limits },
  });
  // The proxy's own probe.
  await eventually(() => upstream.connects === 1 && upstream.sockets.size === 0, 'a look');
}
/** Connections made for miners. */
const made = (): number => upstream.connects - 1;
const miner = (user: string): Promise<RawClient> => join(test.port, user);
const crowd = (count: number, user: string): Promise<RawClient[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => miner(`${user}${i}`)));
const hasWork = (c: RawClient): boolean => c.jobs.length > 0;
const working = (miners: RawClient[]): number => miners.filter(hasWork).length;
const waiting = async (): Promise<number | undefined> =>
  (await metrics.getSingleMetric('stratum_waiting_miners')?.get())?.values[0]?.value;

it('strangers at one address that never send a share get eight upstream connections together', async () => {
  await setUp();
  const strangers = await crowd(60, 'alice.s');
  await eventually(() => working(strangers) === unprovenPerAddress, 'work for the first');
  expect([made(), await waiting()]).toEqual([unprovenPerAddress, 60 - unprovenPerAddress]);
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
    const farm = await crowd(20, `alice.r${round}-`);
    await eventually(() => working(farm) === unprovenPerAddress, 'work for the first');
    expect(await farm.find(hasWork)?.submit()).toBe(true);
    await eventually(() => working(farm) === 20, 'work for all');
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
  await stranger.job();
  expect(await stranger.submit()).toBe(23);
  expect([hasWork(waits), made(), await waiting()]).toEqual([false, 1, 1]);
});

it("shares accepted by a sub-account's own pool prove nothing for the default upstream", async () => {
  await setUp({ unprovenPerAddress: 1 });
  const easy = await stub();
  test.lists.set(1, easy.own(1));
  const [first, second] = [await miner('alice.a'), await miner('alice.b')];
  await first.job();
  expect(await first.submit()).toBe(true);
  await second.job();
  const strangers = await crowd(5, 'bob.s');
  await eventually(() => working(strangers) === 1, 'work for the first');
  expect([made(), await waiting()]).toEqual([1, 4]);
});
