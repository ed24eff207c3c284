/** An organization that wants two pairs of eyes: what its members change waits until another owner confirms it. */
import { testApp, type Answer, type Person, type TestApp } from '../testing/test-app';
import { POOL } from '../testing/walk';

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
type Request = { id: number; kind: string; by: string; own: boolean; about: Record<string, unknown> };

describe('a second owner', () => {
  let test: TestApp;
  let [farm, anna, max]: Person[] = [];
  let organizationId = '';
  let maxId = 0;
  const as = (person: Person | undefined): Person => {
    if (!person) throw new Error('not made');
    return person;
  };
  beforeAll(async () => {
    test = await testApp();
    const { call } = await test.person('farm');
    const made = await call('/api/organization', { method: 'POST', body: { name: 'The farm' } });
    organizationId = (made.body as { id: string }).id;
    farm = await test.actingIn('farm', organizationId);
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
  afterAll(() => test.close());

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
      { kind: 'address', by: 'farm', own: true, about: { account: 'farm', address: ADDRESS } },
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
      expect.stringMatching(/^organization.request farm/),
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
    const account = await one("select id from sub_account where name = 'farm'");
    const list = `/api/subAccountPoolConfigs?subAccountId=${account}`;
    expect(await as(max).call(list, { method: 'POST', body: { poolConfigId: 999 } })).toMatchObject({ status: 404 });
    expect(await as(max).call(list, { method: 'POST', body: { poolConfigId: id } })).toMatchObject(waits);
    expect(await requests(farm)).toMatchObject([
      { kind: 'list_add', by: 'max', own: false, about: { account: 'farm', pools: ['ocean'] } },
    ]);
    expect(await decide(farm, 'POST')).toMatchObject({ status: 200 });
    const [place] = (await as(max).call(list)).body as { id: number }[];
    const change = await as(max).call(`/api/subAccountPoolConfigs/${place?.id}`, {
      method: 'PUT',
      body: { enabled: false },
    });
    expect(change).toMatchObject(waits);
    expect(await requests(farm)).toMatchObject([
      { kind: 'list_place', about: { account: 'farm', pools: ['ocean'], enabled: false } },
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
    expect((await as(farm).call('/api/organization')).body).toEqual({ organization: null });
  });
});
