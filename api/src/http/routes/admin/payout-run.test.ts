/** A payout run above the operator's bound waits, all admins are told, and any of them stops it. */
import { testApp, type Person, type TestApp } from '../../testing/test-app';

const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const AMOUNT = 60_000_000;
const HOURS = 6;

let test: TestApp;
let boss: Person;
let deputy: Person;
let now = Math.floor(Date.now() / 1000);
const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await test.database.pool.query(text, values)).rows as T[];
const move = async (id: number, body: object, who = boss) => who.put(`/api/payments/?id=${id}`, body);
const send = async (id: number) =>
  (await move(id, { status: 'sent', version: 2, txid: String(id).padStart(64, '0') })).code ?? 'sent';

beforeAll(async () => {
  test = await testApp({ now: () => now, env: { PAYOUT_WAIT_HOURS: String(HOURS), PAYOUT_RUN_BTC: '1' } });
  [boss, deputy] = [await test.person('boss', { role: 'admin' }), await test.person('deputy', { role: 'admin' })];
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
afterAll(() => test.close());

it('approving little by little is one run: above the bound it waits, and all admins are told', async () => {
  expect((await move(1, { status: 'queued', version: 1 })).status).toBe(200);
  expect(await sql("select 1 from notification where kind = 'payout_waits'")).toEqual([]);
  // Nothing waits yet, so a click that comes now stops nothing.
  expect((await deputy.post('/api/admin/stopPayoutRun', {})).body).toEqual({ changed: 0, totalSat: 0 });
  expect(await send(1)).toBe('sent');
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
  const stop = () => deputy.post('/api/admin/stopPayoutRun', {});
  expect((await stop()).body).toEqual({ changed: 1, totalSat: AMOUNT });
  expect((await stop()).body).toEqual({ changed: 0, totalSat: 0 });
  expect(await sql('select id, status, note from payment order by id')).toEqual([
    { id: 1, status: 'sent', note: null },
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
