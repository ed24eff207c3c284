/** Admins' money: four eyes, lists, the preview of the calculation, corrections and their reversal, bonuses. */
import { dayOf, startOfDay } from '../../../platform/days';
import { testApp, type Answer, type Person, type TestApp } from '../../testing/test-app';

const DAY = '2026-11-18';
/** The work of ten petahashes a second in an hour. */
const WORK = (1e16 * 3600) / 2 ** 32;
const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const tx = (n: number): string => n.toString(16).padStart(64, '0');

type Row = { id: number; version: number; status: string; account: string; approvedBy: string | null };
type List = { rows: Row[]; total: number; totalSat: number; sums: { status: string; count: number }[] };

describe("admins' money", () => {
  let test: TestApp;
  let admin: Person;
  let second: Person;
  let miner: Person;
  let now = startOfDay(DAY) + 86_400 + 7200;

  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await test.database.pool.query(text, values)).rows as T[];
  const get = async <T>(path: string, who = admin): Promise<T> => (await who.call(`/api${path}`)).body as T;
  const put = (path: string, body: unknown, { who = admin, key }: { who?: Person; key?: string } = {}) =>
    who.call(`/api${path}`, { method: 'PUT', body, headers: key ? { 'idempotency-key': key } : {} });
  const calculate = (): Promise<Answer> => admin.post('/api/calculatePayments/', {});
  const owed = async (account: string): Promise<number> =>
    (await get<{ unpaidSat: number }>(`/getSubAccountBalance/?subAccountName=${account}`)).unpaidSat;

  beforeAll(async () => {
    test = await testApp({ now: () => now });
    [admin, second] = [await test.person('boss', { role: 'admin' }), await test.person('deputy', { role: 'admin' })];
    miner = await test.person('miner');
    await test.person('minerva');
    for (const account of ['miner', 'minerva'])
      await sql('update sub_account set btc_address = $1, threshold_sat = 10000 where name = $2', [ADDRESS, account]);
    await test.work(
      ['miner', 'minerva'].map((account) => ({ account, at: startOfDay(DAY), accepted: WORK, span: 3600 })),
    );
  });
  afterAll(() => test.close());
  afterEach(async () => {
    expect(await sql('select coalesce(sum(amount_sat), 0) as n from ledger')).toEqual([{ n: 0 }]);
  });

  it('a preview of the calculation says what the calculation then does, and books nothing', async () => {
    const preview = await get<{ days: { netSat: number }[]; payments: { count: number; totalSat: number } }>(
      '/admin/calculation',
    );
    expect(preview).toMatchObject({
      days: [{ day: DAY, accounts: 2 }],
      payments: { count: 2, totalSat: preview.days[0]?.netSat },
      uncounted: [],
    });
    expect(await sql('select 1 from earning')).toEqual([]);
    expect(await sql('select 1 from payment')).toEqual([]);
    const { netSat } = preview.days[0] ?? { netSat: -1 };
    expect((await calculate()).body).toMatchObject({ days: 1, accounts: 2, netSat, payments: 2 });
    expect(await get('/admin/calculation')).toEqual({
      days: [],
      payments: { count: 0, totalSat: 0 },
      uncounted: [],
      waiting: null,
    });
  });

  it('says what another term would have meant, by the accounting itself, and keeps who set which', async () => {
    type Preview = { users: number; before: Record<string, number>; after: Record<string, number> };
    const booked = (
      await sql<Record<string, number>>(
        'select sum(gross_sat) as "grossSat", sum(fee_sat) as "feeSat", sum(net_sat) as "netSat" from earning',
      )
    )[0];
    const fee = await get<Preview>('/admin/terms/preview?name=pool_fee&value=50');
    expect(fee).toMatchObject({ users: 2, before: booked, from: expect.any(String), to: DAY });
    expect(fee.after).toMatchObject({ grossSat: booked?.grossSat, feeSat: (booked?.grossSat ?? 0) / 2 });
    // They registered today, so that they are newcomers of that day: half the hashrate, half the money.
    for (const wrong of [
      'pool_fee&value=-1',
      'newbee_cost&value=-1',
      'newbee_cost&value=1e-300',
      'newbee_adjust&value=101',
    ])
      expect((await admin.call(`/api/admin/terms/preview?name=${wrong}`)).status).toBe(400);
    const half = await get<Preview>('/admin/terms/preview?name=newbee_adjust&value=-50');
    expect(half.after.grossSat).toBe(Math.floor((booked?.grossSat ?? 0) / 4) * 2);
    expect((await put('/poolFee', { value: 2 })).status).toBe(200);
    expect(await get('/admin/terms')).toMatchObject({
      terms: [
        { name: 'pool_fee', history: [{ value: 2, by: 'boss' }] },
        { name: 'newbee_cost', value: 0, history: [] },
        { name: 'newbee_adjust', value: 0, history: [] },
      ],
      operator: { walletHoldHours: 72, defaultThresholdSat: 5_000_000, referralPercent: 10 },
    });
  });

  it('finds payments by account, id, address and transaction; oldest first; sums by status', async () => {
    const all = await get<List>('/getPayments/?order=oldest');
    expect(all.rows.map(({ id }) => id)).toEqual(all.rows.map(({ id }) => id).sort((a, b) => a - b));
    expect(all.sums).toEqual([{ status: 'pending', count: 2, totalSat: all.totalSat }]);
    const found = async (search: string) =>
      (await get<List>(`/getPayments/?search=${encodeURIComponent(search)}`)).rows.map(({ account }) => account).sort();
    expect(await found('MINER')).toEqual(['miner', 'minerva']);
    expect(await found('minerv')).toEqual(['minerva']);
    expect(await found(ADDRESS)).toEqual(['miner', 'minerva']);
    expect(await found(String(all.rows[0]?.id))).toEqual([all.rows[0]?.account]);
    for (const none of ['%', '_iner', tx(9), '0']) expect([none, await found(none)]).toEqual([none, []]);
    expect((await get<List>('/getPayments/?status=sent')).total).toBe(0);
    await sql("update sub_account set address_hold_until = now() + interval '1 hour' where name = 'minerva'");
    expect((await get<List>('/getPayments/?search=minerva')).rows[0]).toMatchObject({ heldUntil: expect.any(String) });
    await sql("update sub_account set address_hold_until = null where name = 'minerva'");
  });

  it('four eyes: whoever approved does not hand over nor send, alone or in bulk; another admin does', async () => {
    const off = { fourEyes: false, offAskedBy: null };
    const on = { fourEyes: true, offAskedBy: null };
    expect(await get('/admin/paymentSettings')).toEqual({ ...off, waiting: null });
    expect((await put('/admin/paymentSettings', { fourEyes: true })).body).toMatchObject(on);
    const [row] = (await get<List>('/getPayments/?account=miner')).rows;
    const { id = 0, version = 0 } = row ?? {};
    expect((await put(`/payments/?id=${id}`, { status: 'queued', version })).body).toMatchObject({
      approvedBy: 'boss',
    });
    const sent = { status: 'sent', version: version + 1, txid: tx(1) };
    expect((await put(`/payments/?id=${id}`, sent)).code).toBe('same_person');
    expect((await put(`/payments/?id=${id}`, { status: 'unknown', version: version + 1 })).code).toBe('same_person');
    const bulk = await put('/bulkUpdatePayments', { payments: [{ id, ...sent }] });
    expect([bulk.status, bulk.body]).toMatchObject([422, { errors: [{ path: 'payments.0', message: 'same_person' }] }]);
    expect((await put(`/payments/?id=${id}`, sent, { who: second })).body).toMatchObject({ status: 'sent' });

    // One admin alone does not end the rule; the other one may keep it, or confirm.
    const end = async (who?: Person) => (await put('/admin/paymentSettings', { fourEyes: false }, { who })).body;
    const asked = { fourEyes: true, offAskedBy: 'boss' };
    expect([await end(), await end()]).toMatchObject([asked, asked]);
    expect((await put('/admin/paymentSettings', { fourEyes: true }, { who: second })).body).toMatchObject(on);
    expect([await end(), await end(second)]).toMatchObject([asked, off]);
    expect(await sql("select before, after from audit where action = 'payment_settings.change' order by id")).toEqual([
      { before: off, after: on },
      { before: on, after: asked },
      { before: asked, after: asked },
      { before: asked, after: on },
      { before: on, after: asked },
      { before: asked, after: off },
    ]);
  });

  it('with four eyes a new admin takes two admins, and is no second pair of eyes for 72 hours', async () => {
    const makeAdmin = ({ userId }: Person, who = admin) => put(`/users/?id=${userId}`, { role: 'admin' }, { who });
    const end = async (who: Person) => put('/admin/paymentSettings', { fourEyes: false }, { who });
    const told = async (kind: string) =>
      (await sql<{ user_id: number }>('select user_id from notification where kind = $1 order by user_id', [kind])).map(
        ({ user_id: userId }) => userId,
      );
    const both = [admin.userId, second.userId];
    await sql('delete from notification');
    await put('/admin/paymentSettings', { fourEyes: true });
    expect([(await makeAdmin(miner)).code, (await makeAdmin(miner)).code]).toEqual(['second_admin', 'second_admin']);
    expect(await sql('select role from app_user where id = $1', [miner.userId])).toEqual([{ role: 'miner' }]);
    expect(await told('admins_asked')).toEqual([admin.userId, admin.userId, second.userId, second.userId]);
    expect((await makeAdmin(miner, second)).body).toMatchObject({ role: 'admin' });
    expect(await told('admins_new')).toEqual([...both, miner.userId]);

    const { userId } = await test.person('puppet');
    expect((await put(`/users/?id=${userId}`, { role: 'admin' }, { who: miner })).code).toBe('new_admin');
    await end(admin);
    expect((await end(miner)).code).toBe('new_admin');
    const [row] = (await get<List>('/getPayments/?account=minerva')).rows;
    const approve = { status: 'queued', version: row?.version };
    expect((await put(`/payments/?id=${row?.id}`, approve, { who: miner })).code).toBe('new_admin');

    await sql("update app_user set full_admin_at = full_admin_at - interval '72 hours 1 second'");
    expect((await end(miner)).body).toMatchObject({ fourEyes: false });
    expect(await told('admins_rule_off')).toEqual([...both, miner.userId]);
    expect((await put(`/users/?id=${miner.userId}`, { role: 'miner' })).status).toBe(200);
  });

  it('with four eyes one admin alone does not say that what was given to a node has failed', async () => {
    await put('/admin/paymentSettings', { fourEyes: true });
    const [row] = (await get<List>('/getPayments/?account=miner')).rows;
    const { id = 0, version = 0 } = row ?? {};
    const fail = (who: Person) => put(`/payments/?id=${id}`, { status: 'failed', version, note: 'gone' }, { who });
    const bulk = () => put('/bulkUpdatePayments', { payments: [{ id, status: 'failed', version, note: 'gone' }] });
    expect([(await fail(admin)).code, (await bulk()).status]).toEqual(['second_admin', 422]);
    expect(await sql("select values from notification where kind = 'admins_failed_asked' limit 1")).toEqual([
      { values: { user: 'boss', payment: id } },
    ]);
    expect((await fail(second)).body).toMatchObject({ status: 'failed' });
    for (const who of [admin, second]) await put('/admin/paymentSettings', { fourEyes: false }, { who });
  });

  it('the other admins are told of a sign-in of one of them from a new browser', async () => {
    await sql('delete from notification');
    await Promise.all([test.signIn('deputy'), test.signIn('minerva')]);
    const ip: unknown = expect.stringMatching(/^10\.9\./);
    expect(await sql("select user_id, values from notification where kind = 'admins_sign_in'")).toEqual([
      { user_id: admin.userId, values: { user: 'deputy', device: '?', ip } },
    ]);
  });

  it('a correction can be reversed, and only the last one', async () => {
    const earning = { account: 'minerva', algorithm: 'SHA256_ASICBOOST' };
    const before = await owed('minerva');
    const { grossSat } = await get<{ grossSat: number }>(
      `/earnings/${DAY}/math?accountName=minerva&algorithm=SHA256_ASICBOOST`,
    );
    const correct = (to: number, expected: number) =>
      put(`/earnings/${DAY}`, { ...earning, grossSat: to, expectedGrossSat: expected, note: 'counted twice' });
    expect((await correct(grossSat - 100, grossSat)).status).toBe(200);
    type Listed = { rows: { grossSatBefore: number; grossSat: number; last: boolean; by: string }[] };
    expect((await get<Listed>('/admin/adjustments?search=minerv')).rows).toMatchObject([
      { grossSatBefore: grossSat, grossSat: grossSat - 100, last: true, by: 'boss', account: 'minerva', day: DAY },
    ]);
    // Two tabs reverse it: once.
    expect(
      (await Promise.all([correct(grossSat, grossSat - 100), correct(grossSat, grossSat - 100)]))
        .map(({ status }) => status)
        .sort(),
    ).toEqual([200, 409]);
    expect((await get<Listed>('/admin/adjustments')).rows.map(({ last }) => last)).toEqual([true, false]);
    expect(await owed('minerva')).toBe(before);
    expect((await get<Listed>('/admin/adjustments?search=%25')).rows).toEqual([]);
  });

  it('a bonus is granted once: added to the balance, paid by the pool; or refused', async () => {
    for (const email of ['miner@example.com', 'stranger@example.com']) {
      now += 86_400;
      await test.visitor.post(`/api/requestBonus?email=${email}`);
    }
    type Requests = { rows: { id: number; email: string; status: string; account: string | null }[]; total: number };
    const { rows } = await get<Requests>('/admin/bonusRequests?status=new');
    expect(rows).toMatchObject([
      { email: 'stranger@example.com', account: null, status: 'new' },
      { email: 'miner@example.com', account: 'miner', status: 'new' },
    ]);
    const [stranger, known] = rows.map(({ id }) => id);
    const before = await owed('miner');
    const grant = { status: 'granted', account: 'miner', amountSat: 5000 };
    expect((await put(`/admin/bonusRequests?id=${known}`, { ...grant, account: 'nobody' })).code).toBe(
      'unknown_account',
    );
    expect((await put(`/admin/bonusRequests?id=${known}`, { ...grant, amountSat: 2_000_000 })).status).toBe(400);
    const answers = await Promise.all([
      put(`/admin/bonusRequests?id=${known}`, grant, { key: 'a' }),
      put(`/admin/bonusRequests?id=${known}`, grant, { key: 'a' }),
      put(`/admin/bonusRequests?id=${known}`, grant, { who: second }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(
      answers[2]?.status === 200 ? [200, 409, 409] : [200, 200, 409],
    );
    expect(await owed('miner')).toBe(before + 5000);
    expect((await put(`/admin/bonusRequests?id=${stranger}`, { status: 'refused' })).status).toBe(400);
    expect(
      (await put(`/admin/bonusRequests?id=${stranger}`, { status: 'refused', note: 'no miner' })).body,
    ).toMatchObject({ status: 'refused', note: 'no miner', by: 'boss', account: null });
    expect((await get<Requests>('/admin/bonusRequests?search=STRANGER')).total).toBe(1);
    expect((await put('/admin/bonusRequests?id=999999', grant)).status).toBe(404);
    expect(dayOf(now) > DAY).toBe(true);
    expect((await miner.call('/api/admin/bonusRequests')).status).toBe(403);
  });
});
