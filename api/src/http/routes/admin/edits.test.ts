/** Two admins who edit the same rows, the list of sub-accounts, and a role that comes and goes within a session. */
import { testApp, type Answer, type Person, type TestApp } from '../../testing/test-app';

const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';

describe('edits of admins', () => {
  let test: TestApp;
  let admin: Person;
  let second: Person;
  let miner: Person;

  beforeAll(async () => {
    test = await testApp();
    [admin, second] = [await test.person('boss', { role: 'admin' }), await test.person('deputy', { role: 'admin' })];
    miner = await test.person('miner');
    await test.person('old', { isLegacyUser: true });
  });
  afterAll(() => test.close());

  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await test.database.pool.query(text, values)).rows as T[];
  const put = (path: string, body: unknown, who = admin): Promise<Answer> => who.put(`/api${path}`, body);
  type Row = { id: number; version: number; userName: string };
  const rows = async <T = Row>(path: string): Promise<T[]> =>
    ((await admin.call(`/api${path}`)).body as { rows: T[] }).rows;
  const one = async (name: string): Promise<Row> => (await rows(`/admin/editUsers?search=${name}`))[0] as Row;

  it('a user that another admin has changed is not overwritten; what the owner does changes no version', async () => {
    const { id, version } = await one('miner');
    await miner.call('/api/getUserInfo/');
    expect((await one('miner')).version).toBe(version);
    expect((await put(`/users/?id=${id}`, { feePercent: 1, version })).body).toMatchObject({ version: version + 1 });
    const refused = await put(`/users/?id=${id}`, { feePercent: 2, version }, second);
    expect([refused.status, refused.code]).toEqual([409, 'changed_meanwhile']);
    expect(await sql('select fee_percent from app_user where id = $1', [id])).toEqual([{ fee_percent: 1 }]);
    expect((await put(`/users/?id=${id}`, { feePercent: 2, version: version + 1 }, second)).status).toBe(200);
    // Without a version the last one wins, as before.
    expect((await put(`/users/?id=${id}`, { feePercent: null })).status).toBe(200);
  });

  it('of many none is changed when one was changed meanwhile, and the row is named', async () => {
    await sql(
      "insert into app_user (identity_id, user_name) select 'm' || n, 'many' || n from generate_series(1, 500) n",
    );
    const ids = (await sql<{ id: number }>("select id from app_user where user_name like 'many%' order by id")).map(
      ({ id }) => id,
    );
    const read = await rows(`/admin/editUsers?ids=${ids.join(',')}&limit=500`);
    expect(read).toHaveLength(500);
    const updates = read.map(({ id, version }) => ({ id, version, feePercent: 3 }));
    await put(`/users/?id=${updates[321]?.id}`, { feePercent: 9 }, second);
    const refused = await put('/bulkUpdateUsers', { updates });
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'changed_meanwhile', errors: [{ path: 'updates.321' }] },
    ]);
    const fees = () =>
      sql(
        "select fee_percent as fee, count(*)::int as n from app_user where user_name like 'many%' group by 1 order by 1",
      );
    expect(await fees()).toEqual([
      { fee: 9, n: 1 },
      { fee: null, n: 499 },
    ]);
    updates[321] = { ...updates[321]!, version: 2 };
    expect((await put('/bulkUpdateUsers', { updates })).body).toEqual({ changed: 500 });
    expect(await fees()).toEqual([{ fee: 3, n: 500 }]);
  });

  it('sub-accounts are found by name, owner and address; an edit names the version, also against the owner', async () => {
    await sql('update sub_account set btc_address = $1 where name = $2', [ADDRESS, 'old']);
    type Account = { id: number; name: string; version: number; thresholdSat: number };
    const names = async (query: string) => (await rows<Account>(`/admin/subAccounts${query}`)).map(({ name }) => name);
    expect(await names('?sort=-name')).toEqual(['old', 'miner', 'deputy', 'boss']);
    expect(await names('?search=INE')).toEqual(['miner']);
    expect(await names(`?search=${ADDRESS}`)).toEqual(['old']);
    expect(await names('?search=%25')).toEqual([]);
    const [account] = await rows<Account>('/admin/subAccounts?search=miner');
    expect(account).toMatchObject({ owner: 'miner', isLegacyUser: false, unpaidSat: 0, workersOnline: 0, ports: {} });
    const { id = 0, version = 0 } = account ?? {};
    const threshold = { method: 'PUT', body: { thresholdSat: 20_000 } } as const;
    expect((await miner.call('/api/payoutSettings', threshold)).status).toBe(200);
    const stale = { id, version, thresholdSat: 90_000 };
    const refused = await put('/bulkUpdateSubAccounts', { updates: [stale] });
    expect([refused.status, refused.code]).toEqual([422, 'changed_meanwhile']);
    expect((await rows<Account>(`/admin/subAccounts?ids=${id}`))[0]).toMatchObject({ thresholdSat: 20_000 });
    expect((await put('/bulkUpdateSubAccounts', { updates: [{ ...stale, version: version + 1 }] })).body).toEqual({
      changed: 1,
    });
  });

  it('a role that is given or taken within a session counts from the next call on', async () => {
    const { userId } = miner;
    const areas = async () => [
      (await miner.call('/api/users/')).status,
      ((await miner.call('/api/getUserInfo/')).body as { rules: { subject: string }[] }).rules.some(
        ({ subject }) => subject === 'admin',
      ),
    ];
    expect(await areas()).toEqual([403, false]);
    await put(`/users/?id=${userId}`, { role: 'admin' });
    expect(await areas()).toEqual([200, true]);
    await put(`/users/?id=${userId}`, { role: 'miner' });
    expect(await areas()).toEqual([403, false]);
    expect((await miner.call('/api/getPayments/')).status).toBe(403);
    expect((await put('/bulkUpdateUsers', { updates: [{ id: userId, role: 'admin' }] }, miner)).status).toBe(403);
  });
});
