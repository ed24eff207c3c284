/** What miners say on the wire, each named by the software that says it (docs/interop.md says where the others are). */
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import type { StubUpstream, StubOptions } from '../testing/upstream';

const { stub, proxyOf, connect } = stratumForEach();
let upstream: StubUpstream;
let test: TestProxy;

async function setUp(options: StubOptions = {}): Promise<RawClient> {
  upstream = await stub(options);
  test = await proxyOf([upstream.target]);
  await eventually(() => test.proxy.upstreams()[0]?.state === 'active', 'the probe');
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
  const c = await setUp();
  // Difficulty 1000.
  const target = ((0xffffn << 208n) / 1000n).toString(16).padStart(64, '0');
  say(c, { id: null, method: 'mining.suggest_target', params: [target] });
  say(c, { id: 'xnsub', method: 'mining.extranonce.subscribe', params: [] }, SUBSCRIBE, AUTHORIZE);
  await c.job();
  expect(c.lines.slice(0, 3).map(({ id }) => id)).toEqual(['xnsub', 1, 2]);
  await eventually(() => upstream.suggested.length === 2, 'before and after the authorisation');
  expect(upstream.suggested).toEqual([1000, 1000]);
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
  const c = await setUp();
  for (const params of [[], ['00'.repeat(32)], ['xyz'], ['00'.repeat(33)]])
    expect((await c.call('mining.suggest_target', params)).error?.[0]).toBe(20);
  say(c, SUBSCRIBE, AUTHORIZE);
  await c.job();
  expect(upstream.suggested).toEqual([]);
});

it('NerdMiner: a nonce without its leading zeros, and a suggestion with an exponent', async () => {
  const c = await setUp();
  say(c, SUBSCRIBE, '{"id":5,"method":"mining.suggest_difficulty","params":[1.5e-05]}', AUTHORIZE);
  await c.job();
  expect(await c.submit({ nonce: '2a' })).toBe(true);
  expect(upstream.submits[0]?.[4]).toBe('0000002a');
  expect(await c.submit({ nonce: '0000002a' })).toBe(22);
  expect(upstream.suggested).toEqual([1.5e-5, 1.5e-5]);
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

it('old Antminer firmware: rolls bits of no mask; they are refused and never part of the version', async () => {
  const c = await setUp();
  await c.call('mining.configure', [['version-rolling'], { 'version-rolling.mask': 'ffffffff' }]);
  say(c, { id: 1, method: 'mining.subscribe', params: ['bmminer/2.0.0'] }, AUTHORIZE);
  await c.job();
  for (const bits of ['40000000', '80000000', '20000000']) expect(await c.submit({ bits })).toBe(20);
  expect(await c.submit({ bits: '00002000' })).toBe(true);
  expect(upstream.submits.map((params) => params[5])).toEqual(['00002000']);
});
