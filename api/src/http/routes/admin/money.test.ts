/** Admins' money: four eyes, lists, the preview of the calculation, corrections and their reversal, bonuses. */
import { randomBytes } from 'node:crypto';
import type { WaitingChange } from '@pool/shared/api/contract';
import { addDays, dayOf, startOfDay } from '../../../platform/days';
import { type Answer, appOfFile, type Person, personOfFile } from '../../testing/test-app';

const DAY = '2026-11-18';
/** The work of ten petahashes a second in an hour. */
const WORK = (1e16 * 3600) / 2 ** 32;
const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const tx = (n: number): string => n.toString(16).padStart(64, '0');

type Row = { id: number; version: number; status: string; account: string; approvedBy: string | null };
type List = { rows: Row[]; total: number; totalSat: number; sums: { status: string; count: number }[] };

describe("admins' money", () => {
  let now = startOfDay(DAY) + 86_400 + 7200;
  const test = appOfFile({ now: () => now });
  const admin = personOfFile(test, 'boss', { role: 'admin' });
  const second = personOfFile(test, 'deputy', { role: 'admin' });
  const miner = personOfFile(test, 'miner');

  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await test.database.pool.query(text, values)).rows as T[];
  const get = <T>(path: string, who = admin): Promise<T> => who.read<T>(`/api${path}`);
  const put = (path: string, body: unknown, { who = admin, key }: { who?: Person; key?: string } = {}) =>
    who.call(`/api${path}`, { method: 'PUT', body, headers: key ? { 'idempotency-key': key } : {} });
  const calculate = (): Promise<Answer> => admin.post('/api/calculatePayments/', {});
  const owed = async (account: string): Promise<number> =>
    (await get<{ unpaidSat: number }>(`/getSubAccountBalance/?subAccountName=${account}`)).unpaidSat;

  beforeAll(async () => {
    await test.person('minerva');
    for (const account of ['miner', 'minerva'])
      await sql('update sub_account set btc_address = $1, threshold_sat = 10000 where name = $2', [ADDRESS, account]);
    await test.work(
      ['miner', 'minerva'].map((account) => ({ account, at: startOfDay(DAY), accepted: WORK, span: 3600 })),
    );
  });
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
    const [yesterday, tomorrow] = [-1, 1].map((days) => addDays(dayOf(now), days));
    for (const [which, total] of [
      ['status=sent', 0],
      ['status=pending&account=miner', 1],
      [`from=${tomorrow}`, 0],
      [`to=${yesterday}`, 0],
      [`from=${yesterday}&to=${tomorrow}`, 2],
    ] as const) {
      const list = await get<List>(`/getPayments/?${which}`);
      expect([which, list.rows.length, list.total]).toEqual([which, total, total]);
    }
    await sql("update sub_account set address_hold_until = now() + interval '1 hour' where name = 'minerva'");
    expect((await get<List>('/getPayments/?search=minerva')).rows[0]).toMatchObject({ heldUntil: expect.any(String) });
    await sql("update sub_account set address_hold_until = null where name = 'minerva'");
  });

  const waiting = async (who: Person) => (await who.read<{ changes: WaitingChange[] }>('/api/waiting')).changes;

  it('four eyes: whoever approved does not hand over nor send, alone or in bulk; another admin does', async () => {
    const off = { fourEyes: false, offAskedBy: null };
    const on = { fourEyes: true, offAskedBy: null };
    expect(await get('/admin/paymentSettings')).toEqual({ ...off, waiting: null });
    expect((await put('/admin/paymentSettings', { fourEyes: true })).body).toMatchObject(on);
    const all = await get<List>('/getPayments/');
    const { id = 0, version = 0 } = all.rows.find(({ account }) => account === 'miner') ?? {};
    expect((await put(`/payments/?id=${id}`, { status: 'queued', version })).body).toMatchObject({
      approvedBy: 'boss',
    });
    const sent = { status: 'sent', version: version + 1, txid: tx(1) };
    expect((await put(`/payments/?id=${id}`, sent)).code).toBe('same_person');
    expect((await put(`/payments/?id=${id}`, { status: 'unknown', version: version + 1 })).code).toBe('same_person');
    const bulk = await put('/bulkUpdatePayments', { payments: [{ id, ...sent }] });
    expect([bulk.status, bulk.body]).toMatchObject([422, { errors: [{ path: 'payments.0', message: 'same_person' }] }]);
    expect((await put(`/payments/?id=${id}`, sent, { who: second })).body).toMatchObject({ status: 'sent' });
    const { sums, ...list } = await get<List>('/getPayments/');
    expect([sums.length, list.total, list.totalSat]).toEqual([2, 2, all.totalSat]);

    // One admin alone does not end the rule; the other one may keep it, or confirm.
    const end = async (who?: Person) => (await put('/admin/paymentSettings', { fourEyes: false }, { who })).body;
    const asked = { fourEyes: true, offAskedBy: 'boss' };
    const waits = { code: 'second_admin' };
    expect([await end(), await end()]).toMatchObject([waits, waits]);
    expect(await get('/admin/paymentSettings')).toMatchObject(asked);
    expect((await put('/admin/paymentSettings', { fourEyes: true }, { who: second })).body).toMatchObject(on);
    expect([await end(), await end(second)]).toMatchObject([waits, off]);
    expect(await sql("select before, after from audit where action = 'payment_settings.change' order by id")).toEqual([
      { before: off, after: on },
      { before: asked, after: on },
      { before: on, after: off },
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
    const [ended] = await sql('select user_id from audit where action = $1 order by id desc', ['admin.confirm']);
    expect(ended).toEqual({ user_id: second.userId });
    expect(await sql("select from waiting_change where state = 'taken'")).toEqual([]);

    const { userId } = await test.person('puppet');
    expect((await put(`/users/?id=${userId}`, { role: 'admin' }, { who: miner })).code).toBe('new_admin');
    await end(admin);
    expect((await end(miner)).code).toBe('new_admin');
    const [row] = (await get<List>('/getPayments/?account=minerva')).rows;
    const approve = { status: 'queued', version: row?.version };
    expect((await put(`/payments/?id=${row?.id}`, approve, { who: miner })).code).toBe('new_admin');

    // One admin alone neither demotes nor disables the other.
    const out = (who: Person, change: object) => put(`/users/?id=${second.userId}`, change, { who });
    expect([(await out(admin, { role: 'miner' })).code, (await out(admin, { disabled: true })).code]).toEqual([
      'second_admin',
      'second_admin',
    ]);
    expect(await sql('select role, disabled from app_user where id = $1', [second.userId])).toEqual([
      { role: 'admin', disabled: false },
    ]);
    expect(await told('admins_out_asked')).toHaveLength(6);
    const [, , demotion] = await waiting(second);
    const facts = { name: 'deputy', disabled: false, isLegacyUser: false, feePercent: null };
    expect(demotion?.shown).toEqual({
      before: { users: [{ ...facts, admin: true }] },
      after: { users: [{ ...facts, admin: true, disabled: true }] },
    });
    expect((await miner.post(`/api/waiting/${demotion?.id}`)).code).toBe('new_admin');
    expect((await admin.post(`/api/waiting/${demotion?.id}`)).code).toBe('same_person');
    expect((await admin.del(`/api/waiting/${demotion?.id}`)).status).toBe(200);

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
    expect([(await fail(admin)).code, (await bulk()).code]).toEqual(['second_admin', 'second_admin']);
    expect(await sql("select values from notification where kind = 'admins_failed_asked' limit 1")).toEqual([
      { values: { user: 'boss', payment: String(id) } },
    ]);
    const change = (await waiting(second)).find(({ kind }) => kind === 'payment_failed');
    expect(change?.shown.before?.payments).toMatchObject([{ id, status: 'sent', account: 'miner', address: ADDRESS }]);
    expect((await second.post(`/api/waiting/${change?.id}`)).status).toBe(200);
    expect((await second.post(`/api/waiting/${change?.id}`)).status).toBe(404);
    expect((await get<List>('/getPayments/?account=miner')).rows[0]).toMatchObject({ status: 'failed' });
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
    for (const [which, total] of [
      ['search=STRANGER', 1],
      ['status=new', 0],
      ['status=granted&search=min', 1],
      ['status=granted&search=stranger', 0],
    ] as const)
      expect([which, (await get<Requests>(`/admin/bonusRequests?${which}`)).total]).toEqual([which, total]);
    expect((await put('/admin/bonusRequests?id=999999', grant)).status).toBe(404);
    expect((await miner.call('/api/admin/bonusRequests')).status).toBe(403);
  });
});

describe('a payout run', () => {
  const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
  const AMOUNT = 60_000_000;
  const HOURS = 6;

  let now = Math.floor(Date.now() / 1000);
  // One payment is a run of the bound itself, which does not wait.
  const bound = String(AMOUNT / 1e8);
  const test = appOfFile({ now: () => now, env: { PAYOUT_WAIT_HOURS: String(HOURS), PAYOUT_RUN_BTC: bound } });
  const boss = personOfFile(test, 'boss', { role: 'admin' });
  const deputy = personOfFile(test, 'deputy', { role: 'admin' });
  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await test.database.pool.query(text, values)).rows as T[];
  const move = async (id: number, body: object, who = boss) => who.put(`/api/payments/?id=${id}`, body);
  const send = async (id: number) =>
    (await move(id, { status: 'sent', version: 2, txid: String(id).padStart(64, '0') })).code ?? 'sent';

  beforeAll(async () => {
    await test.person('miner');
    await sql(
      `insert into sub_account (user_id, name, btc_address)
     select id, 'farm' || n, $1 from app_user, generate_series(1, 3) n where user_name = 'miner'`,
      [ADDRESS],
    );
    await sql(
      `insert into payment (sub_account_id, period_from, period_to, amount_sat, address)
     select id, '2026-11-18', '2026-11-18', $1, btc_address from sub_account where name like 'farm%' order by id`,
      [AMOUNT],
    );
    await sql(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref)
     select 'account', id, 'bonus', $1, 'test' from sub_account where name like 'farm%'
     union all select 'pool', null, 'bonus', -3 * $1, 'test'`,
      [AMOUNT],
    );
  });

  it('approving little by little is one run: above the bound it waits, and all admins are told', async () => {
    expect((await move(1, { status: 'queued', version: 1 })).status).toBe(200);
    expect(await sql("select 1 from notification where kind = 'payout_waits'")).toEqual([]);
    // Nothing waits yet, so a click that comes now stops nothing.
    expect((await deputy.post('/api/admin/stopPayoutRun', {})).body).toEqual({ changed: 0, totalSat: 0 });
    expect(await send(1)).toBe('sent');
    expect((await move(1, { status: 'confirmed', version: 3 })).body).toMatchObject({ status: 'confirmed' });
    now += 3600;
    expect((await move(2, { status: 'queued', version: 1 })).status).toBe(200);
    expect(await send(2)).toBe('run_waits');
    expect((await move(2, { status: 'unknown', version: 2 }, deputy)).code).toBe('run_waits');
    expect(await sql("select user_id, values from notification where kind = 'payout_waits' order by user_id")).toEqual(
      [boss, deputy].map(({ userId }) => ({
        user_id: userId,
        values: { user: 'boss', amount: '0.6', hours: HOURS },
      })),
    );
    expect((await deputy.call('/api/admin/paymentSettings')).body).toMatchObject({
      waiting: { count: 1, totalSat: AMOUNT, until: new Date((now + HOURS * 3600) * 1000).toISOString() },
    });
  });

  it('another admin stops it; what was sent before stays; what is not stopped is sent after the wait', async () => {
    const stop = (key: string) =>
      deputy.call('/api/admin/stopPayoutRun', { method: 'POST', body: {}, headers: { 'idempotency-key': key } });
    expect((await stop('first')).body).toEqual({ changed: 1, totalSat: AMOUNT });
    // The first answer was lost on its way: asked again, it is given again.
    expect((await stop('first')).body).toEqual({ changed: 1, totalSat: AMOUNT });
    expect((await stop('second')).body).toEqual({ changed: 0, totalSat: 0 });
    expect(await sql('select id, status, note from payment order by id')).toEqual([
      { id: 1, status: 'confirmed', note: null },
      { id: 2, status: 'cancelled', note: 'stopped by deputy' },
      { id: 3, status: 'pending', note: null },
    ]);
    await sql('update payment set amount_sat = $1 where id = 3', [AMOUNT - 1]);
    await move(3, { status: 'queued', version: 2 });
    expect((await move(3, { status: 'sent', version: 3, txid: '3'.padStart(64, '0') })).code).toBe('run_waits');
    now += HOURS * 3600;
    expect((await move(3, { status: 'sent', version: 3, txid: '3'.padStart(64, '0') })).status).toBe(200);
  });

  it('what was sent counts whatever became of it: said to have failed, it does not make room for more', async () => {
    const fail = { status: 'failed', version: 4, note: 'gone' };
    expect((await move(3, fail)).body).toMatchObject({ status: 'failed' });
    const again = { status: 'queued', version: 5, note: 'once more' };
    expect((await move(3, again)).body).toMatchObject({ status: 'queued' });
    // The amount went out an hour ago, and would now a second time.
    expect((await move(3, { status: 'sent', version: 6, txid: '4'.padStart(64, '0') })).code).toBe('run_waits');
  });

  it('an approved payment of no run that waits is not stopped', async () => {
    now += HOURS * 3600;
    const stop = await deputy.post('/api/admin/stopPayoutRun', {});
    expect(stop.body).toEqual({ changed: 0, totalSat: 0 });
    expect(await sql('select status from payment where id = 3')).toEqual([{ status: 'queued' }]);
  });
});

describe('an address that an admin set', () => {
  const OLD = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
  const NEW = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
  const AMOUNT = 100_000;

  const test = appOfFile();
  const boss = personOfFile(test, 'boss', { role: 'admin' });
  const deputy = personOfFile(test, 'deputy', { role: 'admin' });
  const miner = personOfFile(test, 'miner');
  /** A sub-account of the miner and its payment, of each test. */
  let account: string;
  let payment: number;
  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await test.database.pool.query(text, values)).rows as T[];
  const move = async (change: object, who: Person) => {
    const [row] = await sql<{ version: number }>('select version from payment where id = $1', [payment]);
    const body = { version: row?.version, ...change };
    const answer = await who.put(`/api/payments/?id=${payment}`, body);
    return answer.code ?? (answer.body as { status: string }).status;
  };
  const wallet = (who: Person, path: string, btcAddress: string) =>
    who.put(`/api${path}?accountName=${account}`, { btcAddress });
  const own = async (who = miner, address = NEW) => (await wallet(who, '/wallet/', address)).body;
  const setBy = async (who: Person) => (await wallet(who, '/admin/wallet', NEW)).body;
  const send = { status: 'sent', txid: 'a'.repeat(64) };

  beforeEach(async () => {
    [{ name: account }] = (await sql(
      `insert into sub_account (user_id, name, btc_address)
     select id, 'farm' || (select count(*) from sub_account), $1 from app_user where user_name = 'miner' returning name`,
      [OLD],
    )) as [{ name: string }];
    [{ id: payment }] = (await sql(
      `insert into payment (sub_account_id, period_from, period_to, amount_sat, address)
     select id, '2026-11-18', '2026-11-18', $1, btc_address from sub_account where name = $2 returning id`,
      [AMOUNT, account],
    )) as [{ id: number }];
    await sql(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref)
     select 'account', id, 'bonus', $1::bigint, $2 from sub_account where name = $2
     union all select 'pool', null, 'bonus', -$1::bigint, $2`,
      [AMOUNT, account],
    );
  });
  const afterHold = () => sql("update sub_account set address_hold_until = now() - interval '1 hour'");

  it('who set it neither approves, hands over nor sends; another admin does each of them', async () => {
    await setBy(boss);
    await afterHold();
    expect(await move({ status: 'queued' }, boss)).toBe('own_address');
    expect(await move({ status: 'queued' }, deputy)).toBe('queued');
    expect(await move({ status: 'unknown' }, boss)).toBe('own_address');
    expect(await move(send, boss)).toBe('own_address');
    expect(await move({ status: 'unknown' }, deputy)).toBe('unknown');
    // That a payment was sent is a fact, so the admin whose address it is may record it.
    expect(await move(send, boss)).toBe('sent');
  });

  it('the owner hears who set it, and confirms it by setting it again, after a recent sign-in', async () => {
    expect(await own()).not.toHaveProperty('setByAdmin');
    await test.database.pool.query('update sub_account set address_hold_until = null, btc_address = $1', [OLD]);
    expect(await setBy(boss)).toMatchObject({ setByAdmin: true });
    await afterHold();
    const old = await wallet(await test.oldSession('miner'), '/wallet/', NEW);
    expect(old.code).toBe('reverification_required');
    expect(await move({ status: 'queued' }, boss)).toBe('own_address');
    expect(await own()).not.toHaveProperty('setByAdmin');
    const [confirmed] = await sql("select after from audit where action = 'wallet.confirm' order by id desc");
    expect(confirmed).toEqual({ after: { btcAddress: NEW } });
    expect(await move({ status: 'queued' }, boss)).toBe('queued');
  });

  it('an admin who sets the address that another one has set confirms nothing for the first', async () => {
    await setBy(boss);
    await afterHold();
    expect(await setBy(deputy)).toMatchObject({ setByAdmin: true });
    expect(await move({ status: 'queued' }, boss)).toBe('own_address');
    expect(await move({ status: 'queued' }, deputy)).toBe('queued');
  });

  it('a cancelled change is the address of before: anybody pays to it', async () => {
    await setBy(boss);
    await miner.del(`/api/wallet/change?accountName=${account}`);
    expect(await move({ status: 'queued' }, boss)).toBe('queued');
  });

  it('a day that waits is shown with what is in question, and decided by an admin with the tag of what was seen', async () => {
    const today = dayOf(Date.now() / 1000);
    const day = addDays(today, -2);
    type Closing = { waiting: { day: string; tag: string; findings: { name: string }[] } | null; upstreams: unknown[] };
    const closing = (): Promise<Closing> => boss.read<Closing>('/api/admin/closing');
    const decide = (body: object, of = day, who = boss): Promise<Answer> => who.post(`/api/admin/closing/${of}`, body);
    // The work of 60 PH/s in a day.
    await test.work([{ account: 'miner', at: startOfDay(day), accepted: (6e16 * 86_400) / 2 ** 32, span: 3600 }]);
    await sql(
      `insert into upstream_day values ($1, 'SHA256_ASICBOOST', 'pool.example:3333 pool', 96, 100, 9, 10),
         ($2, 'SHA256_ASICBOOST', 'pool.example:3333 pool', 1, 1, 1, 1)`,
      [today, addDays(today, -31)],
    );
    expect((await boss.post('/api/calculatePayments/', {})).code).toBe('day_not_plausible');
    const { waiting, upstreams } = await closing();
    expect(waiting).toMatchObject({ day, findings: [{ kind: 'account', name: 'miner', grossSat: 2_940_000 }] });
    expect(upstreams).toMatchObject([{ day: today, accepted: 96, credited: 100, counted: null }]);
    expect((await boss.call('/api/admin/overview')).body).toMatchObject({
      tasks: expect.arrayContaining([{ task: 'day_waiting', count: 1 }]),
    });
    expect((await boss.call('/api/admin/calculation')).body).toMatchObject({ days: [], waiting: { day } });

    const decision = { tag: waiting?.tag, reason: 'a new farm', withhold: [] };
    expect((await decide(decision, day, miner)).status).toBe(403);
    expect((await decide({ ...decision, reason: '' })).status).toBe(400);
    const other = randomBytes(16).toString('base64url');
    expect((await decide({ ...decision, tag: other })).code).toBe('changed_meanwhile');
    expect((await decide(decision, today)).code).toBe('day_not_finished');
    expect((await decide(decision, day, await test.oldSession('boss'))).code).toBe('reverification_required');
    expect(await sql('select 1 from earning')).toEqual([]);
    // A second click closes nothing twice.
    for (let clicks = 0; clicks < 2; clicks += 1)
      expect((await decide(decision)).body).toMatchObject({ days: 1, grossSat: 2_940_000 });
    expect((await closing()).waiting).toBeNull();
    expect(await sql('select gross_sat from earning')).toEqual([{ gross_sat: 2_940_000 }]);
  });
});
