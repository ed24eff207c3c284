/** Changes of an organization that another owner confirms. */
import type { WaitingChange } from '@pool/shared/api/contract';
import { type Answer, appOfFile, type Person } from '../testing/test-app';
import { POOL } from '../testing/walk';

const test = appOfFile();

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const OTHER = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
type Request = { id: number; kind: string; by: string; own: boolean; about: Record<string, unknown> };

describe('a second owner', () => {
  let farm: Person;
  let anna: Person;
  let max: Person;
  let organizationId = '';
  beforeAll(async () => {
    ({ id: organizationId, owner: farm } = await test.organization(await test.person('ranch')));
    // One owner alone cannot ask for a second one.
    expect(await want(farm, true)).toMatchObject({ status: 409, code: 'not_possible' });
    anna = await test.member(organizationId, 'anna', { role: 'owner' });
    max = await test.member(organizationId, 'max', { role: 'manager' });
    expect(await want(farm, true)).toMatchObject({ status: 200, body: { organization: { secondOwner: true } } });
  });

  const want = (person: Person, wanted: boolean): Promise<Answer> =>
    person.put('/api/organization/secondOwner', { wanted });
  const requests = async (person: Person): Promise<Request[]> =>
    (await person.read<{ organization: { requests: Request[] } }>('/api/organization')).organization.requests;
  const decide = async (person: Person, method: 'POST' | 'DELETE', id?: number): Promise<Answer> =>
    person.call(`/api/organization/requests/${id ?? (await requests(person))[0]?.id}`, { method });
  const waits = { status: 409, code: 'second_owner' };
  const wallet = async () => (await farm.call('/api/wallet/')).body;
  const logged = () =>
    test.rows<{ action: string; member: string }>(
      `select a.action, u.user_name as member from audit a join app_user u on u.id = coalesce(a.member_id, a.user_id)
       where a.action like 'organization.%' or a.action like 'wallet.%' order by a.id desc limit 3`,
    );
  const one = async (sql: string) => (await test.rows<{ id: number }>(sql))[0]?.id;

  it('confirms a payout address, which its asker cannot; the log names both', async () => {
    const set = { btcAddress: ADDRESS };
    expect(await farm.put('/api/wallet/', { btcAddress: 'wrong' })).toMatchObject({ status: 400 });
    expect(await farm.put('/api/wallet/?accountName=not-mine', set)).toMatchObject({ status: 404 });
    expect(await farm.put('/api/wallet/', set)).toMatchObject(waits);
    // The same again is one request.
    expect(await farm.put('/api/wallet/', set)).toMatchObject(waits);
    expect(await wallet()).toMatchObject({ btcAddress: null });
    expect(await requests(farm)).toMatchObject([
      { kind: 'address', by: 'ranch', own: true, about: { account: 'ranch', address: ADDRESS } },
    ]);
    expect(await decide(farm, 'POST')).toMatchObject({ status: 409, code: 'same_person' });
    expect(await decide(max, 'POST', (await requests(farm))[0]?.id)).toMatchObject({ status: 403 });
    const told = await anna.call('/api/notifications/');
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
    const make = (name: string) => max.post('/api/poolConfigs/', { ...POOL, name, password: 'hunter2' });
    expect(await make('braiins')).toMatchObject(waits);
    expect(await make('ocean')).toMatchObject(waits);
    expect((await requests(max)).map(({ own }) => own)).toEqual([true, true]);
    const shown = await anna.call('/api/organization');
    expect(JSON.stringify(shown.body)).toContain(POOL.url);
    const stored = JSON.stringify((await pool.query('select * from waiting_change')).rows);
    expect(JSON.stringify(shown.body) + stored).not.toContain('hunter2');
    // Two owners at the same moment make one pool.
    const [first] = await requests(anna);
    const both = await Promise.all([decide(anna, 'POST', first?.id), decide(farm, 'POST', first?.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const pools = async () => (await max.call('/api/poolConfigs/')).body;
    expect(await pools()).toMatchObject([{ name: 'braiins', passwordSet: true }]);
    await pool.query("update pool_config set name = 'ocean'");
    expect(await decide(anna, 'POST')).toMatchObject({ status: 409, code: 'pool_name_taken' });
    expect(await requests(anna)).toMatchObject([{ about: { name: 'ocean' } }]);
    expect(await decide(max, 'DELETE')).toMatchObject({ status: 200 });
    expect(await requests(anna)).toEqual([]);
  });

  it('confirms the order of a list, with the names of its pools', async () => {
    const id = await one('select id from pool_config');
    const list = `/api/subAccountPoolConfigs?subAccountId=${await test.accountId('ranch')}`;
    expect(await max.post(list, { poolConfigId: 999 })).toMatchObject({ status: 404 });
    expect(await max.post(list, { poolConfigId: id })).toMatchObject(waits);
    expect(await requests(farm)).toMatchObject([
      { kind: 'list_add', by: 'max', own: false, about: { pools: ['ocean'] } },
    ]);
    expect(await decide(farm, 'POST')).toMatchObject({ status: 200 });
    const [place] = await max.read<{ id: number }[]>(list);
    const change = await max.put(`/api/subAccountPoolConfigs/${place?.id}`, { enabled: false });
    expect(change).toMatchObject(waits);
    expect(await requests(farm)).toMatchObject([{ kind: 'list_place', about: { pools: ['ocean'] } }]);
    expect(await decide(anna, 'DELETE')).toMatchObject({ status: 200 });
  });

  it('shows who confirms the lists as they will be in force, whole, and takes two to take them back', async () => {
    await test.database.pool.query(`insert into pool_config (user_id, name, algorithm, url, user_name)
      select user_id, 'evil', algorithm, 'stratum+tcp://evil.example:1', 'thief' from pool_config limit 1`);
    const [good, evil] = [
      await one("select id from pool_config where name = 'ocean'"),
      await one('select max(id) as id from pool_config'),
    ];
    const list = `/api/subAccountPoolConfigs?subAccountId=${await test.accountId('ranch')}`;
    const replace = (...places: object[]) => max.put(list, { algo: POOL.algorithm, configs: places });
    expect(await replace({ poolConfigId: good, enabled: false }, { poolConfigId: evil, enabled: true })).toMatchObject(
      waits,
    );
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
    const waiting = async (person: Person) => (await person.read<{ changes: WaitingChange[] }>('/api/waiting')).changes;
    expect(await waiting(anna)).toMatchObject([{ kind: 'list', by: 'max', shown, mayConfirm: true, mayEnd: true }]);
    expect(await waiting(max)).toMatchObject([{ own: true, mayConfirm: false, mayEnd: true }]);
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200 });
    const places = async () => (await max.read<{ name: string }[]>(list)).map(({ name }) => name);
    expect(await places()).toEqual(['ocean', 'evil']);

    const notification = await one(
      `select max(id) as id from notification where user_id = ${max.userId} and kind = 'pools_changed'`,
    );
    expect(await max.post('/api/subAccountPoolConfigs/undo', { notification })).toMatchObject(waits);
    expect(await waiting(anna)).toMatchObject([
      { kind: 'list_undo', shown: { before: shown.after, after: shown.before } },
    ]);
    expect(await decide(anna, 'DELETE')).toMatchObject({ status: 200 });

    // What is held was confirmed as well.
    expect(await farm.put('/api/poolHold', { on: true })).toMatchObject({ status: 200 });
    expect(await farm.put('/api/poolHold', { on: false })).toMatchObject(waits);
    expect(await decide(anna, 'DELETE')).toMatchObject({ status: 200 });
    expect(await replace()).toMatchObject(waits);
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200 });
    expect(await max.del('/api/poolHold')).toMatchObject(waits);
    expect(await waiting(farm)).toMatchObject([
      { kind: 'hold_back', shown: { before: { places: [] }, after: shown.after } },
    ]);
    expect(await places()).toEqual([]);
    expect(await decide(farm, 'POST')).toMatchObject({ status: 200 });
    expect(await places()).toEqual(['ocean', 'evil']);
  });

  it('takes back a held address as it was decided: by two, or by one where one had set it', async () => {
    const { pool } = test.database;
    const set = (btcAddress: string) => farm.put('/api/wallet/', { btcAddress });
    const back = (person: Person) => person.del('/api/wallet/change');
    expect(await set(OTHER)).toMatchObject(waits);
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200 });
    expect(await wallet()).toMatchObject({ btcAddress: OTHER, hold: { oldAddress: ADDRESS } });
    expect(await back(farm)).toMatchObject(waits);
    const sides = { before: { address: OTHER }, after: { address: ADDRESS } };
    expect((await anna.call('/api/waiting')).body).toMatchObject({
      changes: [{ kind: 'address_back', shown: sides }],
    });
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200 });
    expect(await wallet()).toMatchObject({ btcAddress: ADDRESS });

    const boss = await test.person('operator', { role: 'admin' });
    const byAdmin = await boss.put('/api/admin/wallet?accountName=ranch', { btcAddress: OTHER });
    expect(byAdmin).toMatchObject({ status: 200 });
    expect(await back(farm)).toMatchObject({ status: 200, body: { btcAddress: ADDRESS } });
    await pool.query('delete from waiting_change');
  });

  it('one member fills no places of others', async () => {
    const { pool } = test.database;
    await pool.query(
      `insert into waiting_change (call, organization_id, asked_by, shown, ends_at, ends_as)
       select 'POST /poolConfigs/', $1, $2, jsonb_build_object('name', n), now() + interval '1 day', 'expired'
       from generate_series(1, 60) n`,
      [organizationId, max.userId],
    );
    const make = (person: Person) => person.post('/api/poolConfigs/', { ...POOL, name: 'one more' });
    expect(await make(max)).toMatchObject({ status: 409, code: 'too_many_requests' });
    expect(await make(farm)).toMatchObject(waits);
    await pool.query('delete from waiting_change');
  });

  it('removes an owner though that one does not agree, and keeps the owner as it was decided', async () => {
    const { pool } = test.database;
    const path = `/api/organization/members/${anna.userId}`;
    // There is no third owner: the removal waits 72 hours, and the one concerned does not stop it.
    expect(await farm.del(path)).toMatchObject({ status: 200 });
    expect(await anna.del(`${path}/removal`)).toMatchObject({ code: 'own_removal' });
    expect(await farm.del(`${path}/removal`)).toMatchObject({ status: 200 });

    await pool.query("update organization_member set role = 'owner' where user_id = $1", [max.userId]);
    await max.renew(true);
    expect(await farm.del(path)).toMatchObject(waits);
    expect(await decide(anna, 'DELETE')).toMatchObject({ status: 404 });
    expect(await decide(max, 'POST')).toMatchObject({ status: 200 });
    expect(await farm.del(`${path}/removal`)).toMatchObject(waits);
    expect(await decide(max, 'POST', (await requests(max))[0]?.id)).toMatchObject({ status: 200 });
    expect((await farm.call('/api/organization')).text).not.toMatch(/"removalAt":"/);
    await pool.query("update organization_member set role = 'manager' where user_id = $1", [max.userId]);
  });

  it('confirms members and invitations, whose link is shown to the one who confirms', async () => {
    expect(await farm.post('/api/organization/invitations', { role: 'technician' })).toMatchObject(waits);
    expect((await decide(anna, 'POST')).body).toMatchObject({ link: expect.stringContaining('/invitation#') });
    const body = { role: 'viewer', money: true, accounts: null };
    expect(await anna.put(`/api/organization/members/${max.userId}`, body)).toMatchObject(waits);
    expect(await requests(farm)).toMatchObject([{ kind: 'member', about: { name: 'max', grant: body } }]);
    expect(await farm.del(`/api/organization/members/${max.userId}`)).toMatchObject(waits);
    expect(await decide(anna, 'POST', (await requests(anna))[1]?.id)).toMatchObject({ status: 200 });
    // What asks for more than is there any more is refused, and can be declined.
    expect(await decide(farm, 'POST')).toMatchObject({ status: 404 });
    expect(await decide(farm, 'DELETE')).toMatchObject({ status: 200 });
  });

  it('is given up with a second owner only, and not asked for while there is no other who can sign in', async () => {
    expect(await want(farm, false)).toMatchObject(waits);
    expect(await farm.del('/api/account')).toMatchObject(waits);
    await test.database.pool.query("update app_user set disabled = true where user_name = 'anna'");
    expect(await want(farm, false)).toMatchObject({ status: 200, body: { organization: { secondOwner: false } } });
  });

  it('confirms the end of the account, after which the two act for themselves', async () => {
    const { pool } = test.database;
    await pool.query("update app_user set disabled = false where user_name = 'anna'");
    await pool.query('delete from waiting_change');
    expect(await want(farm, true)).toMatchObject({ status: 200 });
    expect(await farm.del('/api/account')).toMatchObject(waits);
    expect(await decide(anna, 'POST')).toMatchObject({ status: 200, body: { organization: null } });
    expect((await pool.query('select id from organization')).rows).toEqual([]);
    await farm.renew(true);
    expect((await farm.call('/api/organization')).body).toEqual({ organization: null, ownName: 'ranch-2-2' });
  });
});
