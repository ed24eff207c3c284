/**
 * Every call of the contract, made by every kind of caller (security.md 1, 3, 6, 7, 10, 12), and while one after the
 * other of its statements fails. HEAVY=1: each way a statement can fail.
 */
import { contract, type Call, type Endpoint } from '@pool/shared/api/contract';
import { startOfDay, dayOf } from '../../platform/days';
import { FailingStatements } from '../../platform/db/testing/failing';
import { embeddedDatabase } from '../../platform/db/testing/test-database';
import { PoolChanges } from '../../stratum/pool-changes';
import { askSignIn, testApp, type Answer, type Person, type TestApp } from '../testing/test-app';
import { BROWSER, HOOK, POOL, WALK, type Things } from '../testing/walk';

/** Parameters that name an account. */
const ACCOUNT_PARAMETERS = ['userName', 'subAccountName', 'accountName', 'currentAccount'];
const calls = Object.keys(contract) as Call[];
const TELEGRAM = `
  insert into telegram_connection (user_id, events, token_hash, session_id, expires_at)
  select id, '{offline}', 'hash', 'session', now() + interval '1 hour' from app_user where user_name = $1
  returning id`;
const HEAVY = Boolean(process.env.HEAVY);
/** Statements of a call that fail. */
const FAILING = HEAVY ? Infinity : 2;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** Callers in the order of their requests: the owner is last, because some calls work only once. */
const PEOPLE = ['visitor', 'watcher', 'key', 'stranger', 'legacy', 'admin', 'owner'] as const;

describe('access', () => {
  let test: TestApp;
  let failing: FailingStatements;
  const changes = new PoolChanges();
  let people: Record<(typeof PEOPLE)[number], Person>;
  let things: Things;
  let old: Record<'owner' | 'admin', Person>;

  beforeAll(async () => {
    test = await testApp({ database: await embeddedDatabase(), changes });
    // Each caller is read again, and no sign-in is part of what fails: it would be repeated until it succeeds.
    failing = new FailingStatements(test.database.pool, async () => {
      changes.callers();
      for (const who of Object.values(people)) await who.renew();
    });
    const owner = await test.person('owner');
    const made = async (path: string, body: object): Promise<{ id: number; token: string }> =>
      (await owner.post(`/api/${path}`, body)).body as { id: number; token: string };
    const link = await made('watchers', { name: 'everything', scopes: ['hashrate', 'workers', 'earnings'] });
    const key = await made('apiKeys', { name: 'hashrate only', scopes: ['hashrate'] });
    const bearing = (token: string): Person => ({
      ...test.visitor,
      token,
      call: (path, request = {}) =>
        test.visitor.call(path, { ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } }),
    });
    people = {
      visitor: test.visitor,
      owner,
      stranger: await test.person('stranger'),
      watcher: bearing(link.token),
      key: bearing(key.token),
      admin: await test.person('boss', { role: 'admin' }),
      legacy: await test.person('oldtimer', { isLegacyUser: true }),
    };
    old = { owner: await test.oldSession('owner'), admin: await test.oldSession('boss') };
    const now = Math.floor(Date.now() / 1000);
    await test.work(
      ['owner', 'stranger', 'oldtimer', 'boss'].flatMap((account) =>
        [0, 1, 2].map((i) => ({ account, at: now - 120 - i * 60, accepted: 1e6 })),
      ),
    );
    await test.work([{ account: 'owner', at: startOfDay(dayOf(now)) - 3600, accepted: 1e9, span: 3600 }]);
    const id = async (text: string, account: string) =>
      (await test.database.pool.query<{ id: number }>(text, [account])).rows[0]?.id ?? 0;
    const worker = 'select w.id from worker w join sub_account s on s.id = w.sub_account_id where s.name = $1';
    const accountId = await id('select id from sub_account where name = $1', 'owner');
    const pools: number[] = [];
    for (const more of [{}, {}, { algorithm: 'SCRYPT' }, {}])
      pools.push((await made('poolConfigs/', { ...POOL, name: `Pool ${pools.length}`, ...more })).id);
    await made(`subAccountPoolConfigs?subAccountId=${accountId}`, { poolConfigId: pools[0] });
    const places = (
      (await made(`subAccountPoolConfigs?subAccountId=${accountId}`, { poolConfigId: pools[1] })) as unknown as {
        id: number;
      }[]
    ).map((place) => place.id);
    things = {
      pools,
      places,
      accountId,
      telegramId: await id(TELEGRAM, 'owner'),
      webhookId: (await made('webhooks', HOOK)).id,
      pushId: (await made('push', BROWSER)).id,
      workerId: await id(worker, 'owner'),
      strangerId: people.stranger.userId,
      spareAccountId: (await made('subAccounts/', { name: 'owner-spare' })).id,
      watcherId: (await made('watchers', { name: 'spare', scopes: ['workers'] })).id,
      keyId: (await made('apiKeys', { name: 'spare', scopes: ['workers'] })).id,
    };
  });
  afterAll(() => test.close());

  const ask = (who: Person, call: Call, query?: string, address?: string): Promise<Answer> => {
    const [method, path = ''] = call.split(' ') as [Method, string];
    const entry = WALK[call];
    const body = entry?.body?.(things, who);
    return who.call(
      ['/api', path.replace(/\{\w+\}/, String(entry?.path?.(things) ?? 999_999)), query ?? entry?.query?.(things)].join(
        '',
      ),
      { method, address, ...(body === undefined ? {} : { body }) },
    );
  };

  /** The refusal that the contract prescribes; null: allowed, and the call itself decides the response. */
  function expected(call: Call, name: (typeof PEOPLE)[number]): number | null {
    const { who, scope, requires }: Endpoint = contract[call];
    const { ofOwner, adminReads, status } = WALK[call] ?? {};
    // For calls without an entry in WALK only the access is checked, whatever the response is.
    const needsMore = !WALK[call] && (!call.startsWith('GET ') || call.includes('{'));
    const letIn = needsMore ? null : (status ?? 200);
    if (who === 'visitor') return letIn;
    if (name === 'visitor') return 401;
    // Only a link or key has something to show.
    if (scope === 'any') return name === 'watcher' || name === 'key' ? letIn : 404;
    if (name === 'watcher' || name === 'key')
      return who !== 'watcher' ? 401 : name === 'key' && scope !== 'hashrate' ? 403 : letIn;
    if (requires?.subject === 'admin') return name === 'admin' ? letIn : 403;
    return ofOwner && name !== 'owner' && !(adminReads && name === 'admin') ? 404 : letIn;
  }

  describe.each(calls)('%s', (call) => {
    const endpoint: Endpoint = contract[call];
    const { who, response, query, requires } = endpoint;

    it('allows the right callers, and responds as the contract says', async () => {
      const bytes = new Set<string>();
      for (const name of PEOPLE) {
        const isLast = name === (requires?.subject === 'admin' ? 'admin' : 'owner');
        const { good, bad } = isLast
          ? await failing.each(FAILING, HEAVY, (n) => ask(people[name], call, undefined, `10.0.0.${n}`))
          : { good: await ask(people[name], call), bad: [] };
        // What a call counts beside its answer may fail: then the call was made before the last try.
        const made = bad.find(({ status }) => status === (endpoint.status ?? 200));
        const answer = made ?? good;
        // What failed may also be a rollback: what was decided stands.
        for (const each of bad.filter(({ status }) => status !== answer.status))
          expect([name, each.status, each.headers['retry-after'], each.code]).toEqual([
            name,
            503,
            '5',
            expect.stringMatching(/^(?:database_unavailable|timeout)$/),
          ]);
        const wanted = (HEAVY && isLast && !made && WALK[call]?.repeated) || expected(call, name);
        if (wanted === null)
          expect([
            name,
            [401, 403].includes(answer.status) && answer.code !== 'reverification_required',
            answer.status < 500,
          ]).toEqual([name, false, true]);
        else expect([name, answer.status]).toEqual([name, wanted]);
        if (answer.status === (endpoint.status ?? 200))
          expect([name, response.safeParse(answer.body).error]).toEqual([name, undefined]);
        else
          expect([name, answer.status, answer.headers['content-type']]).toEqual([
            name,
            answer.status,
            expect.stringContaining('application/problem+json'),
          ]);
        if (answer.status === 404) bytes.add(answer.text);
      }
      expect(bytes.size).toBeLessThanOrEqual(1);
    });

    if (endpoint.sudo === true)
      it('needs a sign-in of the last ten minutes', async () => {
        const answer = await ask(requires?.subject === 'admin' ? old.admin : old.owner, call);
        expect([answer.status, answer.code]).toEqual([403, 'reverification_required']);
      });

    it('responds without the trailing slash as with it', async () => {
      const [method, path = ''] = call.split(' ') as [Method, string];
      const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
      const [answer, same] = await Promise.all(
        [other, path].map((each) =>
          test.visitor.call(`/api${each.replace(/\{\w+\}/, '1')}`, {
            method,
            ...(method === 'POST' || method === 'PUT' ? { body: {} } : {}),
          }),
        ),
      );
      expect(answer?.status).toBe(same?.status);
      if (who !== 'visitor') expect(answer?.status).toBe(401);
    });

    const parameter =
      call.startsWith('GET ') && requires && requires.subject !== 'admin' && call !== 'GET /audit'
        ? ACCOUNT_PARAMETERS.find((name) => name in (query?.shape ?? {}))
        : undefined;
    if (!parameter || call.includes('{')) return;
    it('row 1: shows own accounts only: the response for foreign and absent ones is the same', async () => {
      const own = await ask(people.owner, call, `?${parameter}=owner`);
      const foreign = await ask(people.owner, call, `?${parameter}=stranger`);
      const absent = await ask(people.owner, call, `?${parameter}=nobody-at-all`);
      const byAdmin = await ask(people.admin, call, `?${parameter}=owner`);
      const absentForAdmin = await ask(people.admin, call, `?${parameter}=nobody-at-all`);
      const byWatcher = await ask(people.watcher, call, `?${parameter}=stranger`);
      expect([
        own.status,
        foreign.status,
        absent.status,
        byAdmin.status,
        absentForAdmin.status,
        byWatcher.status,
      ]).toEqual([200, 404, 404, 200, 404, who === 'watcher' ? 404 : 401]);
      expect(foreign.text).toBe(absent.text);
      const same = ({ headers }: Answer) => ({ ...headers, 'x-request-id': '', date: '' });
      expect(same(foreign)).toEqual(same(absent));
    });
  });

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

  it.each(['/api/%75sers/', '/api//users', '/API/users/', '/api/users/%2e%2e/users/'])(
    'allows no miner by another spelling: %s',
    async (path) => {
      // /API/ is the address of a page, which is 503 before the first build.
      expect([403, 404, 503]).toContain((await people.owner.call(path)).status);
    },
  );

  it('shows no e-mail of others, and only masked names, in the referral list', async () => {
    const code = (await people.owner.post('/api/referral/code', {})).body as { code: string };
    expect((await people.stranger.post('/api/referral/activate', { referralCode: code.code })).status).toBe(200);
    const list = await people.owner.call('/api/referral/list');
    expect(list.text).not.toContain('stranger');
    expect(list.text).not.toContain('@');
    expect(list.body).toEqual([expect.objectContaining({ name: 'st***r' })]);
  });

  it.each(['127.0.0.1', 'user:word@hooks.example', 'hooks.example:25'])('row 49: no webhook at %s', async (place) => {
    const body = { url: `http://${place}/`, events: [] };
    expect((await people.owner.post('/api/webhooks', body)).code).toBe('webhook_not_allowed');
  });
});
