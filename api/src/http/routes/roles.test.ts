/** Every call of the contract by every role of an organization, and by one that is limited to a sub-account. */
import { contract, type Call, type Endpoint } from '@pool/shared/api/contract';
import { testApp, type Answer, type Person, type TestApp } from '../testing/test-app';
import { POOL, WALK, type Things } from '../testing/walk';

/** Written a second time, apart from the table in shared: `m` manages, `r` reads, `-` neither. */
const MODEL = `
  subject       owner manager technician accountant viewer rich limited
  dashboard     m     m       r          r          r      r    r
  workers       m     m       m          r          r      r    m
  pools         m     m       r          -          -      -    r
  payments      m     r       -          m          -      r    -
  wallet        m     r       -          r          -      r    -
  referral      m     -       -          r          -      -    -
  account       m     m       r          r          r      r    r
  access        m     -       -          -          -      -    -
  webhooks      m     -       -          m          -      -    -
  log           m     -       -          -          -      -    -
  organization  m     r       r          r          r      r    r
  person        m     m       m          m          m      m    m
  settings      m     m       m          m          m      m    m
  admin         -     -       -          -          -      -    -
`;
const [HEAD = [], ...LINES] = MODEL.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const ROLES = HEAD.slice(1);
const rightOf = (role: string, subject: string): string =>
  LINES.find(([name]) => name === subject)?.[HEAD.indexOf(role)] ?? '-';

/** A viewer who sees money, and a technician of one hall. */
const GRANTS: Record<string, [role: string, money: boolean, limited: boolean]> = {
  rich: ['viewer', true, false],
  limited: ['technician', false, true],
};
const calls = Object.keys(contract) as Call[];

describe('roles', () => {
  let test: TestApp;
  const people: Record<string, Person> = {};
  /** One of the people by role. */
  const as = (role: string): Person => {
    const person = people[role];
    if (!person) throw new Error(role);
    return person;
  };
  let organizationId = '';
  let halls: { id: number; name: string }[] = [];
  let workers: { id: number; account: number }[] = [];

  beforeAll(async () => {
    test = await testApp();
    const { pool } = test.database;
    const founder = await test.person('farm');
    for (const name of ['hall-a', 'hall-b'])
      await founder.call('/api/subAccounts/', { method: 'POST', body: { name } });
    const now = Math.floor(Date.now() / 1000);
    await test.work(['farm', 'hall-a', 'hall-b'].map((account) => ({ account, at: now - 120, accepted: 1e6 })));
    const made = await founder.call('/api/organization', { method: 'POST', body: { name: 'The farm' } });
    organizationId = (made.body as { id: string }).id;
    halls = (
      await pool.query<{ id: number; name: string }>("select id, name from sub_account where name like 'hall-%'")
    ).rows;
    workers = (
      await pool.query<{ id: number; account: number }>('select id, sub_account_id as account from worker order by id')
    ).rows;
    people.owner = await test.actingIn('farm', organizationId);
    for (const name of ROLES.slice(1)) {
      const { userId } = await test.person(name);
      const [role, money, limited] = GRANTS[name] ?? [name, false, false];
      await pool.query(
        `insert into organization_member (id, organization_id, user_id, role, money, accounts)
         values ($1, $2, $3, $4, $5, $6)`,
        [`orgmem_${name}`, organizationId, userId, role, money, limited ? [hallOf('hall-b')] : null],
      );
      people[name] = await test.actingIn(name, organizationId);
    }
  });
  afterAll(() => test.close());

  const hallOf = (name: string): number => halls.find((hall) => hall.name === name)?.id ?? 0;
  const workerOf = (name: string): number => workers.find(({ account }) => account === hallOf(name))?.id ?? 0;
  const ask = (who: Person, call: Call, things: Partial<Things> = {}): Promise<Answer> => {
    const [method, path = ''] = call.split(' ');
    const all: Things = {
      pools: [],
      places: [],
      workerId: workerOf('hall-b'),
      accountId: hallOf('hall-b'),
      spareAccountId: 999_999,
      watcherId: 999_999,
      keyId: 999_999,
      strangerId: 999_999,
      telegramId: 999_999,
      webhookId: 999_999,
      pushId: 999_999,
      ...things,
    };
    const entry = WALK[call];
    const body = entry?.body?.(all, who);
    const at = path.replace(/\{\w+\}/, String(entry?.path?.(all) ?? 999_999));
    return who.call(`/api${at}${entry?.query?.(all)?.replace('userName=owner', 'userName=hall-b') ?? ''}`, {
      method: method as 'GET',
      ...(body === undefined ? {} : { body }),
    });
  };

  it.each(calls)('%s is for the roles of its subject', async (call) => {
    const { who, requires }: Endpoint = contract[call];
    // What ends the organization's life in the middle of the walk has a test of its own.
    if (who === 'visitor' || !requires || call === 'POST /organization/leave') return;
    for (const role of ROLES) {
      const right = rightOf(role, requires.subject);
      const isAllowed = right === 'm' || (right === 'r' && requires.action === 'read');
      const { status, code } = await ask(as(role), call);
      expect([role, status === 403, status < 500]).toEqual([role, !isAllowed, true]);
      if (!isAllowed) expect([role, code]).toEqual([role, 'forbidden']);
    }
  });

  const MONEY = /sat|btc|usd|price|balance|earn|fee|payout|address/i;
  const keysOf = (value: unknown): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, inner]) => [...(inner === null ? [] : [key]), ...keysOf(inner)]);

  it.each(['technician', 'viewer', 'limited'])('no answer to a %s has a sum in it', async (role) => {
    for (const call of calls.filter((each) => each.startsWith('GET ') && contract[each].who !== 'visitor')) {
      const answer = await ask(as(role), call);
      if (answer.status === 200)
        expect([call, keysOf(answer.body).filter((key) => MONEY.test(key))]).toEqual([call, []]);
    }
  });

  it('a role that is limited to one sub-account finds no other', async () => {
    const limited = as('limited');
    const names = ((await limited.call('/api/subAccounts/')).body as { subAccounts: { name: string }[] }).subAccounts;
    expect(names.map(({ name }) => name)).toEqual(['hall-b']);
    for (const call of calls.filter((each) => each.startsWith('GET '))) {
      const { who, query, requires }: Endpoint = contract[call];
      const field = ['userName', 'subAccountName', 'accountName', 'currentAccount'].find(
        (name) => name in (query?.shape ?? {}),
      );
      if (
        who === 'visitor' ||
        !field ||
        !requires ||
        rightOf('limited', requires.subject) === '-' ||
        call.includes('{')
      )
        continue;
      expect([call, (await limited.call(`/api${call.slice(4)}?${field}=hall-a`)).status]).toEqual([call, 404]);
    }
    const foreign = { accountId: hallOf('hall-a'), workerId: workerOf('hall-a') };
    for (const call of [
      'PUT /workers/{id}',
      'POST /workers/bulk',
      'POST /workerGroups/',
      'GET /workers/{id}/hashchart',
    ] as const) {
      expect([call, (await ask(limited, call, foreign)).status]).toEqual([call, 404]);
      expect([call, (await ask(limited, call)).status]).toEqual([call, 200]);
    }
  });

  it('the log names the person, under the organization', async () => {
    const id = workerOf('hall-b');
    await as('technician').call(`/api/workers/${id}`, { method: 'PUT', body: { alertLimit: 0.3 } });
    const july = { method: 'POST', body: { file: 'earnings-farm-2026-07-01-2026-07-31.csv' } } as const;
    expect(await as('accountant').call('/api/exports', july)).toMatchObject({ status: 200 });
    const { rows } = (await as('owner').call('/api/audit?userName=farm')).body as {
      rows: { action: string; userName: string; member?: string }[];
    };
    const newest = (wanted: string) => rows.find(({ action }) => action === wanted);
    expect(newest('worker.alert_limit')).toMatchObject({ userName: 'farm', member: 'technician' });
    expect(newest('organization.create')).toMatchObject({ member: 'farm' });
    expect(newest('export')).toMatchObject({ userName: 'farm', member: 'accountant', after: july.body });
  });

  it('an accountant makes, changes and deletes webhooks of money only', async () => {
    const url = 'https://hooks.example/pool';
    const make = async (role: string, event: string) =>
      as(role).call('/api/webhooks', { method: 'POST', body: { url, events: [event] } });
    expect(await make('accountant', 'offline')).toMatchObject({ status: 403 });
    const { id } = (await make('owner', 'offline')).body as { id: number };
    const own = (await make('accountant', 'payment')).body as { id: number };
    const body = { url, events: ['digest'] };
    const change = async (hook: number) =>
      (await as('accountant').call(`/api/webhooks/${hook}`, { method: 'PUT', body })).status;
    const remove = async (hook: number) =>
      (await as('accountant').call(`/api/webhooks/${hook}`, { method: 'DELETE' })).status;
    expect([await change(id), await remove(id), await change(own.id), await remove(own.id)]).toEqual([
      403, 403, 200, 200,
    ]);
  });

  it('a change of a list is told to each who may see it, and taken back once', async () => {
    const owner = as('owner');
    const make = async (name: string) =>
      (
        (await owner.call('/api/poolConfigs/', { method: 'POST', body: { ...POOL, name } })).body as {
          id: number;
        }
      ).id;
    const list = `/api/subAccountPoolConfigs?subAccountId=${hallOf('hall-a')}`;
    for (const name of ['first', 'second'])
      await owner.call(list, {
        method: 'PUT',
        body: { algo: POOL.algorithm, configs: [{ poolConfigId: await make(name), enabled: true }] },
      });
    const warned = async (role: string) =>
      (
        (await as(role).call('/api/notifications')).body as { notifications: { id: number; kind: string }[] }
      ).notifications.find(({ kind }) => kind === 'pools_changed')?.id;
    const undo = async (role: string) => {
      const body = { notification: await warned(role) };
      return (await as(role).call('/api/subAccountPoolConfigs/undo', { method: 'POST', body })).status;
    };
    expect([await warned('accountant'), await warned('limited')]).toEqual([undefined, undefined]);
    expect(await warned('technician')).toBeDefined();
    expect([await undo('manager'), await undo('owner')]).toEqual([200, 404]);
  });

  it('admins of the pool see an organization with its members, and the pages of one of them, read-only', async () => {
    const admin = await test.person('boss', { role: 'admin' });
    const asked = (path: string, person = 'technician') =>
      admin.call(`/api${path}`, { headers: { 'x-view-as': `farm~${person}` } });
    const { member, rules } = (await asked('/getUserInfo/')).body as { member: object; rules: { action: string }[] };
    expect(member).toMatchObject({ userName: 'technician', role: 'technician' });
    expect(rules.map(({ action }) => action)).not.toContain('manage');
    expect([(await asked('/payment/')).status, (await asked('/liveWorkers/')).status]).toEqual([403, 200]);
    expect((await asked('/liveWorkers/', 'boss')).status).toBe(404);
    const { rows } = (await admin.call('/api/users/?search=farm')).body as { rows: { organization?: object }[] };
    expect(rows.find(({ organization }) => organization)?.organization).toMatchObject({
      name: 'The farm',
      members: expect.arrayContaining([{ userName: 'technician', role: 'technician' }]) as object,
    });
  });

  it('a later sign-in goes on in the organization', async () => {
    const again = await test.signIn('accountant');
    expect((await again.call('/api/getUserInfo/')).body).toMatchObject({ member: { role: 'accountant' } });
  });

  it('a removed member acts alone from the next request on', async () => {
    const viewer = as('viewer');
    expect((await viewer.call('/api/getUserInfo/')).body).toMatchObject({
      user: { userName: 'farm' },
      member: { role: 'viewer' },
    });
    await as('owner').call(`/api/organization/members/${await idOf('viewer')}`, { method: 'DELETE' });
    expect((await viewer.call('/api/getUserInfo/')).body).toMatchObject({ user: { userName: 'viewer' } });
  });
  const idOf = async (name: string): Promise<number> =>
    (await test.database.pool.query<{ id: number }>('select id from app_user where user_name = $1', [name])).rows[0]
      ?.id ?? 0;
});
