/** Pools that a user saves and accounts that are closed, from the HTTP call to a miner at the real proxy. */
import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Connection, PoolConfig, SubAccount, SubAccountPoolConfig } from '@pool/shared/api/contract';
import { allHandlers } from '../../http/routes';
import { poolConfigRoutes } from '../../http/routes/mining/pool-configs';
import { testApp, type Answer, type Person, type TestApp } from '../../http/testing/test-app';
import { openOwnPools } from './own-pools';
import { pgPortList } from './own-ports';
import { PoolChanges } from '../../stratum/pool-changes';
import { endDueHolds } from './pool-hold';
import { pgPoolLists } from './pool-lists';
import { Snapshot } from './snapshot';
import { sql } from '../../platform/db/querier';
import { every } from '../../platform/every';
import { Secrets } from '../../platform/secrets';
import { pgAccountDirectory, type StratumProxyOptions } from '../../stratum';
import { resolveOutbound } from '../../platform/outbound';
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../../stratum/testing/for-each';
import { RawClient, silent, testProxy, type TestProxy } from '../../stratum/testing/test-proxy';
import { EASY, StubUpstream } from '../../stratum/testing/upstream';

let test: TestApp;
let proxy: TestProxy;
let owner: Person;
let account: number;
let miner: RawClient;
let outsidePort: number;
let admin: Person;
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
  admin = await test.person('boss', { role: 'admin' });
  account = await test.accountId('owner');
  miner = await connected(proxy.port);
});
afterAll(async () => {
  miner.destroy();
  await proxy.proxy.stop();
  for (const stub of stubs) await stub.kill();
  await test.close();
});

const connected = async (port: number): Promise<RawClient> => {
  const c = new RawClient(port);
  await c.call('mining.subscribe', []);
  await c.authorise('owner.rig');
  return c;
};
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

/** Sends shares until `stub` gets one; the miner keeps its connection. */
async function minesFor(stub: StubUpstream): Promise<void> {
  const before = stub.submits.length;
  await eventually(
    async () => {
      await miner.submit();
      return stub.submits.length > before;
    },
    `a share for ${urlOf(stub)}`,
  );
  expect(miner.closed).toBe(false);
}

it('a held change moves no miner until the hold is over, or it is cancelled', async () => {
  const holds = every(20, () => endDueHolds(test.database.pool, changes, test.bus), silent, 'not ended');
  await minesFor(standard);
  const [one, two] = [await save('one', first, 'right'), await save('two', second, 'x')];
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
  miner = await connected(proxy.port);
  await minesFor(first);
  await test.database.pool.query('update pool_hold set until = now()');
  await minesFor(second);

  await take(await save('three', first, 'right'));
  await minesFor(second);
  expect((await call('DELETE', 'poolHold')).status).toBe(200);
  await minesFor(second);
  expect((await list()).map(({ name }) => name)).toEqual(['two']);
  await holds.stop();
});

it("a sub-account's own port opens when an admin assigns it, and closes when it is removed", async () => {
  const edit = (proxyPort: number | null): Promise<Answer> =>
    admin.put(`/api/admin/subAccounts/?id=${account}`, { proxyPort });
  expect((await edit(outsidePort)).status).toBe(200);
  await eventually(() => proxy.proxy.ownPorts().length === 1, 'the port');
  const other = new RawClient(outsidePort);
  await other.call('mining.subscribe', []);
  expect(await other.authorise('owner.second')).toBe(true);
  expect((await owner.read<Connection[]>('/api/connectionInfo/'))[0]).toMatchObject({
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

describe('accounts that are deleted or disabled while their miners are connected', () => {
  const { stub, proxyOf, join, mine } = stratumForEach();
  let upstream: StubUpstream;
  let closing: TestProxy;

  /** `closedMs`: how often the proxy checks for accounts that another process closed. */
  async function setUp(
    closedMs: number,
    submit?: () => undefined,
    ownPools?: StratumProxyOptions['ownPools'],
  ): Promise<void> {
    upstream = await stub({ submit });
    closing = await proxyOf([upstream.target], {
      directory: pgAccountDirectory(test.database.pool, changes),
      limits: { closedMs },
      ...(ownPools && { ownPools }),
    });
  }
  const come = (name: string): Promise<RawClient> => join(closing.port, name);
  const enters = (name: string): Promise<RawClient> => mine(closing.port, name);
  const disable = async (userName: string, disabled: boolean): Promise<void> => {
    const [user] = await test.rows<{ id: number }>('select id from app_user where user_name = $1', [userName]);
    const answer = await admin.put(`/api/users/?id=${user?.id}`, { disabled });
    expect(answer.status).toBe(200);
  };
  const NEVER = 2 ** 31 - 1;

  it('disabling a user ends its connections at once, after the pending share; other users are not affected', async () => {
    await setUp(NEVER, () => undefined);
    for (const name of ['anna', 'boris']) await test.person(name);
    const [anna, second, boris] = [await enters('anna.rig'), await enters('anna.other'), await enters('boris.rig')];
    const verdict = anna.submit();
    await eventually(() => upstream.submits.length === 1, 'the share at the upstream');
    await disable('anna', true);
    await second.ended();
    // It sends no further shares, and the pending one is answered.
    anna.send('{"id":"late","method":"mining.ping","params":[]}\n');
    const { id } = JSON.parse(upstream.lines.find((line) => line.includes('mining.submit')) ?? '{}') as { id: number };
    upstream.send({ id, result: true, error: null });
    expect(await verdict).toBe(true);
    await anna.ended();
    expect(anna.lines.some((line) => line.id === 'late')).toBe(false);
    expect(closing.sink.count('accepted')).toBe(1);
    expect((await boris.call('mining.ping', [])).result).toBe('pong');
    expect(await (await come('anna.rig')).authorise('anna.rig')).toBe(24);
    await disable('anna', false);
    await enters('anna.rig');
  });

  it("deleting a sub-account ends its connections at once, not those of its owner's other ones", async () => {
    await setUp(NEVER);
    const clara = await test.person('clara');
    const made = (await clara.post('/api/subAccounts/', { name: 'clara-two' })).body as SubAccount;
    const [first, two] = [await enters('clara.rig'), await enters('clara-two.rig')];
    expect((await clara.del(`/api/subAccounts/${made.id}`)).status).toBe(200);
    await two.ended();
    expect((await first.call('mining.ping', [])).result).toBe('pong');
    expect(await (await come('clara-two.rig')).authorise('clara-two.rig')).toBe(24);
  });

  it('an account closed by another process is noticed in the database', async () => {
    await setUp(50);
    await test.person('dora');
    const dora = await enters('dora.rig');
    await test.database.pool.query("update app_user set disabled = true where user_name = 'dora'");
    await dora.ended();
    expect(await (await come('dora.rig')).authorise('dora.rig')).toBe(24);
  });

  it('miners of a closed account stay with its own pool until they are disconnected', async () => {
    const { pool } = test.database;
    const own = await stub();
    const lists = pgPoolLists(pool, secrets, changes, silent);
    const read = jest.spyOn(lists, 'find');
    await setUp(NEVER, undefined, {
      lists,
      outbound: { resolve: async (address) => [{ address, family: 4 }] },
    });
    const { userId } = await test.person('eva');
    await pool.query(sql`
      with e as (select id from sub_account where name = 'eva'),
        p as (insert into pool_config (user_id, name, algorithm, url, user_name)
              values (${userId}, 'Mine', 'SHA256_ASICBOOST', ${own.target.url}, 'eva') returning id)
      insert into sub_account_pool_config (sub_account_id, pool_config_id, algorithm, priority, enabled)
      select e.id, p.id, 'SHA256_ASICBOOST', 1, true from e, p`);
    const eva = await enters('eva.rig');
    const closed = "update sub_account set deleted_at = now() where name = 'eva' returning id";
    const { id } = (await pool.query<{ id: number }>(closed)).rows[0]!;
    changes.lists([id]);
    expect(await read.mock.results.at(-1)?.value).toBeNull();
    expect(await eva.submit()).toBe(true);
    expect(closing.sink.shares.map(({ ownPool }) => ownPool)).toEqual([true]);
    expect(upstream.submits).toEqual([]);
  });
});

it('a list that was told of and changed again untold is told of, once', async () => {
  const { pool } = test.database;
  const { userId } = await test.person('fay');
  const id = await test.accountId('fay');
  const snapshot = new Snapshot({ file: '/nonexistent/snapshot.json', database: 'test', log: silent, everyMs: 10 });
  const lists = pgPoolLists(pool, secrets, changes, silent, snapshot);
  const namesOf = async (): Promise<unknown> => (await lists.find(id, 'SHA256_ASICBOOST'))?.map(({ name }) => name);
  snapshot.follow(pool, changes);
  expect(await namesOf()).toEqual([]);
  await pool.query(sql`
    with p as (insert into pool_config (user_id, name, algorithm, url, user_name)
               values (${userId}, 'Mine', 'SHA256_ASICBOOST', 'stratum+tcp://pool.test:3333', 'fay') returning id)
    insert into sub_account_pool_config (sub_account_id, pool_config_id, algorithm, priority, enabled)
    select ${id}, p.id, 'SHA256_ASICBOOST', 1, true from p`);
  changes.lists([id]);
  expect(await namesOf()).toEqual(['Mine']);
  const told: number[] = [];
  const stop = changes.onLists((ids) => told.push(...ids));
  await pool.query(sql`update sub_account_pool_config set enabled = false where sub_account_id = ${id}`);
  await eventually(() => told.includes(id), 'the change that nobody told');
  expect(await namesOf()).toEqual([]);
  stop();
  await snapshot.stop();
  expect(told).toEqual([id]);
});
