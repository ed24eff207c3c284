/** Changes of an organization that another owner confirms. */
import type { WaitingChange } from '@pool/shared/api/contract';
import { type Answer, appOfFile, type Person } from '../testing/test-app';
import { POOL } from '../testing/walk';

const test = appOfFile();

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const OTHER = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
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
    const stored = JSON.stringify((await pool.query('select * from waiting_change')).rows);
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
      { kind: 'list_add', by: 'max', own: false, about: { pools: ['ocean'] } },
    ]);
    expect(await decide(farm, 'POST')).toMatchObject({ status: 200 });
    const [place] = (await as(max).call(list)).body as { id: number }[];
    const change = await as(max).call(`/api/subAccountPoolConfigs/${place?.id}`, {
      method: 'PUT',
      body: { enabled: false },
    });
    expect(change).toMatchObject(waits);
    expect(await requests(farm)).toMatchObject([{ kind: 'list_place', about: { pools: ['ocean'] } }]);
    expect(await decide(anna, 'DELETE')).toMatchObject({ status: 200 });
  });

  it('shows who confirms the lists as they will be in force, whole, and takes two to take them back', async () => {
    const { pool } = test.database;
    const one = async (sql: string) => (await pool.query<{ id: number }>(sql)).rows[0]?.id;
    const account = await one("select id from sub_account where name = 'ranch'");
    await pool.query(`insert into pool_config (user_id, name, algorithm, url, user_name)
      select user_id, 'evil', algorithm, 'stratum+tcp://evil.example:1', 'thief' from pool_config limit 1`);
    const [good, evil] = [
      await one("select id from pool_config where name = 'ocean'"),
      await one('select max(id) as id from pool_config'),
    ];
    const list = `/api/subAccountPoolConfigs?subAccountId=${account}`;
    const configs = [
      { poolConfigId: good, enabled: false },
      { poolConfigId: evil, enabled: true },
    ];
    const replace = { method: 'PUT', body: { algo: POOL.algorithm, configs } } as const;
    expect(await as(max).call(list, replace)).toMatchObject(waits);
    const place = { account: 'ranch', algorithm: POOL.algorithm, name: 'ocean', url: POOL.url, user: POOL.user };
    const shown = {
      before: { places: [{ ...place, enabled: true }] },
      after: {
        places: [
          { ...place, enabled: false },
          { ...place, name: 'evil', url: 'stratum+tcp://evil.example:1', user: 'thief', enabled: true },
        ],
      },
    };
    const waiting = async (person: Person | undefined) =>
      ((await as(person).call('/api/waiting')).body as { changes: WaitingChange[] }).changes;
    expect(await waiting(anna)).toMatchObject([{ kind: 'list', by: 'max', shown, mayConfirm: true, mayEnd: true }]);
    expect(await waiting(max)).toMatchObject([{ own: true, mayConfirm: false, mayEnd: true }]);
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200 });
    const places = async () => ((await as(max).call(list)).body as { name: string }[]).map(({ name }) => name);
    expect(await places()).toEqual(['ocean', 'evil']);

    const notification = await one(
      `select max(id) as id from notification where user_id = ${maxId} and kind = 'pools_changed'`,
    );
    const undo = { method: 'POST', body: { notification } } as const;
    expect(await as(max).call('/api/subAccountPoolConfigs/undo', undo)).toMatchObject(waits);
    expect(await waiting(anna)).toMatchObject([
      { kind: 'list_undo', shown: { before: shown.after, after: shown.before } },
    ]);
    expect(await decide(anna, 'DELETE')).toMatchObject({ status: 200 });

    // What is held was confirmed as well.
    expect(await as(farm).call('/api/poolHold', { method: 'PUT', body: { on: true } })).toMatchObject({ status: 200 });
    expect(await as(farm).call('/api/poolHold', { method: 'PUT', body: { on: false } })).toMatchObject(waits);
    expect(await decide(anna, 'DELETE')).toMatchObject({ status: 200 });
    expect(await as(max).call(list, { ...replace, body: { algo: POOL.algorithm, configs: [] } })).toMatchObject(waits);
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200 });
    expect(await as(max).call('/api/poolHold', { method: 'DELETE' })).toMatchObject(waits);
    expect(await waiting(farm)).toMatchObject([
      { kind: 'hold_back', shown: { before: { places: [] }, after: shown.after } },
    ]);
    expect(await places()).toEqual([]);
    expect(await decide(farm, 'POST')).toMatchObject({ status: 200 });
    expect(await places()).toEqual(['ocean', 'evil']);
  });

  it('takes back a held address as it was decided: by two, or by one where one had set it', async () => {
    const { pool } = test.database;
    const set = (btcAddress: string) => as(farm).call('/api/wallet/', { method: 'PUT', body: { btcAddress } });
    const back = (person: Person | undefined) => as(person).call('/api/wallet/change', { method: 'DELETE' });
    expect(await set(OTHER)).toMatchObject(waits);
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200 });
    expect(await wallet()).toMatchObject({ btcAddress: OTHER, hold: { oldAddress: ADDRESS } });
    expect(await back(farm)).toMatchObject(waits);
    const sides = { before: { address: OTHER }, after: { address: ADDRESS } };
    expect((await as(anna).call('/api/waiting')).body).toMatchObject({
      changes: [{ kind: 'address_back', shown: sides }],
    });
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200 });
    expect(await wallet()).toMatchObject({ btcAddress: ADDRESS });

    const boss = await test.person('operator', { role: 'admin' });
    const byAdmin = { method: 'PUT', body: { btcAddress: OTHER } } as const;
    expect(await boss.call('/api/admin/wallet?accountName=ranch', byAdmin)).toMatchObject({ status: 200 });
    expect(await back(farm)).toMatchObject({ status: 200, body: { btcAddress: ADDRESS } });
    await pool.query('delete from waiting_change');
  });

  it('one member fills no places of others', async () => {
    const { pool } = test.database;
    await pool.query(
      `insert into waiting_change (call, organization_id, asked_by, shown, ends_at, ends_as)
       select 'POST /poolConfigs/', $1, $2, jsonb_build_object('name', n), now() + interval '1 day', 'expired'
       from generate_series(1, 60) n`,
      [organizationId, maxId],
    );
    const make = (person: Person | undefined) =>
      as(person).call('/api/poolConfigs/', { method: 'POST', body: { ...POOL, name: 'one more' } });
    expect(await make(max)).toMatchObject({ status: 409, code: 'too_many_requests' });
    expect(await make(farm)).toMatchObject(waits);
    await pool.query('delete from waiting_change');
  });

  it('removes an owner though that one does not agree, and keeps the owner as it was decided', async () => {
    const { pool } = test.database;
    const { rows } = await pool.query<{ id: number }>("select id from app_user where user_name = 'anna'");
    const path = `/api/organization/members/${rows[0]?.id}`;
    // There is no third owner: the removal waits 72 hours, and the one concerned does not stop it.
    expect(await as(farm).call(path, { method: 'DELETE' })).toMatchObject({ status: 200 });
    expect(await as(anna).call(`${path}/removal`, { method: 'DELETE' })).toMatchObject({ code: 'own_removal' });
    expect(await as(farm).call(`${path}/removal`, { method: 'DELETE' })).toMatchObject({ status: 200 });

    await pool.query("update organization_member set role = 'owner' where user_id = $1", [maxId]);
    await as(max).renew(true);
    expect(await as(farm).call(path, { method: 'DELETE' })).toMatchObject(waits);
    expect(await decide(anna, 'DELETE')).toMatchObject({ status: 404 });
    expect(await decide(max, 'POST')).toMatchObject({ status: 200 });
    expect(await as(farm).call(`${path}/removal`, { method: 'DELETE' })).toMatchObject(waits);
    expect(await decide(max, 'POST', (await requests(max))[0]?.id)).toMatchObject({ status: 200 });
    expect((await as(farm).call('/api/organization')).text).not.toMatch(/"removalAt":"/);
    await pool.query("update organization_member set role = 'manager' where user_id = $1", [maxId]);
  });

  it('confirms members and invitations, whose link is shown to the one who confirms', async () => {
    const invite = { method: 'POST', body: { role: 'technician' } } as const;
    expect(await as(farm).call('/api/organization/invitations', invite)).toMatchObject(waits);
    expect((await decide(anna, 'POST')).body).toMatchObject({ link: expect.stringContaining('/invitation#') });
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
    await pool.query('delete from waiting_change');
    expect(await want(farm, true)).toMatchObject({ status: 200 });
    expect(await as(farm).call('/api/account', { method: 'DELETE' })).toMatchObject(waits);
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200, body: { organization: null } });
    expect((await pool.query('select id from organization')).rows).toEqual([]);
    await as(farm).renew(true);
    expect((await as(farm).call('/api/organization')).body).toEqual({ organization: null, ownName: 'ranch-2-2' });
  });
});
