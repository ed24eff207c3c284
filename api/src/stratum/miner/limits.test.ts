import { Registry } from 'prom-client';
import { type Limits, LIMITS } from '../wire/limits';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';
import { insertUsers, databaseOfFile } from '../../platform/db/testing/test-database';
import { transaction } from '../../platform/db/transaction';
import { countBatch } from '../../mining/shares/count-batch';
import { minuteBuckets } from '../../mining/shares/rollup';
import type { Share } from '../ports';
import { type LastWork, pgLastWork } from './last-difficulties';

const { stub, proxyOf, connect, join, mine } = stratumForEach();
let upstream: StubUpstream;
let test: TestProxy;

async function setUp(limits: Partial<Limits> = {}, metrics?: Registry): Promise<void> {
  upstream = await stub();
  test = await proxyOf([upstream.target], { limits, metrics });
}
const client = (): RawClient => connect(test.port);
const miner = (user: string): Promise<RawClient> => join(test.port, user);
it('a line of more than 4 KB ends the connection, in one piece or in many', async () => {
  await setUp();
  const whole = client();
  whole.send(`{"id":1,"method":"mining.subscribe","params":["${'x'.repeat(5000)}"]}\n`);
  await whole.ended();
  const pieces = client();
  for (let i = 0; i < 50; i += 1) pieces.send('x'.repeat(100));
  await pieces.ended();
  const justFits = client();
  justFits.send(`{"id":1,"method":"mining.subscribe","params":["${'x'.repeat(4000)}"]}\n`);
  expect((await justFits.line((line) => line.id === 1)).result).toBeTruthy();
});

it('no handshake in time ends the connection, however busy it is', async () => {
  await setUp({ handshakeMs: 80 });
  const silent = client();
  const slow = client();
  const drip = setInterval(() => slow.send('{'), 10);
  const chatty = client();
  await chatty.call('mining.subscribe', []);
  await Promise.all([silent.ended(), slow.ended(), chatty.ended()]);
  clearInterval(drip);
  await eventually(() => test.proxy.connections() === 0, 'nobody left');
});

it('a silent miner is disconnected, neither one that speaks nor a slow one whose pace explains it (flexpool/frontend#101)', async () => {
  await setUp({ idleMs: 700 });
  const slow = await mine(test.port);
  expect(await slow.submit()).toBe(true);
  const busy = await miner('alice.busy');
  const idle = await miner('alice.idle');
  const work = setInterval(() => {
    void busy.call('mining.ping', []).catch(() => undefined);
  }, 50);
  await idle.ended();
  clearInterval(work);
  expect([slow.closed, busy.closed]).toEqual([false, false]);
});

it('limits the connections of one address: the oldest without a share gives way, those with one stay', async () => {
  await setUp({ connectionsPerAddress: 3 });
  const [a, b, c] = [await mine(test.port), await miner('alice.b'), await mine(test.port, 'alice.c')];
  expect(await a.submit()).toBe(true);
  const d = await mine(test.port, 'alice.d');
  await b.ended();
  expect([a, c, d].map(({ closed }) => closed)).toEqual([false, false, false]);
  for (const each of [c, d]) expect(await each.submit()).toBe(true);
  await client().ended();
  a.destroy();
  await eventually(() => test.proxy.connections() === 2, 'a slot');
  expect((await miner('alice.e')).closed).toBe(false);
});

it('limits the worker names of an account; names without a share are freed', async () => {
  await setUp({ workersPerAccount: 10, connectionsPerAddress: 100 });
  const miners = await Promise.all(Array.from({ length: 10 }, (_, i) => miner(`alice.w${i}`)));
  const refused = client();
  await refused.call('mining.subscribe', []);
  expect((await refused.call('mining.authorize', ['alice.w10', 'x'])).error).toEqual([24, 'Too many workers', null]);
  // More connections of a known name are allowed, and other accounts have their own names.
  await miner('alice.w3');
  await miner('bob.w10');
  miners[0]?.destroy();
  await eventually(() => test.sink.presences.some((p) => p.worker === 'w0' && !p.connected), 'gone');
  expect(await refused.authorise('alice.w10')).toBe(true);
});

it('a client that reads nothing is disconnected before 64 KB wait for it', async () => {
  await setUp({ upstreamLinesPerSecond: 100_000 });
  const c = await miner('alice.slow');
  c.socket.pause();
  const filler = 'ab'.repeat(16_000);
  await eventually(() => {
    // The system's own buffers take the first megabytes.
    for (let i = 0; i < 20; i += 1) upstream.notify(true, { 3: filler });
    return test.proxy.connections() === 0;
  }, 'let go');
});

it('reads no more of miners while shares cannot be recorded fast enough, and loses none of theirs', async () => {
  await setUp();
  const c = await mine(test.port);
  test.sink.busy = true;
  const answer = c.submit();
  // Others still get in.
  await miner('bob.new');
  expect(upstream.submits).toEqual([]);
  test.sink.busy = false;
  expect(await answer).toBe(true);
});

it('a share that could not be recorded is refused, and is no accepted one in the metrics', async () => {
  const metrics = new Registry();
  await setUp({}, metrics);
  const c = await mine(test.port);
  test.sink.full = true;
  expect(await c.submit()).toBe(20);
  const counts = (await metrics.metrics()).split('\n').filter((line) => line.startsWith('stratum_shares_total'));
  expect(counts.sort()).toEqual([
    'stratum_shares_total{algorithm="SCRYPT",outcome="unrecorded"} 0',
    'stratum_shares_total{algorithm="SHA256_ASICBOOST",outcome="unrecorded"} 1',
  ]);
});

describe('a flood is read at the allowed rate', () => {
  const PING = `${JSON.stringify({ id: 1, method: 'mining.ping', params: [] })}\n`;

  it('lines of any kind count, and others are answered meanwhile', async () => {
    await setUp({ linesPerSecond: 100, addressLinesPerSecond: 1e6 });
    const since = performance.now();
    let answered = 0;
    const last = [PING, '{"id":7,"result":true,"error":null}\n', '\n'].map(async (line) => {
      const flooder = client();
      flooder.send(line.repeat(200));
      expect((await flooder.call('mining.ping', [])).result).toBe('pong');
      answered += 1;
    });
    await miner('bob.rig');
    expect(answered).toBe(0);
    await Promise.all(last);
    // The first bucket takes no time, the rest does.
    expect(performance.now() - since).toBeGreaterThan(950);
  });

  it('the sockets of one address share its rate', async () => {
    await setUp({ addressLinesPerSecond: 100 });
    const since = performance.now();
    const flooders = [client(), client()];
    for (const flooder of flooders) flooder.send(PING.repeat(75));
    await Promise.all(flooders.map((flooder) => flooder.call('mining.ping', [])));
    expect(performance.now() - since).toBeGreaterThan(450);
  });
});

it("setting the machine's clock back changes nothing: upstreams stay, miners stay, shares count", async () => {
  await setUp();
  const c = await mine(test.port);
  const { connects } = upstream;
  const real = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => real() - 60_000);
  upstream.notify(false);
  expect(await c.submit()).toBe(true);
  jest.restoreAllMocks();
  expect([c.closed, upstream.connects]).toEqual([false, connects]);
});

/** Miners without a share get few upstream connections, and none of them has to wait for ever. */
describe('miners without a share', () => {
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

  it('rejected shares prove nothing, the first accepted one lets others in', async () => {
    await setUp({ unprovenPerAddress: 1 });
    let error: unknown = [23, 'Low difficulty', null];
    upstream.options.submit = () => ({ result: !error, error });
    const stranger = await miner('alice.stranger');
    const waits = await miner('bob.rig');
    await stranger.job();
    expect(await stranger.submit()).toBe(23);
    expect([hasWork(waits), made(), await waiting()]).toEqual([false, 1, 1]);
    error = null;
    expect(await stranger.submit()).toBe(true);
    await waits.job();
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
});

describe('where a worker starts after a restart', () => {
  const { stub, proxyOf, join } = stratumForEach();
  const database = databaseOfFile();
  let upstream: StubUpstream;
  let test: TestProxy | null = null;
  const hour = 3_600_000;
  const now = Date.now();

  beforeAll(async () => {
    await insertUsers(database, 'alice');
    const share = (worker: string, ago: number, difficulty: number, change: Partial<Share> = {}): Share => ({
      subAccountId: 1,
      algorithm: 'SHA256_ASICBOOST',
      worker,
      difficulty,
      outcome: 'accepted',
      at: now - ago,
      ...change,
    });
    const shares = [
      // Its search of yesterday does not count, nor what was refused.
      share('rig', 24 * hour, 8),
      ...[500, 500, 600, 400].map((difficulty) => share('rig', hour, difficulty)),
      share('rig', hour, 1e9, { outcome: 'rejected' }),
      share('long-gone', 8 * 24 * hour, 64),
      share('refused', hour, 64, { outcome: 'rejected' }),
      share('own', hour, 64, { ownPool: true }),
      share('scrypt', hour, 0.5, { algorithm: 'SCRYPT' }),
    ];
    await transaction(database.pool, (client) =>
      countBatch(client, { proxyId: 'earlier', sequence: 1 }, minuteBuckets(shares)),
    );
  });

  beforeEach(async () => {
    upstream = await stub();
  });
  afterEach(() => {
    test = null;
  });

  /** What a proxy that has just started suggests to the upstream for this worker. */
  async function suggested(lastWork: LastWork, worker = 'rig', software?: string): Promise<unknown> {
    test ??= await proxyOf([upstream.target], { lastWork });
    upstream.suggested = [];
    const c = await join(test.port, `alice.${worker}`, ...(software ? [software] : []));
    await c.notification('mining.notify');
    return upstream.suggested[0];
  }

  it('is a quarter of the mean of the ten minutes of its last share', async () => {
    expect(await suggested(pgLastWork(database.pool))).toBe(500 / 4);
  });

  it('is of the same software only: another machine has the name now', async () => {
    expect(await suggested(pgLastWork(database.pool), 'rig', 'ESP-Miner/1')).toBeUndefined();
  });

  it("is known of a user's own pool as well", async () => {
    expect(await suggested(pgLastWork(database.pool), 'own')).toBe(64 / 4);
  });

  it.each(['long-gone', 'refused', 'scrypt', 'unknown'])('is open for the worker %s', async (worker) => {
    expect(await suggested(pgLastWork(database.pool), worker)).toBeUndefined();
  });

  it('is read once for an account, however many of its workers come', async () => {
    let reads = 0;
    const read: LastWork = (...of) => {
      reads += 1;
      return pgLastWork(database.pool)(...of);
    };
    for (const worker of ['a', 'b', 'rig']) await suggested(read, worker);
    expect(reads).toBe(1);
  });

  it('is open while the database fails or says nothing: miners get work, and it is asked again after a failure', async () => {
    let reads = 0;
    const fails: LastWork = () => {
      reads += 1;
      return Promise.reject(new Error('down'));
    };
    expect([await suggested(fails), await suggested(fails), reads]).toEqual([undefined, undefined, 2]);
    test = null;
    const silent: LastWork = () => new Promise(() => undefined);
    expect(await suggested(silent)).toBeUndefined();
  });
});
