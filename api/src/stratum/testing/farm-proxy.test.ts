/** A farm's proxy: many workers of one account on one connection. */
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';

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
