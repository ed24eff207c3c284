/** Any user's pages, looked at by an admin: the header `X-View-As` on every call (security.md 8). */
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contract, type Call } from '@pool/shared/api/contract';
import { testApp, type Answer, type Person, type TestApp } from '../../testing/test-app';

const AS_OWNER = { 'x-view-as': 'owner' };
const calls = Object.keys(contract) as Call[];

describe('a request with X-View-As', () => {
  let test: TestApp;
  let admin: Person;
  let owner: Person;
  let key: string;

  const now = Math.floor(Date.now() / 1000);
  const send = (who: Person, call: Call, headers: Record<string, string> = AS_OWNER): Promise<Answer> => {
    const [method, path = ''] = call.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
    const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
    return who.call(`/api${path.replace(/\{\w+\}/, '1')}`, { method, headers, ...body });
  };
  const rows = async (text: string): Promise<object[]> => (await test.database.pool.query<object>(text)).rows;

  beforeAll(async () => {
    test = await testApp({ now: () => now, env: { REREAD_SECONDS: '1' } });
    admin = await test.person('boss', { role: 'admin' });
    owner = await test.person('owner');
    await test.person('chief', { role: 'admin' });
    const made = await owner.post('/api/apiKeys', { name: 'k', scopes: ['hashrate'] });
    key = (made.body as { token: string }).token;
    await test.work([
      { account: 'owner', at: now - 120, accepted: 1e6 },
      { account: 'boss', worker: 'secret', at: now - 120, accepted: 1e6 },
    ]);
  });
  afterAll(() => test.close());

  it.each(calls.filter((call) => !call.startsWith('GET ')))('%s: refused', async (call) => {
    const { status, code } = await send(admin, call);
    expect([status, code]).toEqual([403, 'view_as_read_only']);
  });

  // One hook refuses all calls.
  const some: Call[] = ['GET /wallet/', 'PUT /wallet/', 'GET /getPoolStatistics'];
  it.each(some)('%s: refused for everybody but admins', async (call) => {
    const byKey = { ...AS_OWNER, authorization: `Bearer ${key}` };
    expect([(await send(owner, call)).status, (await send(test.visitor, call)).status]).toEqual([403, 401]);
    expect([401, 403]).toContain((await send(test.visitor, call, byKey)).status);
  });

  const reads = calls.filter((call) => call.startsWith('GET ') && !call.includes('{'));
  it.each(reads)("%s: the user's own answer, with rights to read only", async (call) => {
    const own = await send(owner, call, {});
    const seen = await send(admin, call);
    const readOnly = (text: string): string =>
      text.replaceAll('"action":"manage"', '"action":"read"').replace(/"requestId":"[^"]*"/, '');
    expect([seen.status, readOnly(seen.text)]).toEqual([own.status, readOnly(own.text)]);
  });

  it('nothing was written but what was looked at', async () => {
    const looked = (await rows(
      `select distinct user_id, subject, after ->> 'call' as call from audit where action = 'view_as.read'`,
    )) as { user_id: number; subject: string; call: string }[];
    expect(new Set(looked.map(({ user_id, subject }) => `${user_id} ${subject}`))).toEqual(
      new Set([`${admin.userId} owner`]),
    );
    expect(looked.map(({ call }) => call)).toEqual(expect.arrayContaining(['/liveWorkers/', '/wallet/', '/audit']));
    // Public calls belong to no user.
    expect(looked.map(({ call }) => call)).not.toContain('/getPoolStatistics');
    expect(await rows("select 1 from audit where action <> 'view_as.read' and user_id <> " + owner.userId)).toEqual([]);
  });

  it('of an admin shows what that admin has as a miner', async () => {
    const headers = { 'x-view-as': 'chief' };
    expect((await send(admin, 'GET /users/', headers)).status).toBe(403);
    expect((await send(admin, 'GET /liveWorkers/', headers)).body).toMatchObject({ total: 0 });
  });

  it.each(['nobody-at-all', '', "' or 1=1", 'OWNER'])('for %j: there is no such user', async (name) => {
    expect((await send(admin, 'GET /wallet/', { 'x-view-as': name })).status).toBe(404);
  });

  it("streams the user's events, none of the admin's, until the admin loses the role", async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    const listen = (who: Person): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const headers = { host: 'pool.test:3000', authorization: `Bearer ${who.token}`, ...AS_OWNER };
        get({ port, host: '127.0.0.1', path: '/api/events', headers }, resolve).on('error', reject);
      });
    const refused = await listen(await test.signIn('owner'));
    expect(refused.statusCode).toBe(403);
    refused.destroy();
    const stream = await listen(await test.signIn('boss'));
    let text = '';
    const ended = new Promise<void>((done) => {
      stream.on('data', (data: Buffer) => (text += data.toString())).once('close', done);
    });
    const data = { algorithm: 'SHA256_ASICBOOST' } as const;
    test.bus.publish({ type: 'workers', data: { ...data, account: 'boss' } });
    test.bus.publish({ type: 'workers', data: { ...data, account: 'owner' } });
    await test.database.pool.query("update app_user set role = 'miner' where user_name = 'boss'");
    await ended;
    expect(text).toContain('"account":"owner"');
    expect(text).not.toContain('boss');
    // The role is read again every REREAD_SECONDS, and at once when it is taken in the pages.
    await test.database.pool.query("update app_user set role = 'admin' where user_name = 'boss'");
  });
});
