import { Registry } from 'prom-client';
import type { Limits } from '../wire/limits';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';

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
