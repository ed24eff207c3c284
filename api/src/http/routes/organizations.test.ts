/** Members of an organization: what each role may do, and the changes that another owner confirms. */
import { abilityFor } from '@pool/shared/ability';
import { contract, type Call, type Endpoint } from '@pool/shared/api/contract';
import type { OrganizationRole } from '@pool/shared/roles';
import { factsOf } from '../auth/account-limits';
import type { Principal } from '../auth/principal';
import { authorise } from '../auth/authorise';
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
const GRANTS: Record<string, [role: OrganizationRole, money: boolean, limited: boolean]> = {
  rich: ['viewer', true, false],
  limited: ['technician', false, true],
};
const calls = Object.keys(contract) as Call[];

const grantOf = (name: string): { role: OrganizationRole; money: boolean; accounts: number[] | null } => {
  const [role, money, limited] = GRANTS[name] ?? [name as OrganizationRole, false, false];
  return { role, money, accounts: limited ? [0] : null };
};

it.each(ROLES)('a call is for a %s who may read or manage its subject', (name) => {
  const ability = abilityFor({ role: 'miner', isLegacyUser: false, hasBot: true, member: factsOf(grantOf(name)) });
  const isLet = (call: Call): boolean => {
    try {
      authorise(contract[call], { ability, signedInAt: new Date() } as Principal);
      return true;
    } catch {
      return false;
    }
  };
  for (const call of calls) {
    const { who, requires }: Endpoint = contract[call];
    if (who === 'visitor' || !requires) continue;
    const right = rightOf(name, requires.subject);
    expect([call, isLet(call)]).toEqual([call, right === 'm' || (right === 'r' && requires.action === 'read')]);
  }
});

let test: TestApp;
beforeAll(async () => {
  test = await testApp();
});
afterAll(() => test.close());

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
type Request = { id: number; kind: string; by: string; own: boolean; about: Record<string, unknown> };

describe('a second owner', () => {
  let [farm, anna, max]: Person[] = [];
  let organizationId = '';
  let maxId = 0;
  const as = (person: Person | undefined): Person => {
    if (!person) throw new Error('not made');
    return person;
  };
  beforeAll(async () => {
    const { call } = await test.person('ranch');
    const made = await call('/api/organization', { method: 'POST', body: { name: 'The farm' } });
    organizationId = (made.body as { id: string }).id;
    farm = await test.actingIn('ranch', organizationId);
    for (const [name, role] of [
      ['anna', 'owner'],
      ['max', 'manager'],
    ] as const) {
      if (name === 'anna')
        // One owner alone cannot ask for a second one.
        expect(await want(farm, true)).toMatchObject({ status: 409, code: 'not_possible' });
      const { userId } = await test.person(name);
      if (name === 'max') maxId = userId;
      await test.database.pool.query(
        'insert into organization_member (id, organization_id, user_id, role) values ($1, $2, $3, $4)',
        [`orgmem_${name}`, organizationId, userId, role],
      );
    }
    anna = await test.actingIn('anna', organizationId);
    max = await test.actingIn('max', organizationId);
    expect(await want(farm, true)).toMatchObject({ status: 200, body: { organization: { secondOwner: true } } });
  });

  const want = (person: Person | undefined, wanted: boolean): Promise<Answer> =>
    as(person).call('/api/organization/secondOwner', { method: 'PUT', body: { wanted } });
  const requests = async (person: Person | undefined): Promise<Request[]> =>
    ((await as(person).call('/api/organization')).body as { organization: { requests: Request[] } }).organization
      .requests;
  const decide = async (person: Person | undefined, method: 'POST' | 'DELETE', id?: number): Promise<Answer> =>
    as(person).call(`/api/organization/requests/${id ?? (await requests(person))[0]?.id}`, { method });
  const waits = { status: 409, code: 'second_owner' };
  const wallet = async () => (await as(farm).call('/api/wallet/')).body;
  const logged = async () =>
    (
      await test.database.pool.query<{ action: string; member: string }>(
        `select a.action, u.user_name as member from audit a join app_user u on u.id = coalesce(a.member_id, a.user_id)
         where a.action like 'organization.%' or a.action like 'wallet.%' order by a.id desc limit 3`,
      )
    ).rows;

  it('confirms a payout address, which its asker cannot; the log names both', async () => {
    const set = { method: 'PUT', body: { btcAddress: ADDRESS } } as const;
    expect(await as(farm).call('/api/wallet/', { ...set, body: { btcAddress: 'wrong' } })).toMatchObject({
      status: 400,
    });
    expect(await as(farm).call('/api/wallet/?accountName=not-mine', set)).toMatchObject({ status: 404 });
    expect(await as(farm).call('/api/wallet/', set)).toMatchObject(waits);
    // The same again is one request.
    expect(await as(farm).call('/api/wallet/', set)).toMatchObject(waits);
    expect(await wallet()).toMatchObject({ btcAddress: null });
    expect(await requests(farm)).toMatchObject([
      { kind: 'address', by: 'ranch', own: true, about: { account: 'ranch', address: ADDRESS } },
    ]);
    expect(await decide(farm, 'POST')).toMatchObject({ status: 409, code: 'same_person' });
    expect(await decide(max, 'POST', (await requests(farm))[0]?.id)).toMatchObject({ status: 403 });
    const told = await as(anna).call('/api/notifications/');
    expect(JSON.stringify(told.body)).toContain('organization_request');
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200 });
    expect(await wallet()).toMatchObject({ btcAddress: ADDRESS });
    expect(await requests(anna)).toEqual([]);
    expect((await logged()).map(({ action, member }) => `${action} ${member}`)).toEqual([
      'organization.confirm anna',
      'wallet.change anna',
      expect.stringMatching(/^organization.request ranch/),
    ]);
  });

  it('confirms a pool of a manager, whose password nobody is shown; a refused change waits on', async () => {
    const { pool } = test.database;
    const make = (name: string) =>
      as(max).call('/api/poolConfigs/', { method: 'POST', body: { ...POOL, name, password: 'hunter2' } });
    expect(await make('braiins')).toMatchObject(waits);
    expect(await make('ocean')).toMatchObject(waits);
    expect((await requests(max)).map(({ own }) => own)).toEqual([true, true]);
    const shown = await as(anna).call('/api/organization');
    expect(JSON.stringify(shown.body)).toContain(POOL.url);
    const stored = JSON.stringify((await pool.query('select * from organization_request')).rows);
    expect(JSON.stringify(shown.body) + stored).not.toContain('hunter2');
    // Two owners at the same moment make one pool.
    const [first] = await requests(anna);
    const both = await Promise.all([decide(anna, 'POST', first?.id), decide(farm, 'POST', first?.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const pools = async () => (await as(max).call('/api/poolConfigs/')).body;
    expect(await pools()).toMatchObject([{ name: 'braiins', passwordSet: true }]);
    await pool.query("update pool_config set name = 'ocean'");
    expect(await decide(anna, 'POST')).toMatchObject({ status: 409, code: 'pool_name_taken' });
    expect(await requests(anna)).toMatchObject([{ about: { name: 'ocean' } }]);
    expect(await decide(max, 'DELETE')).toMatchObject({ status: 200 });
    expect(await requests(anna)).toEqual([]);
  });

  it('confirms the order of a list, with the names of its pools', async () => {
    const { pool } = test.database;
    const one = async (sql: string) => (await pool.query<{ id: number }>(sql)).rows[0]?.id;
    const id = await one('select id from pool_config');
    const account = await one("select id from sub_account where name = 'ranch'");
    const list = `/api/subAccountPoolConfigs?subAccountId=${account}`;
    expect(await as(max).call(list, { method: 'POST', body: { poolConfigId: 999 } })).toMatchObject({ status: 404 });
    expect(await as(max).call(list, { method: 'POST', body: { poolConfigId: id } })).toMatchObject(waits);
    expect(await requests(farm)).toMatchObject([
      { kind: 'list_add', by: 'max', own: false, about: { account: 'ranch', pools: ['ocean'] } },
    ]);
    expect(await decide(farm, 'POST')).toMatchObject({ status: 200 });
    const [place] = (await as(max).call(list)).body as { id: number }[];
    const change = await as(max).call(`/api/subAccountPoolConfigs/${place?.id}`, {
      method: 'PUT',
      body: { enabled: false },
    });
    expect(change).toMatchObject(waits);
    expect(await requests(farm)).toMatchObject([
      { kind: 'list_place', about: { account: 'ranch', pools: ['ocean'], enabled: false } },
    ]);
    expect(await decide(anna, 'DELETE')).toMatchObject({ status: 200 });
  });

  it('confirms members and invitations, whose link is shown to the one who confirms', async () => {
    const invite = { method: 'POST', body: { role: 'technician' } } as const;
    expect(await as(farm).call('/api/organization/invitations', invite)).toMatchObject(waits);
    expect((await decide(anna, 'POST')).body).toMatchObject({ link: expect.stringContaining('/invitation?token=') });
    const body = { role: 'viewer', money: true, accounts: null };
    expect(await as(anna).call(`/api/organization/members/${maxId}`, { method: 'PUT', body })).toMatchObject(waits);
    expect(await requests(farm)).toMatchObject([{ kind: 'member', about: { name: 'max', grant: body } }]);
    expect(await as(farm).call(`/api/organization/members/${maxId}`, { method: 'DELETE' })).toMatchObject(waits);
    expect(await decide(anna, 'POST', (await requests(anna))[1]?.id)).toMatchObject({ status: 200 });
    // What asks for more than is there any more is refused, and can be declined.
    expect(await decide(farm, 'POST')).toMatchObject({ status: 404 });
    expect(await decide(farm, 'DELETE')).toMatchObject({ status: 200 });
  });

  it('is given up with a second owner only, and not asked for while there is no other who can sign in', async () => {
    expect(await want(farm, false)).toMatchObject(waits);
    expect(await as(farm).call('/api/account', { method: 'DELETE' })).toMatchObject(waits);
    await test.database.pool.query("update app_user set disabled = true where user_name = 'anna'");
    expect(await want(farm, false)).toMatchObject({ status: 200, body: { organization: { secondOwner: false } } });
  });

  it('confirms the end of the account, after which the two act for themselves', async () => {
    const { pool } = test.database;
    await pool.query("update app_user set disabled = false where user_name = 'anna'");
    await pool.query('delete from organization_request');
    expect(await want(farm, true)).toMatchObject({ status: 200 });
    expect(await as(farm).call('/api/account', { method: 'DELETE' })).toMatchObject(waits);
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200, body: { organization: null } });
    expect((await pool.query('select id from organization')).rows).toEqual([]);
    await as(farm).renew(true);
    expect((await as(farm).call('/api/organization')).body).toEqual({ organization: null });
  });
});

describe('roles', () => {
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
      const { role, money, accounts } = grantOf(name);
      await pool.query(
        `insert into organization_member (id, organization_id, user_id, role, money, accounts)
         values ($1, $2, $3, $4, $5, $6)`,
        [`orgmem_${name}`, organizationId, userId, role, money, accounts && [hallOf('hall-b')]],
      );
      people[name] = await test.actingIn(name, organizationId);
    }
  });

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

  const MONEY = /sat|btc|usd|price|balance|earn|fee|payout|address/i;
  const keysOf = (value: unknown): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, inner]) => [...(inner === null ? [] : [key]), ...keysOf(inner)]);

  it.each(['technician', 'viewer', 'limited'])('no answer to a %s has a sum in it', async (role) => {
    expect(await ask(as(role), 'POST /watchers')).toMatchObject({ status: 403, code: 'forbidden' });
    for (const call of calls.filter((each) => each.startsWith('GET ') && contract[each].who !== 'visitor')) {
      const answer = await ask(as(role), call);
      expect([call, answer.status < 500]).toEqual([call, true]);
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
    expect((await viewer.call('/api/getUserInfo/')).code).toBe('not_member');
    await viewer.renew(true);
    expect((await viewer.call('/api/getUserInfo/')).body).toMatchObject({ user: { userName: 'viewer' } });
  });
  const idOf = async (name: string): Promise<number> =>
    (await test.database.pool.query<{ id: number }>('select id from app_user where user_name = $1', [name])).rows[0]
      ?.id ?? 0;
});
