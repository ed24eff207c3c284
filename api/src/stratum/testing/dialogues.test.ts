import { eventually } from '../../testing/eventually';
import { stratumForEach } from './for-each';
import type { RawClient, TestProxy } from './test-proxy';
import type { StubUpstream, StubOptions } from './upstream';

/** What miners say on the wire, each named by the software that says it (docs/interop.md says where the others are). */
const { stub, proxyOf, connect } = stratumForEach();
let upstream: StubUpstream;
let test: TestProxy;

async function setUp(options: StubOptions = {}): Promise<RawClient> {
  upstream = await stub(options);
  test = await proxyOf([upstream.target]);
  await eventually(() => test.proxy.upstreams()[0]?.state === 'active', 'the first look');
  return client();
}
const client = (): RawClient => connect(test.port);
/** Sends these messages in one packet. */
const say = (c: RawClient, ...messages: (object | string)[]): void =>
  c.send(messages.map((m) => `${typeof m === 'string' ? m : JSON.stringify(m)}\n`).join(''));
const SUBSCRIBE = { id: 1, method: 'mining.subscribe', params: ['test/1'] };
const AUTHORIZE = { id: 2, method: 'mining.authorize', params: ['alice.rig', 'x'] };

it.each<[string, object[]]>([
  [
    'cgminer: configure, of which it reads exactly one line, then subscribe with the session of before',
    [
      { id: 0, method: 'mining.configure', params: [['version-rolling'], { 'version-rolling.mask': '1fffe000' }] },
      { id: 1, method: 'mining.subscribe', params: ['cgminer/4.11.1', 'deadbeef'] },
      AUTHORIZE,
    ],
  ],
  [
    'ESP-Miner: configure, subscribe and authorize in one packet',
    [
      { id: 1, method: 'mining.configure', params: [['version-rolling'], { 'version-rolling.mask': 'ffffffff' }] },
      { id: 2, method: 'mining.subscribe', params: ['bitaxe/BM1370/v2.4.0'] },
      { id: 3, method: 'mining.authorize', params: ['alice.rig', 'x'] },
    ],
  ],
  [
    'cpuminer: subscribe, whose result is the first line after it, then authorize',
    [{ id: 1, method: 'mining.subscribe', params: ['cpuminer/2.5.1'] }, AUTHORIZE],
  ],
  [
    'Whatsminer: opens with a suggestion, before anything else',
    [
      { id: 0, method: 'mining.suggest_difficulty', params: [65536] },
      { id: 1, method: 'mining.configure', params: [['version-rolling'], { 'version-rolling.mask': '1fffe000' }] },
      { id: 2, method: 'mining.subscribe', params: ['whatsminer/v1.0'] },
      { id: 3, method: 'mining.authorize', params: ['alice.rig', 'x'] },
    ],
  ],
])('%s: each call is answered, in its order, before anything else is said', async (_, dialogue) => {
  const c = await setUp();
  say(c, ...dialogue);
  await c.job();
  const answers = c.lines.filter(({ method }) => method === undefined);
  const ids = dialogue.map((call) => (call as { id: number }).id);
  expect(answers.map(({ id }) => id)).toEqual(ids);
  expect(c.lines.slice(0, ids.length).every(({ method }) => method === undefined)).toBe(true);
  expect(await c.submit()).toBe(true);
});

it('an id comes back as it was sent, whatever it is (bfgminer: "auth")', async () => {
  const c = await setUp();
  say(c, SUBSCRIBE, AUTHORIZE);
  await c.job();
  const raw: string[] = [];
  c.socket.on('data', (chunk: Buffer) => raw.push(chunk.toString()));
  const ids = ['"auth"', '"17"', '""', '0', '-1', '1.5', '18446744073709551615', 'null'];
  ids.forEach((id) => {
    say(c, `{"params":${JSON.stringify(c.share())},"id": ${id} ,"method":"mining.submit"}`);
  });
  const answered = () => ids.filter((id) => raw.join('').includes(`{"id":${id},"result":true`));
  await eventually(() => answered().length === ids.length, 'an answer to each');
});

it('cpuminer: every share has the id 4; each is answered', async () => {
  const c = await setUp();
  say(c, SUBSCRIBE, AUTHORIZE);
  await c.job();
  say(c, ...Array.from({ length: 20 }, () => ({ id: 4, method: 'mining.submit', params: c.share() })));
  await eventually(() => c.lines.filter(({ id, result }) => id === 4 && result === true).length === 20, 'twenty');
});

it('bfgminer: suggests a target without an id before it subscribes, and the next line is its subscription', async () => {
  const c = await setUp({ difficulty: 1e4 });
  // Difficulty 1000.
  const target = ((0xffffn << 208n) / 1000n).toString(16).padStart(64, '0');
  say(c, { id: null, method: 'mining.suggest_target', params: [target] });
  say(c, { id: 'xnsub', method: 'mining.extranonce.subscribe', params: [] }, SUBSCRIBE, AUTHORIZE);
  await c.job();
  expect(c.lines.slice(0, 3).map(({ id }) => id)).toEqual(['xnsub', 1, 2]);
  expect(c.difficulties).toEqual([1000]);
});

it('notifications are not answered', async () => {
  const c = await setUp();
  const notifications = [
    { id: null, method: 'mining.suggest_difficulty', params: ['many'] },
    { id: null, method: 'mining.suggest_target', params: ['zz'] },
    { id: null, method: 'mining.ping', params: [] },
    { id: null, method: 'mining.something', params: [] },
    { method: 'mining.extranonce.subscribe' },
    { id: 1, method: 'pong', params: [] },
    { id: 1, result: 'pong', error: null },
  ];
  say(c, ...notifications, { id: 9, method: 'mining.ping', params: [] });
  await c.line(({ id }) => id === 9);
  expect(c.lines).toHaveLength(1);
});

it('a suggested target that is none is refused, and counts for nothing', async () => {
  const c = await setUp({ difficulty: 233 });
  for (const params of [[], ['00'.repeat(32)], ['xyz'], ['00'.repeat(33)]])
    expect((await c.call('mining.suggest_target', params)).error?.[0]).toBe(20);
  say(c, SUBSCRIBE, AUTHORIZE);
  await c.job();
  expect([c.difficulties, upstream.suggested]).toEqual([[233], []]);
});

it('NerdMiner: a nonce without its leading zeros, and a suggestion with an exponent', async () => {
  const c = await setUp();
  say(c, SUBSCRIBE, '{"id":5,"method":"mining.suggest_difficulty","params":[1.5e-05]}', AUTHORIZE);
  await c.job();
  expect(await c.submit({ nonce: '2a' })).toBe(true);
  expect(upstream.submits[0]?.[4]).toBe('0000002a');
  expect(await c.submit({ nonce: '0000002a' })).toBe(22);
  expect(upstream.suggested[0]).toBe(1.5e-5);
});

it('Avalon, Whatsminer: a name is cut at 63 characters in shares', async () => {
  const c = await setUp();
  const user = `alice.${'w'.repeat(64)}`;
  say(c, SUBSCRIBE, { id: 2, method: 'mining.authorize', params: [user, 'x'] });
  await c.job();
  expect(await c.submit({ user: user.slice(0, 63) })).toBe(true);
  expect(await c.submit({ user: user.slice(0, 62) })).toBe(24);
  expect(test.sink.shares[0]?.worker).toBe('w'.repeat(64));
});

describe('a farm proxy', () => {
  const { stub, proxyOf, connect } = stratumForEach();
  const MACHINES = process.env.HEAVY ? 2000 : 200;

  let upstream: StubUpstream;
  let test: TestProxy;
  const client = (): RawClient => connect(test.port);

  beforeEach(async () => {
    upstream = await stub();
    test = await proxyOf([upstream.target]);
  });
  /** A connection with these workers of alice, and a job. */
  async function farm(...workers: string[]): Promise<RawClient> {
    const c = client();
    await c.call('mining.subscribe', ['farm-proxy/1']);
    for (const worker of workers) expect(await c.authorise(`alice.${worker}`)).toBe(true);
    await c.job();
    return c;
  }

  it('each share counts for the worker that it names, of those authorised on the connection', async () => {
    const c = await farm('a', 'b', 'c');
    for (const worker of ['a', 'b', 'b', 'c', 'b']) expect(await c.submit({ user: `alice.${worker}` })).toBe(true);
    expect(test.sink.shares.map(({ worker }) => worker)).toEqual(['a', 'b', 'b', 'c', 'b']);
    expect(await c.submit({ user: 'alice.d' })).toBe(24);
    expect(await c.authorise('alice.b')).toBe(true);
    // One difficulty, one upstream connection.
    expect(c.difficulties).toHaveLength(1);
    await eventually(() => upstream.sockets.size === 1, 'its connection');
  });

  it('workers of another account are refused: its own pools may give other work', async () => {
    const c = await farm('a');
    expect((await c.call('mining.authorize', ['bob.a', 'x'])).error).toEqual([
      24,
      'Another account needs a connection of its own',
      null,
    ]);
    expect(await c.submit({ user: 'bob.a' })).toBe(24);
    expect(await c.submit({ user: 'alice.a' })).toBe(true);
  });

  it('shows each worker as connected, without a difficulty of its own, and as gone with the connection', async () => {
    const c = await farm('a', 'b');
    const last = (worker: string) => test.sink.presences.findLast((presence) => presence.worker === worker);
    expect(['a', 'b'].map((worker) => [last(worker)?.connected, last(worker)?.difficulty])).toEqual([
      [true, null],
      [true, null],
    ]);
    c.destroy();
    await eventually(() => ['a', 'b'].every((worker) => last(worker)?.connected === false), 'both gone');
  });

  it(`${MACHINES} workers that are sent in one go are all authorised in their order, and mine`, async () => {
    const c = client();
    await c.call('mining.subscribe', []);
    const names = Array.from({ length: MACHINES }, (_, i) => `alice.m${i}`);
    const lines = names.map((name, id) => JSON.stringify({ id, method: 'mining.authorize', params: [name, 'x'] }));
    c.send(`${lines.join('\n')}\n`);
    await c.job();
    const answers = () => c.lines.filter((line) => typeof line.id === 'number');
    await eventually(() => answers().length === MACHINES, 'all answers');
    expect(answers().every(({ id, result }, i) => id === i && result === true)).toBe(true);
    expect(new Set(await Promise.all(names.map((user) => c.submit({ user }))))).toEqual(new Set([true]));
    expect(new Set(test.sink.shares.map(({ worker }) => worker)).size).toBe(MACHINES);
    expect(upstream.sockets.size).toBe(1);
  });

  it('a worker whose shares are bad is banned alone; the others go on', async () => {
    const c = await farm('good', 'bad');
    expect(await c.submitMany(100, { user: 'alice.bad', extranonce2: 'zz' })).toEqual([20]);
    expect(await c.submit({ user: 'alice.bad' })).toBe(24);
    expect((await c.call('mining.authorize', ['alice.bad', 'x'])).error?.[1]).toMatch(/Banned/);
    expect(await c.submit({ user: 'alice.good' })).toBe(true);
    expect(test.sink.presences.findLast(({ worker }) => worker === 'bad')?.connected).toBe(false);
    // Names that nobody authorised cost lines, not the others' place.
    expect(await c.submitMany(100, { user: 'alice.none' })).toEqual([24]);
    expect(await c.submit({ user: 'alice.good' })).toBe(true);
  });

  it('names that do not exist end a connection after five in a row, not one that has named workers between them', async () => {
    const c = await farm('a');
    for (let i = 0; i < 20; i += 1) {
      expect(await c.authorise(`nobody.${i}`)).toBe(24);
      if (i % 4 === 3) expect(await c.authorise(`alice.b${i}`)).toBe(true);
    }
    for (let i = 0; i < 6; i += 1) void c.call('mining.authorize', [`nobody.x${i}`, 'x']).catch(() => undefined);
    await c.ended();
  });

  it('shares that are kept across a reconnect are refused, late, and bring no ban', async () => {
    const before = await farm('a');
    before.destroy();
    const again = await farm('a');
    expect(await again.submitMany(150, { job: before.jobs[0]?.[0] })).toEqual([21]);
    expect(await again.submit()).toBe(true);
  });
});
