/** Watcher links and API keys (security.md 16, 19, 48). */
import { contract, type Call, type Endpoint } from '@pool/shared/api/contract';
import { testApp, type Answer, type Person, type TestApp } from '../../testing/test-app';

type Made = { id: number; token: string; prefix: string };
const SCOPES = ['hashrate', 'workers', 'earnings'] as const;

describe('watcher links and API keys', () => {
  const path = 'apiKeys';
  let test: TestApp;
  let owner: Person;
  let stranger: Person;

  beforeAll(async () => {
    test = await testApp({ env: { RATE_LIMIT: '100000' } });
    [owner, stranger] = [await test.person('owner', { role: 'admin' }), await test.person('stranger')];
    const now = Math.floor(Date.now() / 1000);
    await test.work([
      { account: 'owner', at: now - 120, accepted: 1e6 },
      { account: 'stranger', at: now - 120, accepted: 1e6 },
    ]);
  });
  beforeEach(() => test.database.pool.query('truncate access_token'));
  afterAll(() => test.close());

  const make = async (body: object = {}, who: Person = owner): Promise<Answer> =>
    who.post(`/api/${path}`, { name: 'the barn', scopes: SCOPES, ...body });
  const made = async (body: object = {}): Promise<Made> => (await make(body)).body as Made;
  const ask = (token: string, url: string, headers: Record<string, string> = {}): Promise<Answer> =>
    test.visitor.call(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  /** Separate addresses for tests that guess, so that they do not share a limit. */
  const from = async (remoteAddress: string, token: string, headers: Record<string, string> = {}): Promise<number> =>
    (
      await test.app.inject({
        url: '/api/hashchart/',
        remoteAddress,
        headers: { host: 'pool.test:3000', authorization: `Bearer ${token}`, ...headers },
      })
    ).statusCode;

  it('is shown once, stored as a hash, recognised by its first characters', async () => {
    const answer = await make();
    const { token, ...rest } = answer.body as Made;
    expect(token).toMatch(/^pk_[\w-]{32}$/);
    expect((await owner.post('/api/watchers', { name: 'x', scopes: SCOPES })).body).toMatchObject({
      token: expect.stringMatching(/^wt_[\w-]{32}$/) as string,
    });
    expect(rest).toMatchObject({
      name: 'the barn',
      prefix: token.slice(0, 8),
      scopes: SCOPES,
      lastUsedAt: null,
      expiresAt: null,
    });
    expect((await owner.call(`/api/${path}`)).body).toEqual([rest]);
    const dump = JSON.stringify([
      (await test.database.pool.query('select * from access_token')).rows,
      (await test.database.pool.query('select * from audit')).rows,
    ]);
    expect(dump).not.toContain(token);
    expect(dump).toContain(token.slice(0, 8));
  });

  it("reads its owner's data only, even when the owner is an admin", async () => {
    const { token } = await made();
    const own = await ask(token, '/api/liveWorkers/?userName=owner');
    expect(own.body).toMatchObject({ workers: [{ name: 'rig' }], total: 1 });
    const foreign = await ask(token, '/api/liveWorkers/?userName=stranger');
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe((await ask(token, '/api/liveWorkers/?userName=nobody-at-all')).text);
    expect((await ask(token, '/api/users/')).status).toBe(401);
  });

  const watcherCalls = (Object.keys(contract) as Call[]).filter((call) => contract[call].who === 'watcher');
  it.each(SCOPES)('with the scope %s allows the calls of that scope and no others', async (scope) => {
    const { token } = await made({ scopes: [scope] });
    for (const call of watcherCalls) {
      if (call.includes('{') || (contract[call] as Endpoint).scope === 'any') continue;
      const answer = await ask(token, `/api${call.slice(4)}`);
      const mine = (contract[call] as Endpoint).scope === scope;
      // 400: access granted, but the call needs parameters.
      expect([call, answer.code === 'scope_missing']).toEqual([call, !mine]);
      if (mine) expect([200, 400]).toContain(answer.status);
      else expect(answer.status).toBe(403);
    }
  });

  it('says what it shows: permissions of its scopes, own accounts, nothing of the owner, until it is revoked', async () => {
    const { token, id } = await made({ scopes: ['workers'] });
    const shown = await ask(token, '/api/watch');
    expect(shown.body).toEqual({
      userName: 'owner',
      isLegacyUser: false,
      scopes: ['workers'],
      expiresAt: null,
      rules: [
        { action: 'read', subject: 'workers' },
        { action: 'read', subject: 'sub-account-list' },
        { action: 'read', subject: 'algorithm-list' },
      ],
      subAccounts: [{ id: expect.any(Number), name: 'owner' }],
      remotes: [],
    });
    expect((await owner.call('/api/watch')).status).toBe(404);
    expect((await owner.del(`/api/${path}/${id}`)).status).toBe(200);
    expect((await ask(token, '/api/watch')).status).toBe(401);
  });

  it('is invalid once revoked, and only its owner can revoke it', async () => {
    const { id, token } = await made();
    expect((await ask(token, '/api/hashchart/')).status).toBe(200);
    const foreign = await stranger.del(`/api/${path}/${id}`);
    const absent = await stranger.del(`/api/${path}/999999`);
    expect([foreign.status, absent.status]).toEqual([404, 404]);
    expect(foreign.text).toBe(absent.text);
    expect((await ask(token, '/api/hashchart/')).status).toBe(200);
    expect((await owner.del(`/api/watchers/${id}`)).status).toBe(404);
    expect((await owner.del(`/api/${path}/${id}`)).body).toEqual({ revoked: true });
    expect((await ask(token, '/api/hashchart/')).status).toBe(401);
    expect((await owner.del(`/api/${path}/${id}`)).status).toBe(404);
    expect((await owner.call(`/api/${path}`)).body).toEqual([]);
  });

  it('is invalid after its expiry, and when its owner is disabled', async () => {
    const { id, token } = await made({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await ask(token, '/api/hashchart/')).status).toBe(200);
    await test.database.pool.query('update access_token set expires_at = now() where id = $1', [id]);
    const other = await made();
    await owner.del(`/api/${path}/${other.id}`); // forgets what was remembered
    expect(await from('10.1.0.1', token)).toBe(401);
    expect((await make({ expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(400);
  });

  it.each([[{ name: 'a\u202eb' }], [{ scopes: [] }], [{ scopes: ['write'] }]])(
    'is not made of %j: 400',
    async (body) => {
      await test.database.pool.query('truncate access_token');
      expect(
        (await owner.post(`/api/${path}`, { name: 'x', scopes: ['workers'], ...body })).status,
      ).toBeGreaterThanOrEqual(400);
      expect((await owner.call(`/api/${path}`)).body).toEqual([]);
    },
  );

  it('row 19: the 11th wrong one in a minute is 429, whatever its X-Forwarded-For', async () => {
    const codes: number[] = [];
    for (let i = 0; i < 11; i += 1)
      codes.push(await from('10.1.0.2', `pk_${String(i).padStart(32, 'x')}`, { 'x-forwarded-for': `203.0.113.${i}` }));
    expect(codes).toEqual([...Array<number>(10).fill(401), 429]);
    // A valid one still works from there.
    const { token } = await made();
    expect(await from('10.1.0.2', token)).toBe(200);
  });
});
