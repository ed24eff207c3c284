/** Upstream pools over HTTP: the library, the lists, and the attacks on them. */
import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import pino from 'pino';
import type { PoolConfig, SubAccountPoolConfig } from '@pool/shared/api/contract';
import { ownerOf, renewPasswords } from '../pool/pool-configs';
import { PoolChanges } from '../pool/pool-changes';
import { pgPoolLists } from '../pool/pool-lists';
import type { PoolStatus, PoolTarget, PoolTest } from '../pool/types';
import { Secrets } from '../secrets';
import { allHandlers } from './routes';
import { poolConfigRoutes } from './routes/pool-configs';
import { testApp, type Answer, type Person, type TestApp } from './testing';

const FAIL_MS = 250;
const KEYS = [randomBytes(32), randomBytes(32)] as const;
const PASSWORD = 'correct-horse-pool-password';
const base = { algorithm: 'SHA256_ASICBOOST', url: 'stratum+tcp://pool.example:3333', user: 'wallet.rig', password: PASSWORD };

let test: TestApp;
let owner: Person;
let stranger: Person;
let account: number;
let second: number;
let foreignAccount: number;
const secrets = new Secrets([KEYS[0]]);
const changes = new PoolChanges();
const told: (readonly number[])[] = [];
let portsTold = 0;
const status = new Map<number, PoolStatus>();
let verdict: (target: PoolTarget) => Promise<PoolTest> = async () => 'ok';

const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> => (await test.database.pool.query<T>(text, values)).rows;
const config = (answer: Answer) => answer.body as PoolConfig;
const list = (answer: Answer) => answer.body as SubAccountPoolConfig[];
const save = (who: Person, body: object): Promise<Answer> => who.call('/api/poolConfigs/', { method: 'POST', body });
const made = async (who: Person, name: string, more: object = {}): Promise<number> => {
  const answer = await save(who, { ...base, name, ...more });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return config(answer).id;
};
const add = (who: Person, subAccountId: number, poolConfigId: number): Promise<Answer> => who.call(`/api/subAccountPoolConfigs?subAccountId=${subAccountId}`, { method: 'POST', body: { poolConfigId } });
const read = async (subAccountId: number): Promise<SubAccountPoolConfig[]> => list(await owner.call(`/api/subAccountPoolConfigs?subAccountId=${subAccountId}`));
const reorder = (who: Person, entries: { id: number; algo?: string; subAccountId?: number }[]): Promise<Answer> =>
  who.call('/api/subAccountPoolConfigs/reorder', { method: 'PUT', body: { reorderedConfigs: entries.map((entry) => ({ algo: 'SHA256_ASICBOOST', subAccountId: account, ...entry })) } });

beforeAll(async () => {
  test = await testApp({
    secrets, changes,
    stratum: { poolStatus: () => status, testPool: (target) => verdict(target) },
    handlers: (deps) => ({ ...allHandlers(deps), ...poolConfigRoutes(deps, { failMs: FAIL_MS }) }),
  });
  owner = await test.person('owner');
  stranger = await test.person('stranger');
  second = ((await owner.call('/api/subAccounts/', { method: 'POST', body: { name: 'owner-two' } })).body as { id: number }).id;
  const id = async (name: string) => (await query<{ id: number }>('select id from sub_account where name = $1', [name]))[0]?.id ?? 0;
  [account, foreignAccount] = [await id('owner'), await id('stranger')];
  changes.onLists((ids) => told.push(ids));
  changes.onPorts(() => { portsTold += 1; });
});
beforeEach(async () => {
  await query('delete from sub_account_pool_config');
  await query('delete from pool_config');
  told.length = 0;
  status.clear();
});
afterAll(() => test.close());

describe('the library', () => {
  it('keeps a password, and shows nobody what it is', async () => {
    const answer = await save(owner, { ...base, name: 'Main' });
    expect(answer.body).toEqual({ id: expect.any(Number), name: 'Main', algorithm: base.algorithm, url: base.url, user: base.user, passwordSet: true, uses: 0 });
    const { id } = config(answer);
    const all = await owner.call('/api/poolConfigs');
    expect(all.body).toEqual([answer.body]);
    const change = await owner.call(`/api/poolConfigs/${id}`, { method: 'PUT', body: { password: `${PASSWORD}-2`, name: 'Primary' } });
    expect(change.body).toMatchObject({ name: 'Primary', passwordSet: true });
    const [row] = await query<{ password: string }>('select password from pool_config');
    expect(row?.password.startsWith(`${secrets.keyId}:`)).toBe(true);
    expect(secrets.open(row?.password ?? '', ownerOf(owner.userId))).toBe(`${PASSWORD}-2`);
    const written = JSON.stringify(await query('select * from audit')) + JSON.stringify(await query('select * from pool_config')) + answer.text + all.text + change.text;
    expect(written).toContain('pool_config.update');
    expect(written).not.toContain(PASSWORD);
    expect(written).not.toContain(Buffer.from(PASSWORD).toString('base64url').slice(0, 20));
    expect((await owner.call(`/api/poolConfigs/${id}`, { method: 'PUT', body: { password: null } })).body).toMatchObject({ passwordSet: false });
    expect((await owner.call(`/api/poolConfigs/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await owner.call('/api/poolConfigs/')).body).toEqual([]);
  });

  it('sends a stored password to no other address: that needs it again', async () => {
    const id = await made(owner, 'Main');
    const put = (body: object) => owner.call(`/api/poolConfigs/${id}`, { method: 'PUT', body });
    for (const url of ['stratum+tcp://thief.example:3333', 'stratum+tcp://pool.example:4444', 'stratum+ssl://pool.example:3333']) {
      const refused = await put({ url });
      expect([refused.status, refused.code]).toEqual([400, 'password_required']);
    }
    expect(config(await put({ url: 'stratum+tcp://POOL.example.:3333', user: 'other' }))).toMatchObject({ url: base.url, user: 'other' });
    expect(config(await put({ url: 'stratum+ssl://pool.example:443', password: 'new' }))).toMatchObject({ url: 'stratum+ssl://pool.example:443', passwordSet: true });
    expect(config(await put({ url: 'stratum+tcp://free.example:3333', password: null }))).toMatchObject({ passwordSet: false });
  });

  it.each([
    [{ name: '' }], [{ name: 'a\u202eb' }], [{ algorithm: 'X11' }], [{ url: 'http://pool.example:80' }], [{ url: 'stratum+tcp://pool.example' }], [{ url: 'stratum+tcp://user:pw@pool.example:1' }],
    [{ url: 'stratum+tcp://pool.example:3333/x' }], [{ url: 'stratum+tcp://pool.example:0' }], [{ url: `stratum+tcp://${'a'.repeat(400)}:1` }], [{ user: 'two words' }], [{ user: 'a\nb' }], [{ user: '' }],
    [{ password: 'a\u0000b' }], [{ password: 'a\nb' }], [{ password: 1 }], [{ password: 'a'.repeat(201) }], [{ userId: 1 }], [{ id: 1 }], [{ passwordSet: true }],
  ])('%j: 400', async (wrong) => {
    const answer = await save(owner, { ...base, name: 'Wrong', ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain(PASSWORD);
    expect(await query('select 1 from pool_config')).toEqual([]);
  });

  it('has one of a name, and at most 50', async () => {
    const first = await made(owner, 'Pool 0');
    expect((await save(owner, { ...base, name: 'Pool 0' })).code).toBe('pool_name_taken');
    await query("insert into pool_config (user_id, name, algorithm, url, user_name) select $1, 'Pool ' || n, 'SCRYPT', 'stratum+tcp://a.example:1', 'u' from generate_series(1, 49) n", [owner.userId]);
    expect((await owner.call(`/api/poolConfigs/${first}`, { method: 'PUT', body: { name: 'Pool 1' } })).code).toBe('pool_name_taken');
    const more = await save(owner, { ...base, name: 'One more' });
    expect([more.status, more.code]).toEqual([409, 'too_many_pools']);
    expect((await save(stranger, { ...base, name: 'Pool 0' })).status).toBe(200);
  });

  it('keeps what is in a list: deleting it, or giving it another algorithm, is refused', async () => {
    const id = await made(owner, 'Used');
    await add(owner, second, id);
    const refused = await owner.call(`/api/poolConfigs/${id}`, { method: 'DELETE' });
    expect([refused.status, refused.code]).toEqual([409, 'pool_in_use']);
    expect(refused.text).toContain('owner-two');
    expect((await owner.call(`/api/poolConfigs/${id}`, { method: 'PUT', body: { algorithm: 'SCRYPT' } })).code).toBe('pool_in_use');
    expect((await owner.call('/api/poolConfigs/')).body).toMatchObject([{ uses: 1, algorithm: base.algorithm }]);
  });

  it('tells the proxy of every list an edited pool is in, once it is committed', async () => {
    const id = await made(owner, 'Used');
    await add(owner, account, id);
    await add(owner, second, id);
    told.length = 0;
    await owner.call(`/api/poolConfigs/${id}`, { method: 'PUT', body: { user: 'other.rig' } });
    expect(told.map((ids) => [...ids].sort())).toEqual([[account, second].sort()]);
    await owner.call(`/api/poolConfigs/${id}`, { method: 'PUT', body: { url: 'stratum+tcp://thief.example:1' } });
    expect(told).toHaveLength(1);
  });
});

describe('the lists', () => {
  let pools: number[];
  beforeEach(async () => {
    pools = [await made(owner, 'One'), await made(owner, 'Two'), await made(owner, 'Three'), await made(owner, 'Scrypt', { algorithm: 'SCRYPT' })];
    for (const id of pools) await add(owner, account, id);
  });
  const names = async () => (await read(account)).map(({ algo, priority, name }) => `${algo} ${priority} ${name}`);
  const SCRYPT = 'SCRYPT 1 Scrypt';
  const order = async (...wanted: string[]) => expect(await names()).toEqual([SCRYPT, ...wanted.map((name, i) => `SHA256_ASICBOOST ${i + 1} ${name}`)]);

  it('are per algorithm, in order, and all of them without a sub-account', async () => {
    await order('One', 'Two', 'Three');
    await add(owner, second, pools[0] ?? 0);
    expect(list(await owner.call('/api/subAccountPoolConfigs'))).toHaveLength(5);
    expect((await stranger.call('/api/subAccountPoolConfigs')).body).toEqual([]);
    expect(told).toHaveLength(5);
    expect(told.at(-1)).toEqual([second]);
  });

  it('take a pool once, and at most ten', async () => {
    expect((await add(owner, account, pools[0] ?? 0)).code).toBe('pool_in_list');
    for (let n = 4; n <= 10; n += 1) expect((await add(owner, account, await made(owner, `Pool ${n}`))).status).toBe(200);
    expect((await add(owner, account, await made(owner, 'Eleventh'))).code).toBe('list_full');
  });

  it('are switched, moved, shortened and replaced', async () => {
    const [, one, two, three] = await read(account);
    const put = (id: number | undefined, body: object) => owner.call(`/api/subAccountPoolConfigs/${id}`, { method: 'PUT', body });
    expect(list(await put(two?.id, { enabled: false })).find((row) => row.id === two?.id)).toMatchObject({ enabled: false, state: 'disabled', priority: 2 });
    await put(three?.id, { priority: 1 });
    await order('Three', 'One', 'Two');
    await put(three?.id, { priority: 50 });
    await order('One', 'Two', 'Three');
    await owner.call(`/api/subAccountPoolConfigs/${one?.id}`, { method: 'DELETE' });
    await order('Two', 'Three');
    const replaced = await owner.call(`/api/subAccountPoolConfigs?subAccountId=${account}`, { method: 'PUT', body: { algo: 'SHA256_ASICBOOST', configs: [{ poolConfigId: pools[2] }, { poolConfigId: pools[0], enabled: false }] } });
    expect(list(replaced).find((row) => row.name === 'Three')?.id).toBe(three?.id);
    await order('Three', 'One');
    expect((await owner.call(`/api/subAccountPoolConfigs?subAccountId=${account}`, { method: 'PUT', body: { algo: 'SHA256_ASICBOOST', configs: [{ poolConfigId: pools[3] }] } })).code).toBe('not_the_list');
    await order('Three', 'One');
    await owner.call(`/api/subAccountPoolConfigs?subAccountId=${account}`, { method: 'PUT', body: { algo: 'SHA256_ASICBOOST', configs: [] } });
    await order();
    expect((await query<{ action: string }>("select distinct action from audit where action like 'pool_list.%' order by 1")).map((row) => row.action)).toEqual(['pool_list.add', 'pool_list.change', 'pool_list.remove', 'pool_list.replace']);
  });

  it('row 5: a new order is exactly the pools of the list, or nothing', async () => {
    const [scrypt, one, two, three] = (await read(account)).map(({ id }) => id);
    const foreignPool = await made(stranger, 'Foreign');
    const [foreign] = list(await add(stranger, foreignAccount, foreignPool)).map(({ id }) => id);
    if (!scrypt || !one || !two || !three || !foreign) throw new Error('lists');
    for (const ids of [[one, two], [one, two, three, foreign], [one, two, foreign], [one, two, two], [one, two, three, three], [one, two, scrypt], [one, two, 999_999]]) {
      const refused = await reorder(owner, ids.map((id) => ({ id })));
      expect([ids, refused.status, refused.code]).toEqual([ids, 409, 'not_the_list']);
    }
    expect((await reorder(owner, [{ id: one }, { id: two }, { id: three, subAccountId: second }])).code).toBe('not_the_list');
    expect((await reorder(owner, [{ id: one }, { id: two }, { id: three, algo: 'SCRYPT' }])).code).toBe('not_the_list');
    const notMine = [{ id: foreign, subAccountId: foreignAccount }];
    expect((await reorder(owner, notMine)).text).toBe((await reorder(owner, [{ id: foreign, subAccountId: 999_999 }])).text);
    expect((await reorder(owner, notMine)).status).toBe(404);
    expect((await reorder(owner, [])).status).toBe(400);
    await order('One', 'Two', 'Three');
    told.length = 0;
    expect((await reorder(owner, [{ id: three }, { id: one }, { id: two }])).status).toBe(200);
    await order('Three', 'One', 'Two');
    expect(told).toEqual([[account]]);
  });

  it('many new orders at once leave one of them whole', async () => {
    const ids = (await read(account)).filter((row) => row.algo === 'SHA256_ASICBOOST').map(({ id }) => id);
    const [a = 0, b = 0, c = 0] = ids;
    const orders = [[a, b, c], [c, b, a], [b, a, c], [c, a, b]];
    const answers = await Promise.all([...orders, ...orders, ...orders].map((wanted) => reorder(owner, wanted.map((id) => ({ id })))));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const now = (await read(account)).filter((row) => row.algo === 'SHA256_ASICBOOST');
    expect(now.map((row) => row.priority)).toEqual([1, 2, 3]);
    expect(orders).toContainEqual(now.map(({ id }) => id));
  });

  it('row 3: foreign pools and places are not there, and stay', async () => {
    const [mine] = await read(account);
    const before = [await read(account), (await owner.call('/api/poolConfigs/')).body];
    const absent = (await stranger.call('/api/poolConfigs/999999', { method: 'DELETE' })).text;
    const attempts: [string, 'PUT' | 'DELETE' | 'POST' | 'GET', unknown?][] = [
      [`poolConfigs/${pools[0]}`, 'PUT', { name: 'Mine now' }], [`poolConfigs/${pools[0]}`, 'PUT', { url: 'stratum+tcp://thief.example:1' }], [`poolConfigs/${pools[0]}`, 'DELETE'], ['poolConfigs/test', 'POST', { id: pools[0] }],
      [`subAccountPoolConfigs?subAccountId=${account}`, 'GET'], [`subAccountPoolConfigs?subAccountId=${account}`, 'PUT', { algo: 'SCRYPT', configs: [] }],
      [`subAccountPoolConfigs/${mine?.id}`, 'PUT', { enabled: false }], [`subAccountPoolConfigs/${mine?.id}`, 'DELETE'],
    ];
    for (const [path, method, body] of attempts) {
      const answer = await stranger.call(`/api/${path}`, { method, ...(body === undefined ? {} : { body }) });
      expect([path, method, answer.status, answer.text]).toEqual([path, method, 404, absent]);
    }
    expect([await read(account), (await owner.call('/api/poolConfigs/')).body]).toEqual(before);
  });

  it('row 4: a list and its pools are of one owner', async () => {
    const foreignPool = await made(stranger, 'Foreign');
    expect((await add(owner, account, foreignPool)).status).toBe(404);
    expect((await add(owner, foreignAccount, pools[0] ?? 0)).status).toBe(404);
    expect((await add(stranger, foreignAccount, pools[0] ?? 0)).status).toBe(404);
    expect((await owner.call(`/api/subAccountPoolConfigs?subAccountId=${account}`, { method: 'PUT', body: { algo: 'SHA256_ASICBOOST', configs: [{ poolConfigId: foreignPool }] } })).status).toBe(404);
    await order('One', 'Two', 'Three');
    expect(await query('select 1 from sub_account_pool_config where sub_account_id = $1', [foreignAccount])).toEqual([]);
  });

  it('say how each pool is doing', async () => {
    const [, one, two, three] = await read(account);
    await owner.call(`/api/subAccountPoolConfigs/${three?.id}`, { method: 'PUT', body: { enabled: false } });
    const active: PoolStatus = { state: 'active', latencyMs: 12.5, lastError: null, lastSwitchAt: 1_795_000_000, rejectRate: 0.25 };
    status.set(one?.id ?? 0, active);
    status.set(three?.id ?? 0, active);
    expect((await read(account)).slice(1)).toMatchObject([{ name: 'One', ...active }, { name: 'Two', state: 'standby', latencyMs: null, rejectRate: null }, { name: 'Three', state: 'disabled', latencyMs: null }]);
    await query('update pool_config set password = $2 where id = $1', [two?.poolConfigId, new Secrets([KEYS[1]]).seal('x', ownerOf(owner.userId))]);
    expect((await read(account))[2]).toMatchObject({ name: 'Two', state: 'auth_failed', lastError: expect.stringContaining('cannot be read') });
  });

  it('are given to the proxy best first, decrypted, without those that are switched off or whose key is missing', async () => {
    const [, one, two, three] = await read(account);
    await owner.call(`/api/subAccountPoolConfigs/${two?.id}`, { method: 'PUT', body: { enabled: false } });
    await owner.call(`/api/poolConfigs/${three?.poolConfigId}`, { method: 'PUT', body: { password: null } });
    const lines: string[] = [];
    const log = pino({ base: undefined }, { write: (line: string) => { lines.push(line); } });
    const found = await pgPoolLists(test.database.pool, secrets, changes, log).find(account, 'SHA256_ASICBOOST');
    expect(found).toEqual([
      { id: one?.id, algorithm: 'SHA256_ASICBOOST', name: 'One', url: base.url, host: 'pool.example', port: 3333, tls: false, user: 'wallet.rig', password: PASSWORD },
      expect.objectContaining({ id: three?.id, name: 'Three', password: 'x' }),
    ]);
    expect(lines).toEqual([]);
    const other = pgPoolLists(test.database.pool, new Secrets([KEYS[1]]), changes, log);
    expect((await other.find(account, 'SHA256_ASICBOOST')).map(({ name }) => name)).toEqual(['Three']);
    expect(lines.join()).toMatch(/encrypted with the key [0-9a-f]{16}.*left out/);
    expect(lines.join()).not.toContain(PASSWORD);
    expect(await other.find(second, 'SHA256_ASICBOOST')).toEqual([]);
  });

  it('are encrypted anew when the key was replaced', async () => {
    const [renewing, lost] = [new Secrets([KEYS[1], KEYS[0]]), new Secrets([KEYS[1]])];
    expect(await renewPasswords(test.database.pool, lost)).toEqual({ renewed: 0, unreadable: 4 });
    expect(await renewPasswords(test.database.pool, renewing)).toEqual({ renewed: 4, unreadable: 0 });
    expect(await renewPasswords(test.database.pool, renewing)).toEqual({ renewed: 0, unreadable: 0 });
    const found = await pgPoolLists(test.database.pool, lost, changes, pino({ level: 'silent' })).find(account, 'SCRYPT');
    expect(found).toMatchObject([{ password: PASSWORD }]);
  });

  it('go with their sub-account', async () => {
    const { id } = (await owner.call('/api/subAccounts/', { method: 'POST', body: { name: 'owner-three' } })).body as { id: number };
    const alone = await made(owner, 'Alone');
    await add(owner, id, alone);
    [told.length, portsTold] = [0, 0];
    expect((await owner.call(`/api/subAccounts/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect([told, portsTold]).toEqual([[[id]], 1]);
    expect((await owner.call(`/api/poolConfigs/${alone}`, { method: 'DELETE' })).status).toBe(200);
    expect((await owner.call(`/api/subAccountPoolConfigs?subAccountId=${id}`)).status).toBe(404);
  });
});

describe('where pools may be', () => {
  const HOSTS = [
    '127.0.0.1', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '127.0.0.1.', 'localhost', 'LocalHost.', 'x.localhost', '0.0.0.0', '0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254',
    '100.64.0.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[fc00::1]', '[fd00::1]', '[fe80::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[ff02::1]', '１２７.0.0.1',
  ];

  it(`row 49: ${HOSTS.length} hosts inside are refused in saving, editing and testing, and a listener there sees nobody`, async () => {
    let seen = 0;
    const canary = createServer((socket) => { seen += 1; socket.destroy(); }).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    const { port } = canary.address() as AddressInfo;
    // Whoever came this far would be connected to.
    verdict = (target) => new Promise((resolve) => {
      const socket = connect({ host: target.host, port: target.port });
      socket.on('error', () => resolve('refused')).on('connect', () => resolve('ok'));
    });
    try {
      const id = await made(owner, 'Outside');
      const people = await Promise.all([0, 1, 2, 3].map((n) => test.person(`prober-${n}`)));
      for (const [i, host] of HOSTS.entries()) {
        const url = `stratum+tcp://${host}:${port}`;
        const answers = [
          await save(owner, { ...base, name: 'Inside', url }), await owner.call(`/api/poolConfigs/${id}`, { method: 'PUT', body: { url, password: 'x' } }),
          await people[Math.floor(i / 9)]?.call('/api/poolConfigs/test', { method: 'POST', body: { ...base, url } }),
        ];
        expect([host, ...answers.map((answer) => [answer?.status, answer?.code])]).toEqual([host, ...[1, 2, 3].map(() => [422, 'upstream_not_allowed'])]);
      }
      expect(seen).toBe(0);
      expect(await query('select url from pool_config')).toEqual([{ url: base.url }]);
    } finally {
      await new Promise((resolve) => { canary.close(resolve); });
      verdict = async () => 'ok';
    }
  });

  it('row 49: a saved pool that has moved inside is not tested', async () => {
    const id = await made(owner, 'Moves');
    await query("update pool_config set url = 'stratum+tcp://192.168.1.1:3333' where id = $1", [id]);
    expect((await owner.call('/api/poolConfigs/test', { method: 'POST', body: { id } })).code).toBe('upstream_not_allowed');
  });
});

describe('testing a pool', () => {
  it('gives the proxy what is saved, or what is not yet', async () => {
    const seen: PoolTarget[] = [];
    verdict = async (target) => { seen.push(target); return 'auth_failed'; };
    const who = await test.person('tester');
    const id = await made(who, 'Saved');
    expect((await who.call('/api/poolConfigs/test', { method: 'POST', body: { id } })).body).toEqual({ result: 'auth_failed' });
    expect((await who.call('/api/poolConfigs/test', { method: 'POST', body: { algorithm: 'SCRYPT', url: 'stratum+ssl://Two.Example:443', user: 'me' } })).body).toEqual({ result: 'auth_failed' });
    expect(seen).toMatchObject([{ host: 'pool.example', port: 3333, tls: false, user: 'wallet.rig', password: PASSWORD }, { host: 'two.example', port: 443, tls: true, user: 'me', password: 'x', algorithm: 'SCRYPT' }]);
    await query('update pool_config set password = $2 where id = $1', [id, new Secrets([KEYS[1]]).seal('x', ownerOf(who.userId))]);
    expect((await who.call('/api/poolConfigs/test', { method: 'POST', body: { id } })).code).toBe('password_unreadable');
    expect((await who.call('/api/poolConfigs/test', { method: 'POST', body: { id, url: base.url } })).status).toBe(400);
  });

  it('row 50: refused and filtered are the same word after the same time; a pool that answers is told at once', async () => {
    const who = await test.person('scanner');
    const timed = async (result: PoolTest, afterMs: number) => {
      verdict = () => new Promise((resolve) => { setTimeout(() => resolve(result), afterMs); });
      const start = performance.now();
      const { status: code, body } = await who.call('/api/poolConfigs/test', { method: 'POST', body: { ...base, url: 'stratum+tcp://pool.example:1025' } });
      return { answer: [code, body], ms: performance.now() - start };
    };
    const [refused, filtered] = [await timed('refused', 1), await timed('timeout', FAIL_MS - 50)];
    expect([refused.answer, filtered.answer]).toEqual([[200, { result: 'refused' }], [200, { result: 'refused' }]]);
    for (const { ms } of [refused, filtered]) expect(ms).toBeGreaterThanOrEqual(FAIL_MS - 5);
    expect((await timed('ok', 1)).answer).toEqual([200, { result: 'ok' }]);
  });

  it('row 50: ten a minute', async () => {
    verdict = async () => 'ok';
    const who = await test.person('hasty');
    const answers = await Promise.all(Array.from({ length: 11 }, () => who.call('/api/poolConfigs/test', { method: 'POST', body: base })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect(answers.find((answer) => answer.status === 429)?.headers['retry-after']).toEqual(expect.any(String));
    expect((await stranger.call('/api/poolConfigs/test', { method: 'POST', body: base })).status).toBe(200);
  });
});
