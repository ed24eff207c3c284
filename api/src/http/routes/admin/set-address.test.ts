/** An admin who has set a payout address does not pay to it alone: another admin does, or its owner confirms it. */
import { testApp, type Person, type TestApp } from '../../testing/test-app';

const OLD = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const NEW = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
const AMOUNT = 100_000;

let test: TestApp;
let boss: Person;
let deputy: Person;
let miner: Person;
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

beforeAll(async () => {
  test = await testApp();
  [boss, deputy] = [await test.person('boss', { role: 'admin' }), await test.person('deputy', { role: 'admin' })];
  miner = await test.person('miner');
});
afterAll(() => test.close());
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
  // Whether it was sent is a fact, whoever writes it down.
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
