/**
 * Who may make which call, and whose data it shows (security.md 1, 3, 6-8, 10, 12, 16, 19, 48): users, watcher links
 * and API keys, admins who look at a user's pages.
 */
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { abilityFor, type AbilityFacts } from '@pool/shared/ability';
import { contract, type Call, type Endpoint } from '@pool/shared/api/contract';
import { KEEP_HEADER } from '@pool/shared/page-start';
import { startOfDay, dayOf } from '../../platform/days';
import { FailingStatements } from '../../platform/db/testing/failing';
import { PoolChanges } from '../../stratum/pool-changes';
import { isKept } from '../auth/kept';
import type { Principal } from '../auth/principal';
import type { Deps } from '../context/deps';
import { authorise } from '../auth/authorise';
import { registerContract, type Handlers } from '../auth/route';
import type { ZodApp } from '../server/server';
import { type Answer, appOfFile, askSignIn, bearing, type Person, personOfFile } from '../testing/test-app';
import { BROWSER, HOOK, POOL, WALK, type Things } from '../testing/walk';

const endpoints: Record<string, Endpoint> = contract;
const calls = Object.keys(contract) as Call[];
const reads = calls.filter((call) => call.startsWith('GET '));
const isAdmins = (call: Call): boolean => endpoints[call]?.requires?.subject === 'admin';

describe('what the contract says of a call', () => {
  const miner = { role: 'miner', isLegacyUser: false } as const;
  const admin = { role: 'admin', isLegacyUser: false } as const;
  const refused = (call: Call, facts: AbilityFacts, signedInAt = new Date()): string | undefined => {
    try {
      authorise(contract[call], { ability: abilityFor(facts), signedInAt } as Principal);
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  it('that writes is never allowed to a read-only ability', () => {
    expect(refused('GET /wallet/', { ...miner, readOnly: true })).toBeUndefined();
    const writes = calls.filter((call) => !call.startsWith('GET ') && contract[call].who !== 'visitor');
    expect(writes.filter((call) => !refused(call, { ...admin, readOnly: true }))).toEqual([]);
  });

  it('that is marked so needs a sign-in of the last ten minutes', () => {
    const marked = calls.filter((call) => endpoints[call]?.sudo === true);
    const old = new Date(Date.now() - 601_000);
    expect(marked.length).toBeGreaterThan(10);
    expect(
      marked.filter((call) => refused(call, { ...admin, hasBot: true }, old) !== 'reverification_required'),
    ).toEqual([]);
  });

  it('is there with a handler and a rule, or the server does not start', () => {
    const whole = Object.fromEntries(calls.map((call) => [call, () => null])) as unknown as Handlers;
    const boot = (handlers: object) => () =>
      registerContract(
        { route: () => undefined } as unknown as ZodApp,
        { principals: {} } as Deps,
        handlers as Handlers,
      );
    expect(boot({ ...whole, 'GET /hashchart/': undefined })).toThrow('GET /hashchart/ has no handler');
    expect(boot({ ...whole, 'GET /barn': () => null })).toThrow('not in the contract: GET /barn');
    const rule = { ...contract['GET /hashchart/'] };
    for (const [changed, lacks] of [
      [{ requires: undefined }, 'what it requires'],
      [{ scope: undefined }, 'which scope it needs'],
      [{ who: 'nobody' }, 'who may call it'],
    ] as const) {
      Object.assign(contract['GET /hashchart/'], changed);
      try {
        expect(boot(whole)).toThrow(`GET /hashchart/ does not say ${lacks}`);
      } finally {
        Object.assign(contract['GET /hashchart/'], rule);
      }
    }
    expect(boot(whole)).not.toThrow();
  });

  it('lets browsers keep what pages show, and nothing of admins, keys, links, devices or logs', () => {
    const kept = calls.filter((call) => isKept(call, contract[call]));
    expect(kept).toEqual(
      expect.arrayContaining(['GET /getUserInfo/', 'GET /payment/', 'GET /liveWorkers/', 'GET /hashchart/']),
    );
    const secret = /admin|userDashboard|users|audit|apiKeys|watch|telegram|closing/i;
    expect(
      kept.filter(
        (call) => !reads.includes(call) || secret.test(call) || endpoints[call]?.requires?.action === 'manage',
      ),
    ).toEqual([]);
  });
});

describe('callers', () => {
  let failing: FailingStatements;
  const changes = new PoolChanges();
  const now = Math.floor(Date.now() / 1000);
  // A fixed clock, so that two answers are equal to the byte.
  const test = appOfFile({ changes, now: () => now, env: { REREAD_SECONDS: '1' } });
  let visitor: Person;
  const owner = personOfFile(test, 'owner');
  const stranger = personOfFile(test, 'stranger');
  const legacy = personOfFile(test, 'oldtimer', { isLegacyUser: true });
  const admin = personOfFile(test, 'boss', { role: 'admin' });
  let things: Things;

  const rows = <T extends object>(text: string, ...values: unknown[]): Promise<T[]> => test.rows(text, values);

  beforeAll(async () => {
    visitor = test.visitor;
    // Each caller is read again, and no sign-in is part of what fails: it would be repeated until it succeeds.
    failing = new FailingStatements(test.database.pool, async () => {
      changes.callers();
      for (const who of [owner, admin]) await who.renew();
    });
    await test.work([
      ...['owner', 'stranger', 'oldtimer'].map((account) => ({ account, at: now - 120, accepted: 1e6 })),
      { account: 'boss', worker: 'secret', at: now - 120, accepted: 1e6 },
      { account: 'owner', at: startOfDay(dayOf(now)) - 3600, accepted: 1e9, span: 3600 },
    ]);
    const made = async (path: string, body: object): Promise<{ id: number }> =>
      (await owner.post(`/api/${path}`, body)).body as { id: number };
    const id = async (text: string) => (await rows<{ id: number }>(text, 'owner'))[0]?.id ?? 0;
    const accountId = await test.accountId('owner');
    const pools: number[] = [];
    for (const more of [{}, {}, { algorithm: 'SCRYPT' }, {}])
      pools.push((await made('poolConfigs/', { ...POOL, name: `Pool ${pools.length}`, ...more })).id);
    const list = `subAccountPoolConfigs?subAccountId=${accountId}`;
    for (const poolConfigId of pools.slice(0, 2)) await made(list, { poolConfigId });
    things = {
      pools,
      places: (await rows<{ id: number }>('select id from sub_account_pool_config order by id')).map((row) => row.id),
      accountId,
      telegramId: await id(
        `insert into telegram_connection (user_id, events, token_hash, session_id, expires_at)
         select id, '{offline}', 'hash', 'session', now() + interval '1 hour' from app_user where user_name = $1
         returning id`,
      ),
      webhookId: (await made('webhooks', HOOK)).id,
      pushId: (await made('push', BROWSER)).id,
      workerId: await id('select w.id from worker w join sub_account s on s.id = w.sub_account_id where s.name = $1'),
      strangerId: stranger.userId,
      spareAccountId: (await made('subAccounts/', { name: 'owner-spare' })).id,
      watcherId: (await made('watchers', { name: 'spare', scopes: ['workers'] })).id,
      keyId: (await made('apiKeys', { name: 'spare', scopes: ['workers'] })).id,
    };
  });

  const ask = (who: Person, call: Call, query?: string, address?: string): Promise<Answer> => {
    const [method, path = ''] = call.split(' ') as ['GET', string];
    const entry = WALK[call];
    const body = entry?.body?.(things, who);
    const at = path.replace(/\{\w+\}/, String(entry?.path?.(things) ?? 999_999));
    return who.call(`/api${at}${query ?? entry?.query?.(things) ?? ''}`, {
      method,
      address,
      ...(body === undefined ? {} : { body }),
    });
  };
  /** Whether the answer of a call is checked too. A write without an entry in WALK is only checked for its access. */
  const isWhole = (call: Call): boolean => Boolean(WALK[call]) || (reads.includes(call) && !call.includes('{'));

  it.each(calls)('%s allows the right callers, and responds as the contract says', async (call) => {
    const { who, scope, response, ...endpoint }: Endpoint = contract[call];
    const status = endpoint.status ?? 200;
    const { ofOwner, adminReads } = WALK[call] ?? {};
    const answers: [who: string, expected: number | null, answer: Answer][] = [];
    const wanted = isWhole(call) ? (WALK[call]?.status ?? 200) : null;
    if (who !== 'visitor') answers.push(['visitor', 401, await ask(visitor, call)]);
    if (isAdmins(call)) answers.push(['owner', 403, await ask(owner, call)]);
    if (ofOwner && !isAdmins(call)) {
      answers.push(['stranger', 404, await ask(stranger, call)]);
      answers.push(['admin', adminReads ? wanted : 404, await ask(admin, call)]);
    }
    // The last one, because some calls work only once. What a link shows is only there with a link.
    answers.push(['last', call === 'GET /watch' ? 404 : wanted, await ask(isAdmins(call) ? admin : owner, call)]);
    for (const [name, expected, answer] of answers) {
      if (expected !== null) expect([name, answer.status]).toEqual([name, expected]);
      else if (answer.code !== 'reverification_required') expect([401, 403]).not.toContain(answer.status);
      expect(answer.status).toBeLessThan(500);
      if (answer.status === status) expect(response.safeParse(answer.body).error).toBeUndefined();
      else expect(answer.headers['content-type']).toContain('application/problem+json');
    }
    expect(new Set(answers.flatMap(([, , { status: of, text }]) => (of === 404 ? text : []))).size).toBeLessThan(2);
  });

  it.each<Call>(['GET /payment/', 'PUT /wallet/', 'POST /workers/bulk', 'GET /users/'])(
    '%s whose statements fail, one after the other: 503 until none does',
    async (call) => {
      const last = isAdmins(call) ? admin : owner;
      const { good, bad } = await failing.each(Infinity, false, (n) => ask(last, call, undefined, `10.0.0.${n}`));
      expect([good.status, bad.length > 2]).toEqual([200, true]);
      for (const { status, headers, code } of bad.filter((each) => each.status !== 200))
        expect([status, headers['retry-after'], code]).toEqual([
          503,
          '5',
          expect.stringMatching(/^(?:database_unavailable|timeout)$/),
        ]);
    },
  );

  it('a sign-in whose statements fail, one after the other, and its connection: 503 until none does', async () => {
    const signIn = (n: number) => askSignIn(test.app, 'owner', `10.0.1.${n}`);
    const { good, bad } = await failing.each(Infinity, false, signIn);
    const { answer: lost } = await failing.during(2, 'lost', () => signIn(0));
    // What it counts beside its answer may fail.
    const refused = bad.filter(({ statusCode }) => statusCode !== good.statusCode);
    for (const { statusCode, headers, body } of [...refused, lost])
      expect([statusCode, headers['retry-after'], body]).toEqual([503, '5', expect.stringContaining('service_unav')]);
    expect(refused.length).toBeGreaterThan(10);
    expect(good.statusCode).toBe(200);
  });

  const ofAccounts = reads.flatMap((call) => {
    const { query, requires }: Endpoint = contract[call];
    const fields = ['userName', 'subAccountName', 'accountName', 'currentAccount'];
    const field = fields.find((name) => name in (query?.shape ?? {}));
    const isOne = field && requires && !isAdmins(call) && call !== 'GET /audit' && !call.includes('{');
    return isOne ? [[call, field] as const] : [];
  });
  it.each(ofAccounts)(
    'shows own accounts only: %s answers the same for foreign and absent ones',
    async (call, field) => {
      const foreign = await ask(owner, call, `?${field}=stranger`);
      const absent = await ask(owner, call, `?${field}=nobody-at-all`);
      const byAdmin = await ask(admin, call, `?${field}=owner`);
      expect([foreign.status, absent.status, byAdmin.status]).toEqual([404, 404, 200]);
      expect(foreign.text).toBe(absent.text);
      const same = ({ headers }: Answer) => ({ ...headers, 'x-request-id': '', date: '' });
      expect(same(foreign)).toEqual(same(absent));
    },
  );

  it.each(['/api/%75sers/', '/api//users', '/API/users/', '/api/users/%2e%2e/users/'])(
    'allows no miner by another spelling: %s',
    async (path) => {
      // /API/ is the address of a page, which is 503 before the first build.
      expect([403, 404, 503]).toContain((await owner.call(path)).status);
    },
  );

  it('responds without the trailing slash as with it', async () => {
    for (const path of ['/api/payment/', '/api/algorithms/', '/api/notifications/'])
      expect((await legacy.call(path)).text).toBe((await legacy.call(path.slice(0, -1))).text);
  });

  it('shows no e-mail of others, and only masked names, in the referral list', async () => {
    const code = (await owner.post('/api/referral/code', {})).body as { code: string };
    expect((await stranger.post('/api/referral/activate', { referralCode: code.code })).status).toBe(200);
    const list = await owner.call('/api/referral/list');
    expect(list.text).not.toMatch(/stranger|@/);
    expect(list.body).toEqual([expect.objectContaining({ name: 'st***r' })]);
  });

  it('no webhook at an inward address', async () => {
    const body = { url: 'http://127.0.0.1/', events: [] };
    expect((await owner.post('/api/webhooks', body)).code).toBe('webhook_not_allowed');
  });

  describe('a request with X-View-As', () => {
    const AS_OWNER = { 'x-view-as': 'owner' };
    const send = (who: Person, call: Call, headers: Record<string, string> = AS_OWNER): Promise<Answer> => {
      const [method, path = ''] = call.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
      return who.call(`/api${path}`, { method, headers, ...(method === 'GET' ? {} : { body: {} }) });
    };

    // One hook refuses the calls of users, another those of visitors.
    it.each<Call>(['PUT /wallet/', 'POST /requestBonus'])('%s: refused, as it writes', async (call) => {
      expect(await send(admin, call)).toMatchObject({ status: 403, code: 'view_as_read_only' });
    });

    it.each<Call>(['GET /wallet/', 'PUT /wallet/', 'GET /getPoolStatistics'])(
      '%s: refused for everybody but admins',
      async (call) => {
        const { token } = (await owner.post('/api/apiKeys', { name: 'k', scopes: ['hashrate'] })).body as Made;
        expect([(await send(owner, call)).status, (await send(visitor, call)).status]).toEqual([403, 401]);
        expect([401, 403]).toContain((await send(bearing(token, visitor), call)).status);
      },
    );

    it("shows the user's own answers, with rights to read only, and records each; nothing else is written", async () => {
      const readOnly = (text: string): string =>
        text.replaceAll('"action":"manage"', '"action":"read"').replace(/"requestId":"[^"]*"/, '');
      const [before] = await rows<{ id: number }>('select max(id) as id from audit');
      for (const call of reads.filter((each) => !each.includes('{') && !isAdmins(each))) {
        const own = await send(owner, call, {});
        const seen = await send(admin, call);
        expect([call, seen.status, readOnly(seen.text)]).toEqual([call, own.status, readOnly(own.text)]);
      }
      const looked = await rows<{ subject: string; call: string; action: string; who: number }>(
        "select user_id as who, action, subject, after ->> 'call' as call from audit where id > $1",
        before?.id,
      );
      const kinds = new Set(looked.map(({ who, action, subject }) => `${who} ${action} ${subject}`));
      expect([...kinds]).toEqual([`${admin.userId} view_as.read owner`]);
      const names = looked.map(({ call }) => call);
      expect(names).toEqual(expect.arrayContaining(['/subAccounts/', '/poolConfigs/', '/audit']));
      // Public calls belong to no user.
      expect(names).not.toContain('/getPoolStatistics');
    });

    it('of an admin shows what that admin has as a miner', async () => {
      await test.person('chief', { role: 'admin' });
      const headers = { 'x-view-as': 'chief' };
      expect((await send(admin, 'GET /users/', headers)).status).toBe(403);
      expect((await send(admin, 'GET /liveWorkers/', headers)).body).toMatchObject({ total: 0 });
    });

    it('of nobody is not found', async () => {
      expect((await send(admin, 'GET /wallet/', { 'x-view-as': 'nobody-at-all' })).status).toBe(404);
    });

    it("streams the user's events, none of the admin's, until the admin loses the role", async () => {
      await test.app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = test.app.server.address() as AddressInfo;
      const listen = async (name: string): Promise<IncomingMessage> => {
        const { token } = await test.signIn(name);
        return new Promise((resolve, reject) => {
          const headers = { host: 'pool.test:3000', authorization: `Bearer ${token}`, ...AS_OWNER };
          get({ port, host: '127.0.0.1', path: '/api/events', headers }, resolve).on('error', reject);
        });
      };
      const refused = await listen('owner');
      expect(refused.statusCode).toBe(403);
      refused.destroy();
      const stream = await listen('boss');
      let text = '';
      const ended = new Promise<void>((done) => {
        stream.on('data', (data: Buffer) => (text += data.toString())).once('close', done);
      });
      const data = { algorithm: 'SHA256_ASICBOOST' } as const;
      test.bus.publish({ type: 'workers', data: { ...data, account: 'boss' } });
      test.bus.publish({ type: 'workers', data: { ...data, account: 'owner' } });
      await rows("update app_user set role = 'miner' where user_name = 'boss'");
      await ended;
      expect(text).toContain('"account":"owner"');
      expect(text).not.toContain('boss');
      // The role is read again every REREAD_SECONDS, and at once when it is taken in the pages.
      await rows("update app_user set role = 'admin' where user_name = 'boss'");
      changes.callers();
    });
  });

  type Made = { id: number; token: string; prefix: string };
  describe('watcher links and API keys', () => {
    const SCOPES = ['hashrate', 'workers', 'earnings'] as const;
    const giver = personOfFile(test, 'giver', { role: 'admin' });
    beforeAll(async () => {
      await test.work([{ account: 'giver', at: now - 120, accepted: 1e6 }]);
    });
    beforeEach(() => rows('truncate access_token'));

    const make = (body: object = {}): Promise<Answer> =>
      giver.post('/api/apiKeys', { name: 'the barn', scopes: SCOPES, ...body });
    const made = async (body: object = {}): Promise<Made> => (await make(body)).body as Made;
    const ask = (token: string, url = '/api/hashchart/'): Promise<Answer> => bearing(token, visitor).call(url);
    const revoke = (id: number, who = giver, kind = 'apiKeys') => who.del(`/api/${kind}/${id}`);

    it('is shown once, stored as a hash, recognised by its first characters', async () => {
      const { token, ...rest } = await made();
      expect(token).toMatch(/^pk_[\w-]{32}$/);
      expect((await giver.post('/api/watchers', { name: 'x', scopes: SCOPES })).body).toMatchObject({
        token: expect.stringMatching(/^wt_[\w-]{32}$/) as string,
      });
      expect(rest).toMatchObject({
        name: 'the barn',
        prefix: token.slice(0, 8),
        scopes: SCOPES,
        lastUsedAt: null,
        expiresAt: null,
      });
      expect((await giver.call('/api/apiKeys')).body).toEqual([rest]);
      const dump = JSON.stringify([await rows('select * from access_token'), await rows('select * from audit')]);
      expect(dump).not.toContain(token);
      expect(dump).toContain(token.slice(0, 8));
    });

    it("reads its owner's data only, even when the owner is an admin", async () => {
      const { token } = await made();
      const own = await ask(token, '/api/liveWorkers/?userName=giver');
      expect(own.body).toMatchObject({ workers: [{ name: 'rig' }], total: 1 });
      const foreign = await ask(token, '/api/liveWorkers/?userName=stranger');
      expect(foreign.status).toBe(404);
      expect(foreign.text).toBe((await ask(token, '/api/liveWorkers/?userName=nobody-at-all')).text);
      expect((await ask(token, '/api/users/')).status).toBe(401);
    });

    const ofLinks = reads.filter((call) => contract[call].who === 'watcher' && !call.includes('{'));
    it.each(SCOPES)('with the scope %s allows the calls of that scope and no others', async (scope) => {
      const { token } = await made({ scopes: [scope] });
      for (const call of ofLinks) {
        const { scope: wanted }: Endpoint = contract[call];
        if (wanted === 'any') continue;
        const answer = await ask(token, `/api${call.slice(4)}`);
        expect([call, answer.code === 'scope_missing']).toEqual([call, wanted !== scope]);
        // 400: access granted, but the call needs parameters.
        expect(wanted === scope ? [200, 400] : [403]).toContain(answer.status);
      }
    });

    it('says what it shows: permissions of its scopes, own accounts, nothing of the owner, until it is revoked', async () => {
      const { token, id } = await made({ scopes: ['workers'] });
      expect((await ask(token, '/api/watch')).body).toEqual({
        userName: 'giver',
        isLegacyUser: false,
        scopes: ['workers'],
        expiresAt: null,
        rules: ['workers', 'sub-account-list', 'algorithm-list'].map((subject) => ({ action: 'read', subject })),
        subAccounts: [{ id: expect.any(Number), name: 'giver' }],
        remotes: [],
      });
      const foreign = await revoke(id, stranger);
      expect([foreign.status, foreign.text]).toEqual([404, (await revoke(999_999, stranger)).text]);
      expect((await revoke(id, giver, 'watchers')).status).toBe(404);
      expect((await ask(token, '/api/watch')).status).toBe(200);
      expect((await revoke(id)).body).toEqual({ revoked: true });
      expect((await ask(token, '/api/watch')).status).toBe(401);
      expect((await revoke(id)).status).toBe(404);
      expect((await giver.call('/api/apiKeys')).body).toEqual([]);
    });

    it('is invalid after its expiry', async () => {
      const { id, token } = await made({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
      expect((await ask(token)).status).toBe(200);
      await rows('update access_token set expires_at = now() where id = $1', id);
      changes.callers();
      expect((await ask(token)).status).toBe(401);
      expect((await make({ expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(400);
    });

    it('the 11th wrong one in a minute is 429, whatever its X-Forwarded-For', async () => {
      const from = async (token: string, headers = {}): Promise<number> =>
        (await bearing(token, visitor).call('/api/hashchart/', { address: '10.1.0.2', headers })).status;
      const codes: number[] = [];
      for (let i = 0; i < 11; i += 1)
        codes.push(await from(`pk_${String(i).padStart(32, 'x')}`, { 'x-forwarded-for': `203.0.113.${i}` }));
      expect(codes).toEqual([...Array<number>(10).fill(401), 429]);
      // A valid one still works from there.
      expect(await from((await made()).token)).toBe(200);
    });

    it('answers name the user who may keep them; of links, viewed users and personal ones of an open call for nobody', async () => {
      const mark = async (who: Person, path: string, headers = {}) =>
        (await who.call(path, { headers })).headers[KEEP_HEADER];
      const own = await mark(giver, '/api/getUserInfo/');
      expect(own).toMatch(/^user_/);
      expect(await mark(giver, '/api/hashchart/')).toBe(own);
      expect(await mark(stranger, '/api/hashchart/')).not.toBe(own);
      expect(await mark(giver, '/api/homePrice/')).toBe('*');
      const { token } = await made();
      expect([
        await mark(giver, '/api/audit'),
        await mark(giver, '/api/remotes'),
        await mark(giver, '/api/hashchart/', { 'x-view-as': 'stranger' }),
        await mark(bearing(token, visitor), '/api/hashchart/'),
      ]).toEqual([undefined, undefined, undefined, undefined]);
    });
  });
});
