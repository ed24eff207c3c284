import { contract, type Endpoint } from '@pool/shared/api/contract';
import { KEEP_HEADER } from '@pool/shared/page-start';
import { testApp, type TestApp } from '../testing/test-app';
import { isKept } from './kept';

const kept = Object.entries(contract)
  .filter(([call, endpoint]) => isKept(call, endpoint))
  .map(([call]) => call);

test('browsers keep what pages show, and nothing of admins, keys, links, devices or logs', () => {
  expect(kept).toEqual(
    expect.arrayContaining(['GET /getUserInfo/', 'GET /payment/', 'GET /liveWorkers/', 'GET /hashchart/']),
  );
  expect(kept.filter((call) => !call.startsWith('GET '))).toEqual([]);
  expect(kept.filter((call) => /admin|userDashboard|users|audit|apiKeys|watch|telegram|closing/i.test(call))).toEqual(
    [],
  );
  const admins = Object.entries<Endpoint>(contract).flatMap(([call, { requires }]) =>
    requires?.action === 'manage' ? call : [],
  );
  expect(kept.filter((call) => admins.includes(call))).toEqual([]);
});

describe('answers', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app.close());

  test('name the user who may keep them; those of a watcher link, of a viewed user and personal ones of an open call name nobody', async () => {
    const owner = await app.person('owner');
    const mark = async (who: typeof owner, path: string, init?: Parameters<typeof owner.call>[1]) =>
      (await who.call(path, init)).headers[KEEP_HEADER];
    const own = await mark(owner, '/api/getUserInfo/');
    expect(own).toMatch(/^user_/);
    expect(await mark(owner, '/api/hashchart/')).toBe(own);
    expect(await mark(await app.person('other'), '/api/hashchart/')).not.toBe(own);
    expect(await mark(owner, '/api/audit')).toBeUndefined();
    expect(await mark(owner, '/api/homePrice/')).toBe('*');
    expect(await mark(owner, '/api/remotes')).toBeUndefined();
    const admin = await app.person('boss', { role: 'admin' });
    const viewed = await admin.call('/api/hashchart/', { headers: { 'x-view-as': 'owner' } });
    expect([viewed.status, viewed.headers[KEEP_HEADER]]).toEqual([200, undefined]);
    const made = await owner.post('/api/watchers', { name: 'wall', scopes: ['hashrate'] });
    const { token } = made.body as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    expect((await app.visitor.call('/api/hashchart/', { headers })).status).toBe(200);
    expect(await mark(app.visitor, '/api/hashchart/', { headers })).toBeUndefined();
  });
});
