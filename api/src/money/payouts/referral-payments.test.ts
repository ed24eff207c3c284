/** A payment of referral money is of what the referrer is owed, and takes nothing of what the account has mined. */
import { countWork } from '../../mining/shares/testing/count-work';
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { startOfDay } from '../../platform/days';
import { transaction } from '../../platform/db/transaction';
import { adjustEarning } from '../accounting/adjust';
import { closeDays } from '../accounting/earnings';
import { insertUsers } from '../jobs/testing/miners';
import { book, owedTo, owedToReferrer, wrongBalances } from '../ledger/ledger';
import { openPayments } from './open-payments';
import { movePayment } from './payment-changes';

const DAY = '2026-11-10';
const NOW = startOfDay('2026-11-20') + 7200;
const database = databaseOfFile();
/** Work of a day at 200 PH/s, of which a fee of 2 % is 196,000 satoshis. */
const WORK = (2e17 * 86_400) / 2 ** 32;

let mining: number;
let referral: number;
/** The satoshis that ben is owed: mined, and as the referrer of cat. */
const owed = () => Promise.all([owedTo(database.pool, 2), owedToReferrer(database.pool, 2)]);
const accrual = async () =>
  (await database.pool.query('select status, payment_id as payment from referral_accrual')).rows as object[];
type Change = Parameters<typeof movePayment>[2];
type Unread<C> = C extends unknown ? Omit<C, 'version'> : never;
const move = async (id: number, change: Unread<Change>) => {
  const { rows } = await database.pool.query<{ version: number }>('select version from payment where id = $1', [id]);
  const read = { ...change, version: rows[0]?.version ?? 0 } as Change;
  return transaction(database.pool, (client) => movePayment(client, id, read, NOW));
};

beforeEach(async () => {
  await insertUsers(database);
  await database.pool.query(`
    insert into referral (user_id, referrer_id, activated_at) values (3, 2, '2026-01-02Z');
    update app_user set referral_address = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' where id = 2`);
  const at = startOfDay(DAY);
  await countWork(
    database.pool,
    [2, 3].map((subAccountId) => ({ subAccountId, at, accepted: WORK })),
  );
  await closeDays(database.pool, { poolFeePercent: 2 }, NOW, DAY);
  await openPayments(database.pool, NOW);
  const { rows } = await database.pool.query<{ id: number }>(
    "select id from payment where sub_account_id = 2 order by trigger = 'referral'",
  );
  [mining, referral] = rows.map(({ id }) => id) as [number, number];
});
afterEach(async () => expect(await wrongBalances(database.pool)).toBe(0));

it('is sent, failed and sent again without a change of what was mined', async () => {
  expect(await owed()).toEqual([9_604_000, 19_600]);
  expect(await accrual()).toEqual([{ status: 'payable', payment: referral }]);
  await move(referral, { status: 'queued' });
  await move(referral, { status: 'sent', txid: '1'.repeat(64) });
  expect([await owed(), await accrual()]).toEqual([[9_604_000, 0], [{ status: 'paid', payment: referral }]]);
  await move(referral, { status: 'failed', note: 'bounced' });
  expect([await owed(), await accrual()]).toEqual([[9_604_000, 19_600], [{ status: 'payable', payment: referral }]]);
  await move(referral, { status: 'queued', note: 'again' });
  await move(referral, { status: 'unknown' });
  await move(referral, { status: 'sent', txid: '2'.repeat(64) });
  expect(await owed()).toEqual([9_604_000, 0]);
});

it('is paid to no address that is not there any more', async () => {
  await database.pool.query('update app_user set referral_address = null where id = 2');
  await expect(move(referral, { status: 'queued' })).rejects.toMatchObject({ code: 'no_address' });
});

it('does not wait for what holds up mined money, nor for who has set its address', async () => {
  await database.pool.query(
    "update sub_account set payout_paused = true, address_hold_until = '2030-01-01Z', address_set_by = 1 where id = 2",
  );
  await expect(move(mining, { status: 'queued' })).rejects.toMatchObject({ code: 'address_hold' });
  const { rows } = await database.pool.query<{ version: number }>('select version from payment where id = $1', [
    referral,
  ]);
  const read = { status: 'queued', version: rows[0]?.version ?? 0 } as const;
  await transaction(database.pool, (client) => movePayment(client, referral, read, NOW, 1));
  await database.pool.query('update app_user set referral_hold_until = to_timestamp($1::float8 + 1) where id = 2', [
    NOW,
  ]);
  await expect(move(referral, { status: 'unknown' })).rejects.toMatchObject({ code: 'address_hold' });
  await database.pool.query('update app_user set referral_hold_until = to_timestamp($1::float8) where id = 2', [NOW]);
  expect(await move(referral, { status: 'unknown' })).toMatchObject({ before: 'queued', status: 'unknown' });
});

it('is refused where the referrer is owed less, however much was mined; that is paid meanwhile', async () => {
  await move(referral, { status: 'queued' });
  await transaction(database.pool, (client) =>
    book(
      client,
      'earning_reversal',
      [
        { party: 'referrer', userId: 2, amountSat: -1, ref: 'x' },
        { party: 'mined', amountSat: 1, ref: 'x' },
      ],
      NOW,
    ),
  );
  for (const change of [{ status: 'unknown' as const }, { status: 'sent' as const, txid: '1'.repeat(64) }])
    await expect(move(referral, change)).rejects.toMatchObject({ code: 'balance_too_low' });
  await move(mining, { status: 'queued' });
  await move(mining, { status: 'sent', txid: '1'.repeat(64) });
  expect(await owed()).toEqual([0, 19_599]);
});

it('is opened anew after it was cancelled', async () => {
  await move(referral, { status: 'cancelled' });
  expect([await owed(), await accrual()]).toEqual([[9_604_000, 19_600], [{ status: 'accrued', payment: null }]]);
  expect(await openPayments(database.pool, NOW)).toMatchObject([{ subAccountId: 2 }]);
  expect(await accrual()).toMatchObject([{ status: 'payable' }]);
});

const correct = (account: string, from: number, grossSat: number) =>
  transaction(database.pool, (client) =>
    adjustEarning(
      client,
      { account, algorithm: 'SHA256_ASICBOOST', day: DAY, grossSat, expectedGrossSat: from, note: 'x', userId: 1 },
      NOW,
    ),
  );

const failed: Unread<Change>[] = [{ status: 'queued' }, { status: 'failed', note: 'no node' }];
it.each<[string, Unread<Change>[], Unread<Change>[], object]>([
  ['still waits', [], [], { status: 'payable' }],
  ['has failed', failed, [], { status: 'payable' }],
  ['was cancelled', [], [{ status: 'cancelled' }], { status: 'accrued' }],
])('of an earning corrected to nothing and back it is of the payment that %s', async (_, before, meanwhile, after) => {
  for (const change of before) await move(referral, change);
  await correct('cat', 9_800_000, 0);
  expect([await owed(), await accrual()]).toMatchObject([[9_604_000, 0], [{ status: 'reversed' }]]);
  for (const change of meanwhile) await move(referral, change);
  await correct('cat', 0, 9_800_000);
  expect([await owed(), await accrual()]).toMatchObject([[9_604_000, 19_600], [after]]);
  const opened = await openPayments(database.pool, NOW);
  expect(opened).toHaveLength(meanwhile.length);
  const id = opened[0]?.id ?? referral;
  await move(id, { status: 'queued', note: 'now' });
  await move(id, { status: 'sent', txid: '1'.repeat(64) });
  expect([await owed(), await accrual()]).toEqual([[9_604_000, 0], [{ status: 'paid', payment: id }]]);
});

it('at a node it stays owed: what it is of is corrected once its end is known', async () => {
  await move(referral, { status: 'queued' });
  await move(referral, { status: 'unknown' });
  // Corrections that leave enough for the payment are booked: one that changes the referrer's share by nothing, and more.
  await correct('cat', 9_800_000, 9_800_001);
  expect(await owed()).toEqual([9_604_000, 19_600]);
  await correct('cat', 9_800_001, 9_900_000);
  await correct('cat', 9_900_000, 9_800_000);
  await expect(correct('cat', 9_800_000, 9_799_000)).rejects.toMatchObject({ code: 'payment_under_way' });
  // The payment is of referral money: ben's own earnings can be corrected meanwhile.
  await correct('ben', 9_800_000, 0);
  expect(await owed()).toEqual([0, 19_600]);
  await move(referral, { status: 'sent', txid: '1'.repeat(64) });
  await correct('cat', 9_800_000, 4_900_000);
  // The next referral money makes up for it.
  expect([await owed(), await accrual()]).toEqual([[0, -9_800], [{ status: 'paid', payment: referral }]]);
});
