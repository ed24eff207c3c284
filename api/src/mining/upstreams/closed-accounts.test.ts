/** Accounts that are deleted or disabled over HTTP, with the real proxy and connected miners. */
import type { SubAccount } from '@pool/shared/api/contract';
import { testApp, type Person, type TestApp } from '../../http/testing/test-app';
import { pgAccountDirectory } from '../../stratum';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../../stratum/testing/for-each';
import type { RawClient, TestProxy } from '../../stratum/testing/test-proxy';
import type { StubUpstream } from '../../stratum/testing/upstream';
import { PoolChanges } from '../../stratum/pool-changes';

const { stub, proxyOf, join } = stratumForEach();
let test: TestApp;
let admin: Person;
let upstream: StubUpstream;
let proxy: TestProxy;
const changes = new PoolChanges();

beforeAll(async () => {
  test = await testApp({ changes });
  admin = await test.person('boss', { role: 'admin' });
});
afterAll(() => test.close());
/** `closedMs`: how often the proxy checks for accounts that another process closed. */
async function setUp(closedMs: number, submit?: () => undefined): Promise<void> {
  upstream = await stub({ submit });
  proxy = await proxyOf([upstream.target], {
    directory: pgAccountDirectory(test.database.pool, changes),
    closedMs,
  });
}
const connect = (name: string): Promise<RawClient> => join(proxy.port, name);
const miner = async (name: string): Promise<RawClient> => {
  const c = await connect(name);
  await c.notification('mining.notify');
  return c;
};
const idOf = async (userName: string): Promise<number> =>
  (await test.database.pool.query<{ id: number }>('select id from app_user where user_name = $1', [userName])).rows[0]
    ?.id ?? 0;
const disable = async (userName: string, disabled: boolean): Promise<void> => {
  const answer = await admin.call(`/api/users/?id=${await idOf(userName)}`, { method: 'PUT', body: { disabled } });
  expect(answer.status).toBe(200);
};
const NEVER = 2 ** 31 - 1;

it('disabling a user ends its connections at once, after the pending share; other users are not affected', async () => {
  await setUp(NEVER, () => undefined);
  for (const name of ['anna', 'boris']) await test.person(name);
  const [anna, second, boris] = [await miner('anna.rig'), await miner('anna.other'), await miner('boris.rig')];
  const job = anna.lines.find((line) => line.method === 'mining.notify')?.params?.[0];
  const verdict = anna.call('mining.submit', ['anna.rig', job, '00000001', '65000000', '00000001']);
  await eventually(() => upstream.submits.length === 1, 'the share at the upstream');
  await disable('anna', true);
  await second.ended();
  // It sends no further shares, and the pending one is answered.
  anna.send('{"id":"late","method":"mining.ping","params":[]}\n');
  const { id } = JSON.parse(upstream.lines.find((line) => line.includes('mining.submit')) ?? '{}') as { id: number };
  upstream.send({ id, result: true, error: null });
  expect((await verdict).result).toBe(true);
  await anna.ended();
  expect(anna.lines.some((line) => line.id === 'late')).toBe(false);
  expect(proxy.sink.count('accepted')).toBe(1);
  expect((await boris.call('mining.ping', [])).result).toBe('pong');
  expect((await (await connect('anna.rig')).call('mining.authorize', ['anna.rig', 'x'])).error?.[0]).toBe(24);
  await disable('anna', false);
  await miner('anna.rig');
});

it("deleting a sub-account ends its connections at once, not those of its owner's other ones", async () => {
  await setUp(NEVER);
  const clara = await test.person('clara');
  const made = (await clara.call('/api/subAccounts/', { method: 'POST', body: { name: 'clara-two' } }))
    .body as SubAccount;
  const [first, two] = [await miner('clara.rig'), await miner('clara-two.rig')];
  expect((await clara.call(`/api/subAccounts/${made.id}`, { method: 'DELETE' })).status).toBe(200);
  await two.ended();
  expect((await first.call('mining.ping', [])).result).toBe('pong');
  expect((await (await connect('clara-two.rig')).call('mining.authorize', ['clara-two.rig', 'x'])).error?.[0]).toBe(24);
});

it('an account closed by another process is noticed in the database', async () => {
  await setUp(50);
  await test.person('dora');
  const dora = await miner('dora.rig');
  await test.database.pool.query("update app_user set disabled = true where user_name = 'dora'");
  await dora.ended();
  expect((await (await connect('dora.rig')).call('mining.authorize', ['dora.rig', 'x'])).error?.[0]).toBe(24);
});
