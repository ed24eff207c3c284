/** Strangers who mine in an account's name: limits on what they can do, and the password that keeps them out. */
import { connect } from 'node:net';
import type { Connection } from '@pool/shared/api/contract';
import { testApp, type Answer, type Person, type TestApp } from '../http/testing/test-app';
import { pgAccountDirectory } from '../stratum';
import { hashMinerPassword, isMinerPassword } from '../stratum/miner/access/miner-password';
import { RawClient, testProxy, type TestProxy } from '../stratum/testing/test-proxy';
import { StubUpstream } from '../stratum/testing/upstream';
import { PoolChanges } from '../stratum/pool-changes';

const PASSWORD = 'a long secret'.replaceAll(' ', '-');
const BAD_NONCE = 'bad00000';
const changes = new PoolChanges();
let test: TestApp;
let owner: Person;
let proxy: TestProxy;
let upstream: StubUpstream;
const clients: RawClient[] = [];

beforeAll(async () => {
  upstream = await new StubUpstream({
    submit: ([, , , , nonce]) =>
      nonce === BAD_NONCE ? { result: null, error: [23, 'low', null] } : { result: true, error: null },
  }).start();
  test = await testApp({ changes });
  owner = await test.person('owner');
});
afterAll(async () => {
  await upstream.kill();
  await test.close();
});
beforeEach(async () => {
  proxy = await testProxy([upstream.target], {
    directory: pgAccountDirectory(test.database.pool, changes),
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy.proxy.stop();
});

const connectFrom = (localAddress: string): RawClient => {
  const made = new RawClient(connect({ port: proxy.port, host: '127.0.0.1', localAddress }));
  clients.push(made);
  return made;
};
async function authorise(name: string, password: string, localAddress = '127.0.0.1'): Promise<RawClient | null> {
  const c = connectFrom(localAddress);
  await c.call('mining.subscribe', []);
  return (await c.call('mining.authorize', [name, password])).result === true ? c : null;
}
async function submit(c: RawClient, name: string, nonce: string): Promise<unknown> {
  const job = (await c.notification('mining.notify')).params?.[0];
  return (await c.call('mining.submit', [name, job, '00000001', '65000000', nonce])).result;
}
const setPassword = (password: string | null, who = owner): Promise<Answer> =>
  who.put('/api/minerPassword/?accountName=owner', { password });
const shown = async (): Promise<boolean | undefined> =>
  ((await owner.call('/api/connectionInfo/')).body as Connection[])[0]?.passwordSet;

it('counts at most as many rejects of a connection as it had accepted shares before', async () => {
  const c = await authorise('owner.rig', 'x', '127.0.0.2');
  if (!c) throw new Error('refused');
  for (let n = 0; n < 20; n += 1) expect(await submit(c, 'owner.rig', BAD_NONCE)).toBeNull();
  expect(proxy.sink.shares).toEqual([]);
  expect(await submit(c, 'owner.rig', '00000001')).toBe(true);
  for (const en2 of ['00000002', '00000003']) {
    const job = (await c.notification('mining.notify')).params?.[0];
    await c.call('mining.submit', ['owner.rig', job, en2, '65000000', BAD_NONCE]);
  }
  expect(proxy.sink.shares.map(({ outcome }) => outcome)).toEqual(['accepted', 'rejected']);
});

it('the miner password keeps strangers out; only the owner sets it, nobody can read it', async () => {
  expect(await shown()).toBe(false);
  const before = await authorise('owner.rig', 'x');
  expect((await setPassword(PASSWORD)).body).toEqual({ passwordSet: true });
  await before?.ended();
  expect(await shown()).toBe(true);
  for (const wrong of ['x', '', `${PASSWORD}x`, PASSWORD.slice(0, -1)])
    expect(await authorise('owner.rig', wrong)).toBeNull();
  const right = await authorise('owner.rig', `d=1024,${PASSWORD}`);
  if (!right) throw new Error('refused');
  // With the right password it is the owner's worker, so all its rejects count.
  await submit(right, 'owner.rig', BAD_NONCE);
  expect(proxy.sink.count('rejected')).toBe(1);

  const stranger = await test.person('stranger');
  expect((await setPassword(null, stranger)).status).toBe(404);
  expect((await setPassword('too short')).status).toBe(400);
  expect((await setPassword('with a space and more')).status).toBe(400);
  const { rows } = await test.database.pool.query<{ all: string }>(
    `select json_agg(x)::text as all
     from (
       select s.miner_password, a.action, a.before, a.after
       from sub_account s
       join audit a on a.subject = s.name
       where s.name = 'owner' and a.action = 'sub_account.miner_password'
     ) x`,
  );
  expect(rows[0]?.all).toContain('"passwordSet": true');
  expect(rows[0]?.all).not.toContain(PASSWORD);
  expect((await setPassword(null)).body).toEqual({ passwordSet: false });
  expect(await authorise('owner.rig', 'x')).not.toBeNull();
});

it('the hash is salted, and the whole password must match', () => {
  const stored = hashMinerPassword(PASSWORD);
  expect(stored).not.toBe(hashMinerPassword(PASSWORD));
  expect([PASSWORD, `${PASSWORD},d=5`, `D=5,${PASSWORD}`].map((given) => isMinerPassword(stored, given))).toEqual([
    true,
    true,
    true,
  ]);
  for (const given of [undefined, null, 5, {}, '', stored, `${PASSWORD},x`])
    expect(isMinerPassword(stored, given)).toBe(false);
  for (const broken of ['', ':', 'a:b']) expect(isMinerPassword(broken, PASSWORD)).toBe(false);
});
