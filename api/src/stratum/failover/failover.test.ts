/** Switching to the next upstream and back, with delays far shorter than in production. */
import { Bus, type BusEvent } from '../../platform/bus';
import type { Limits } from '../wire/limits';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import { EASY, type StubUpstream, type StubOptions } from '../testing/upstream';
import type { SwitchRow } from './upstreams';

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
    limits: { ...SOON, ...limits },
    probeTimes: { everyMs: 50, downMaxMs: 50 },
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
  return rows.map(({ fromUrl, toUrl, why }) => [names.get(fromUrl ?? '') ?? null, names.get(toUrl ?? '') ?? null, why]);
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
    // One of them notices; a probe then decides for all.
    expect(await miners[0]?.submit()).toBe(21);
    await worksAt(backup, ...miners);
    expect(words()).toEqual([['primary', 'backup', 'silent']]);
    await eventually(() => primary.sockets.size <= 1, 'only a probe left at the primary');
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

  it('only the probe retries a dead pool, not every miner', async () => {
    await setUp({}, { ...HASTY, backoffMs: 1, backoffMaxMs: 1 });
    const miners = await Promise.all(Array.from({ length: 10 }, (_, i) => join(test.port, `alice.m${i}`)));
    await worksAt(primary, ...miners);
    await backup.kill();
    // Until the next probe sees it: miners must not go to the backup first.
    await eventually(() => stateOf(backup) === 'down', 'the backup down');
    primary.options.mute = true;
    primary.drop();
    await eventually(() => stateOf(primary) === 'down', 'both down');
    await eventually(() => primary.sockets.size <= 1, 'earlier connections closed');
    const before = primary.connects;
    await eventually(() => primary.connects >= before + 3, 'three more probes');
    // Each probe lasts 0.7 s: miners would have connected thousands of times.
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
    await eventually(() => primary.connects > connects + 4, 'five more probes of the primary');
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
    await eventually(() => primary.connects > connects + 5, 'five more successful probes of the primary');
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
