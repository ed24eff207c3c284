/** Every route of the contract against everybody who might ask (security.md 1, 6, 7, 10, 12). */
import { contract, type Call, type Endpoint } from '@pool/shared/api/contract';
import { startOfDay, dayOf } from '../pool/prices';
import { testApp, type Answer, type Person, type TestApp } from './testing';

/** The parameter of a route that names an account. */
const ACCOUNT_PARAMETER: Partial<Record<Call, string>> = {
  'GET /proxyHashchart/': 'userName', 'GET /proxyLiveHashchart/': 'userName', 'GET /getLiveHashrates/': 'subAccountName', 'GET /liveWorkers/': 'userName',
  'GET /getWorkerCount/': 'subAccountName', 'GET /payment/': 'currentAccount', 'GET /paymentsHistory/': 'accountName', 'GET /earnings/monthly': 'accountName',
  'GET /getSubAccountBalance/': 'subAccountName', 'GET /connectionInfo/': 'userName', 'GET /upstreams': 'userName', 'GET /wallet/': 'accountName',
};
/** Bodies that are in order but change little; each caller gets one of its own. */
const BODIES: Partial<Record<Call, (who: Person) => unknown>> = {
  'POST /subAccounts/': (who) => ({ name: `${who.name || 'nobody'}-second` }),
  'POST /calculatePayments/': () => ({}),
  'POST /referral/code': () => ({}),
  'POST /referral/activate': () => ({ referralCode: 'NOSUCHCODE' }),
  'POST /notifications/read': () => ({}),
};
const calls = Object.keys(contract) as Call[];

describe('access', () => {
  let test: TestApp;
  let people: Record<'visitor' | 'owner' | 'stranger' | 'admin' | 'legacy', Person>;
  let workerId: number;
  let foreignWorkerId: number;

  beforeAll(async () => {
    test = await testApp();
    people = {
      visitor: test.visitor, owner: await test.person('owner'), stranger: await test.person('stranger'),
      admin: await test.person('boss', { role: 'admin' }), legacy: await test.person('oldtimer', { isLegacyUser: true }),
    };
    const now = Math.floor(Date.now() / 1000);
    await test.work(['owner', 'stranger', 'oldtimer', 'boss'].flatMap((account) => [0, 1, 2].map((i) => ({ account, at: now - 120 - i * 60, accepted: 1e6 }))));
    await test.work([{ account: 'owner', at: startOfDay(dayOf(now)) - 3600, accepted: 1e9, span: 3600 }]);
    const id = async (account: string) => (await test.database.pool.query<{ id: number }>('select w.id from worker w join sub_account s on s.id = w.sub_account_id where s.name = $1', [account])).rows[0]?.id ?? 0;
    workerId = await id('owner');
    foreignWorkerId = await id('stranger');
  });
  afterAll(() => test.close());

  const ask = (who: Person, call: Call, query = ''): Promise<Answer> => {
    const [method, path = ''] = call.split(' ') as ['GET' | 'POST', string];
    return who.call(`/api${path.replace('{id}', String(workerId))}${query}`, { method, ...(method === 'POST' ? { body: BODIES[call]?.(who) } : {}) });
  };

  describe.each(calls)('%s', (call) => {
    const { who, response }: Endpoint = contract[call];
    // One's own worker by its id: nobody else's route.
    const ofOneWorker = call.includes('{id}');
    // In order, but about nothing that is there.
    const answered = call === 'POST /referral/activate' ? 404 : 200;

    it('lets in whom it should, and answers as it promises', async () => {
      const expected: Record<keyof typeof people, number> = {
        visitor: who === 'visitor' ? answered : 401,
        owner: who === 'admin' ? 403 : answered,
        stranger: who === 'admin' ? 403 : ofOneWorker ? 404 : answered,
        admin: answered,
        legacy: who === 'admin' ? 403 : ofOneWorker ? 404 : answered,
      };
      for (const [name, person] of Object.entries(people) as [keyof typeof people, Person][]) {
        const answer = await ask(person, call);
        expect([name, answer.status]).toEqual([name, expected[name]]);
        if (answer.status === 200) expect(response.safeParse(answer.body).error).toBeUndefined();
        else expect(answer.headers['content-type']).toContain('application/problem+json');
      }
    });

    it('answers without the trailing slash as with it', async () => {
      const [method, path = ''] = call.split(' ') as ['GET' | 'POST', string];
      const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
      const answer = await people.visitor.call(`/api${other.replace('{id}', '1')}`, { method, ...(method === 'POST' ? { body: {} } : {}) });
      expect(answer.status).toBe(who === 'visitor' ? 200 : 401);
    });

    const parameter = ACCOUNT_PARAMETER[call];
    if (!parameter) return;
    it('shows own accounts only: foreign and absent ones are the same bytes', async () => {
      const own = await ask(people.owner, call, `?${parameter}=owner`);
      const foreign = await ask(people.owner, call, `?${parameter}=stranger`);
      const absent = await ask(people.owner, call, `?${parameter}=nobody-at-all`);
      const byAdmin = await ask(people.admin, call, `?${parameter}=owner`);
      const absentForAdmin = await ask(people.admin, call, `?${parameter}=nobody-at-all`);
      expect([own.status, foreign.status, absent.status, byAdmin.status, absentForAdmin.status]).toEqual([200, 404, 404, 200, 404]);
      expect(foreign.text).toBe(absent.text);
      const same = ({ headers }: Answer) => ({ ...headers, 'x-request-id': '', date: '' });
      expect(same(foreign)).toEqual(same(absent));
    });
  });

  it('knows every parameter that names an account', () => {
    const names = ['userName', 'subAccountName', 'accountName', 'currentAccount'];
    for (const call of calls) {
      const query = (contract[call] as Endpoint).query?.shape ?? {};
      expect([call, names.find((name) => name in query)]).toEqual([call, ACCOUNT_PARAMETER[call]]);
    }
  });

  it('does not find a foreign worker', async () => {
    const foreign = await people.owner.call(`/api/workers/${foreignWorkerId}/hashchart`);
    const absent = await people.owner.call('/api/workers/999999/hashchart');
    expect([foreign.status, absent.status]).toEqual([404, 404]);
    expect(foreign.text).toBe(absent.text);
    expect((await people.admin.call(`/api/workers/${foreignWorkerId}/hashchart`)).status).toBe(200);
  });

  it.each(['/api/%75sers/', '/api/users', '/api//users', '/api/USERS/', '/api/./users/', '/API/users/', '/api/users/%2e%2e/users/'])('lets no miner in by spelling: %s', async (path) => {
    expect([403, 404]).toContain((await people.owner.call(path)).status);
  });

  it('takes no role from a token, and none from a body', async () => {
    const [header, payload = '', signature] = people.owner.token.split('.');
    const forged = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), role: 'admin', unsafe_metadata: { role: 'admin' } })).toString('base64url');
    const answer = await test.visitor.call('/api/users/', { headers: { authorization: `Bearer ${header}.${forged}.${signature}` } });
    expect(answer.status).toBe(401);
    expect((await people.owner.call('/api/subAccounts/', { method: 'POST', body: { name: 'more', role: 'admin' } })).status).toBe(400);
  });

  it('shows no e-mail of others, and only masked names, in the referral list', async () => {
    const code = (await people.owner.call('/api/referral/code', { method: 'POST', body: {} })).body as { code: string };
    expect((await people.stranger.call('/api/referral/activate', { method: 'POST', body: { referralCode: code.code } })).status).toBe(200);
    const list = await people.owner.call('/api/referral/list');
    expect(list.text).not.toContain('stranger');
    expect(list.text).not.toContain('@');
    expect(list.body).toEqual([expect.objectContaining({ name: 'st***r' })]);
  });

  it('ignores a disabled user', async () => {
    const gone = await test.person('gone');
    await test.database.pool.query("update app_user set disabled = true where user_name = 'gone'");
    expect((await gone.call('/api/getUserInfo/')).status).toBe(401);
  });
});
