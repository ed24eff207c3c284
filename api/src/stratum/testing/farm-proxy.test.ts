/** A farm's proxy: many workers of one account on one connection. */
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { Line, RawClient, TestProxy } from '../testing/test-proxy';
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
/** A connection with these workers of alice, and the id of its first job. */
async function farm(...workers: string[]): Promise<{ c: RawClient; job: unknown }> {
  const c = client();
  await c.call('mining.subscribe', ['farm-proxy/1']);
  for (const worker of workers) expect((await c.call('mining.authorize', [`alice.${worker}`, 'x'])).result).toBe(true);
  return { c, job: (await c.notification('mining.notify')).params?.[0] };
}
const submit = (c: RawClient, user: string, job: unknown, nonce: number, en2 = '00000001'): Promise<Line> =>
  c.call('mining.submit', [user, job, en2, '65000000', nonce.toString(16).padStart(8, '0')]);

it('each share counts for the worker that it names, of those authorised on the connection', async () => {
  const { c, job } = await farm('a', 'b', 'c');
  for (const [nonce, worker] of ['a', 'b', 'b', 'c', 'b'].entries())
    expect((await submit(c, `alice.${worker}`, job, nonce)).result).toBe(true);
  expect(test.sink.shares.map(({ worker }) => worker)).toEqual(['a', 'b', 'b', 'c', 'b']);
  expect((await submit(c, 'alice.d', job, 9)).error?.[0]).toBe(24);
  expect((await c.call('mining.authorize', ['alice.b', 'x'])).result).toBe(true);
  // One difficulty, one upstream connection.
  expect(c.lines.filter(({ method }) => method === 'mining.set_difficulty')).toHaveLength(1);
  await eventually(() => upstream.sockets.size === 1, 'its connection');
});

it('workers of another account are refused: its own pools may give other work', async () => {
  const { c, job } = await farm('a');
  expect((await c.call('mining.authorize', ['bob.a', 'x'])).error).toEqual([
    24,
    'Another account needs a connection of its own',
    null,
  ]);
  expect((await submit(c, 'bob.a', job, 1)).error?.[0]).toBe(24);
  expect((await submit(c, 'alice.a', job, 1)).result).toBe(true);
});

it('shows each worker as connected, without a difficulty of its own, and as gone with the connection', async () => {
  const { c } = await farm('a', 'b');
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
  const job = (await c.notification('mining.notify')).params?.[0];
  const answers = () => c.lines.filter((line) => typeof line.id === 'number');
  await eventually(() => answers().length === MACHINES, 'all answers');
  expect(answers().every(({ id, result }, i) => id === i && result === true)).toBe(true);
  const shares = await Promise.all(names.map((name, i) => submit(c, name, job, i)));
  expect(shares.filter(({ result }) => result !== true)).toEqual([]);
  expect(new Set(test.sink.shares.map(({ worker }) => worker)).size).toBe(MACHINES);
  expect(upstream.sockets.size).toBe(1);
});

it('a worker whose shares are bad is banned alone; the others go on', async () => {
  const { c, job } = await farm('good', 'bad');
  for (let i = 0; i < 100; i += 1) expect((await submit(c, 'alice.bad', job, i, 'zz')).error?.[0]).toBe(20);
  expect((await submit(c, 'alice.bad', job, 200)).error?.[0]).toBe(24);
  expect((await c.call('mining.authorize', ['alice.bad', 'x'])).error?.[1]).toMatch(/Banned/);
  expect((await submit(c, 'alice.good', job, 201)).result).toBe(true);
  expect(test.sink.presences.findLast(({ worker }) => worker === 'bad')?.connected).toBe(false);
  // Names that nobody authorised cost lines, not the others' place.
  for (let i = 0; i < 100; i += 1) expect((await submit(c, 'alice.none', job, i)).error?.[0]).toBe(24);
  expect((await submit(c, 'alice.good', job, 202)).result).toBe(true);
});

it('names that do not exist end a connection after five in a row, not one that has named workers between them', async () => {
  const { c } = await farm('a');
  for (let i = 0; i < 20; i += 1) {
    expect((await c.call('mining.authorize', [`nobody.${i}`, 'x'])).error?.[0]).toBe(24);
    if (i % 4 === 3) expect((await c.call('mining.authorize', [`alice.b${i}`, 'x'])).result).toBe(true);
  }
  for (let i = 0; i < 6; i += 1) void c.call('mining.authorize', [`nobody.x${i}`, 'x']).catch(() => undefined);
  await c.ended();
});

it('shares that are kept across a reconnect are refused, late, and bring no ban', async () => {
  const { c, job } = await farm('a');
  c.destroy();
  const again = await farm('a');
  for (let i = 0; i < 150; i += 1) expect((await submit(again.c, 'alice.a', job, i)).error?.[0]).toBe(21);
  expect((await submit(again.c, 'alice.a', again.job, 1)).result).toBe(true);
});
