/** Tests from the HTTP call to the miner: pools a user saves, the real proxy that uses them, and stub upstreams. */
import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Connection, PoolConfig, SubAccountPoolConfig, Upstream } from '@pool/shared/api/contract';
import { allHandlers } from '../../http/routes';
import { poolConfigRoutes } from '../../http/routes/mining/pool-configs';
import { testApp, type Answer, type Person, type TestApp } from '../../http/testing/test-app';
import { openOwnPools } from './own-pools';
import { pgPortList } from './own-ports';
import { PoolChanges } from '../../stratum/pool-changes';
import { startPoolHolds } from './pool-hold';
import { pgPoolLists } from './pool-lists';
import { Secrets } from '../../platform/secrets';
import { pgAccountDirectory } from '../../stratum';
import { resolveOutbound } from '../../platform/outbound';
import { eventually } from '../../testing/eventually';
import { RawClient, silent, testProxy, type TestProxy } from '../../stratum/testing/test-proxy';
import { EASY, StubUpstream } from '../../stratum/testing/upstream';

let test: TestApp;
let proxy: TestProxy;
let owner: Person;
let account: number;
let miner: RawClient;
let outsidePort: number;
const secrets = new Secrets([randomBytes(32)]);
const changes = new PoolChanges();
const stubs = [
  new StubUpstream({ name: 'Standard' }),
  new StubUpstream({ difficulty: EASY, authorise: (_, password) => password === 'right' }),
  new StubUpstream({ difficulty: 2 * EASY }),
] as const;
const [standard, first, second] = stubs;

beforeAll(async () => {
  for (const stub of stubs) await stub.start();
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  outsidePort = (free.address() as AddressInfo).port;
  await new Promise((resolve) => {
    free.close(resolve);
  });
  const outbound = {
    resolve: (host: string, port: number) =>
      resolveOutbound(host, port, {
        allowPrivate: false,
        allow: ['127.0.0.1'],
        ownPorts: () => [proxy.port],
        resolver: async () => [{ address: '127.0.0.1' }],
      }),
  };
  test = await testApp({
    secrets,
    changes,
    outbound,
    handlers: (deps) => ({ ...allHandlers(deps), ...poolConfigRoutes(deps, { failMs: 20 }) }),
    stratum: {
      poolStatus: (id) => proxy.proxy.poolStatus(id),
      testPool: (target) => proxy.proxy.testPool(target),
      status: (id) => proxy.proxy.status(id),
    },
  });
  const { pool } = test.database;
  proxy = await testProxy([standard.target], {
    directory: pgAccountDirectory(pool),
    ownPools: { lists: pgPoolLists(pool, secrets, changes, silent), outbound },
    ownPorts: pgPortList(pool, changes),
  });
  owner = await test.person('owner');
  account = (await pool.query<{ id: number }>("select id from sub_account where name = 'owner'")).rows[0]?.id ?? 0;
  miner = new RawClient(proxy.port);
  await miner.call('mining.subscribe', []);
  await miner.call('mining.authorize', ['owner.rig', 'x']);
});
afterAll(async () => {
  miner.destroy();
  await proxy.proxy.stop();
  for (const stub of stubs) await stub.kill();
  await test.close();
});

const urlOf = (stub: StubUpstream): string => stub.target.url;
const call = (method: 'POST' | 'PUT' | 'DELETE' | 'GET', path: string, body?: unknown): Promise<Answer> =>
  owner.call(`/api/${path}`, { method, ...(body === undefined ? {} : { body }) });
const save = async (name: string, stub: StubUpstream, password: string): Promise<number> =>
  (
    (
      await call('POST', 'poolConfigs/', {
        name,
        algorithm: 'SHA256_ASICBOOST',
        url: urlOf(stub),
        user: `${name}.wallet`,
        password,
      })
    ).body as PoolConfig
  ).id;
const list = async (): Promise<SubAccountPoolConfig[]> =>
  (await call('GET', `subAccountPoolConfigs?subAccountId=${account}`)).body as SubAccountPoolConfig[];
const states = async (): Promise<string[]> => (await list()).map(({ name, state }) => `${name} ${state}`);

/** Sends shares until `stub` gets one; the miner keeps its connection. */
async function minesFor(stub: StubUpstream): Promise<void> {
  const before = stub.submits.length;
  await eventually(
    async () => {
      const job = miner.lines.filter((line) => line.method === 'mining.notify').at(-1)?.params?.[0];
      await miner.call('mining.submit', ['owner.rig', job, '00000001', '65000000', randomBytes(4).toString('hex')]);
      return stub.submits.length > before;
    },
    `a share for ${urlOf(stub)}`,
  );
  expect(miner.closed).toBe(false);
}

it('tests a pool: works, refuses the password, is unreachable', async () => {
  const result = async (url: string, password: string) =>
    (await call('POST', 'poolConfigs/test', { algorithm: 'SHA256_ASICBOOST', url, user: 'me', password })).body;
  expect(await result(urlOf(first), 'right')).toEqual({ result: 'ok' });
  expect(await result(urlOf(first), 'wrong')).toEqual({ result: 'auth_failed' });
  expect(await result(`stratum+tcp://127.0.0.1:${outsidePort}`, 'right')).toEqual({ result: 'refused' });
});

it("row 49: the pool's own port is refused as an upstream even when its address is allowed", async () => {
  const answer = await call('POST', 'poolConfigs/', {
    name: 'Loop',
    algorithm: 'SHA256_ASICBOOST',
    url: `stratum+tcp://127.0.0.1:${proxy.port}`,
    user: 'owner.rig',
  });
  expect([answer.status, answer.code]).toEqual([422, 'upstream_not_allowed']);
});

it('the proxy follows every change without disconnecting a miner', async () => {
  await minesFor(standard);
  const [one, two] = [await save('one', first, 'right'), await save('two', second, 'x')];
  await call('POST', `subAccountPoolConfigs?subAccountId=${account}`, { poolConfigId: one });
  await call('POST', `subAccountPoolConfigs?subAccountId=${account}`, { poolConfigId: two });
  await minesFor(first);
  expect(first.submits.at(-1)?.[0]).toBe('one.wallet');
  await eventually(async () => (await states()).join() === 'one active,two standby', 'the states');
  // A pool that the proxy has not read yet is shown as standby too.
  await eventually(async () => {
    const upstreams = (await call('GET', 'upstreams')).body as Upstream[];
    return upstreams.map(({ name, priority, of }) => `${name} ${priority} of ${of}`).join() === 'one 1 of 2,two 2 of 2';
  }, 'both in use by the proxy');

  // A changed password that is wrong is noticed, and the other pool takes over.
  await call('PUT', `poolConfigs/${one}`, { password: 'wrong' });
  await minesFor(second);
  await eventually(async () => (await states()).join() === 'one auth_failed,two active', 'the refused password');
  expect((await list())[0]?.lastError).toEqual(expect.any(String));

  for (const { id } of await list()) await call('DELETE', `subAccountPoolConfigs/${id}`);
  await minesFor(standard);
});

it('a held change moves no miner until the hold is over, or it is cancelled', async () => {
  const stop = startPoolHolds(test.database.pool, changes, test.bus, silent, 20);
  const [one = 0, two = 0] = ((await call('GET', 'poolConfigs/')).body as PoolConfig[]).map(({ id }) => id);
  await call('PUT', `poolConfigs/${one}`, { password: 'right' });
  await call('POST', `subAccountPoolConfigs?subAccountId=${account}`, { poolConfigId: one });
  await minesFor(first);
  await call('PUT', 'poolHold', { on: true });
  const take = async (poolConfigId: number) => {
    const body = { algo: 'SHA256_ASICBOOST', configs: [{ poolConfigId }] };
    expect((await call('PUT', `subAccountPoolConfigs?subAccountId=${account}`, body)).status).toBe(200);
  };
  await take(two);
  await call('DELETE', `poolConfigs/${one}`);
  // Others may come meanwhile: the list is read again.
  miner.destroy();
  miner = new RawClient(proxy.port);
  await miner.call('mining.subscribe', []);
  await miner.call('mining.authorize', ['owner.rig', 'x']);
  await minesFor(first);
  await test.database.pool.query('update pool_hold set until = now()');
  await minesFor(second);

  await take(await save('three', first, 'right'));
  await minesFor(second);
  expect((await call('DELETE', 'poolHold')).status).toBe(200);
  await minesFor(second);
  expect((await list()).map(({ name }) => name)).toEqual(['two']);
  stop();
});

it("a sub-account's own port opens when an admin assigns it, and closes when it is removed", async () => {
  const admin = await test.person('boss', { role: 'admin' });
  const edit = (proxyPort: number | null): Promise<Answer> =>
    admin.call(`/api/admin/subAccounts/?id=${account}`, { method: 'PUT', body: { proxyPort } });
  expect((await edit(outsidePort)).status).toBe(200);
  await eventually(() => proxy.proxy.ownPorts().length === 1, 'the port');
  const other = new RawClient(outsidePort);
  await other.call('mining.subscribe', []);
  expect((await other.call('mining.authorize', ['owner.second', 'x'])).result).toBe(true);
  expect(((await owner.call('/api/connectionInfo/')).body as Connection[])[0]).toMatchObject({
    port: outsidePort,
    dedicated: true,
  });
  await edit(null);
  await eventually(() => proxy.proxy.ownPorts().length === 0, 'the port to be closed');
  other.destroy();
});

it("refuses users' pools at this machine's own addresses", async () => {
  const { outbound: built } = openOwnPools({
    config: test.config,
    pool: test.database.pool,
    changes,
    secrets,
    log: silent,
    listening: () => [],
  });
  await expect(built.resolve('127.0.0.1', 3333)).rejects.toMatchObject({ code: 'own' });
});
