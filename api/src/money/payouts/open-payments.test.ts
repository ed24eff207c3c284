/** Opening of payments: the accounts, the amounts, the first day, and the reason of a wait. */
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import { insertUsers } from '../jobs/testing/miners';
import { openPayments, refreshReasons } from './open-payments';
import { balanceOf } from './payments';

const NOW = startOfDay('2026-11-20') + 7200;
const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const OTHER = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
const database = databaseOfFile();
const sql = async <T = object>(text: string): Promise<T[]> => (await database.pool.query(text)).rows as T[];
const give = (party: 'account' | 'referrer', owner: number, sats: number) => {
  const [account, user] = party === 'account' ? [owner, null] : [null, owner];
  return sql(`insert into ledger (party, sub_account_id, user_id, kind, amount_sat, ref)
    select '${party}', ${account}::int, ${user}::int, 'bonus', ${sats}, count(*) from ledger
    union all select 'pool', null::int, null::int, 'bonus', -(${sats}), count(*) from ledger`);
};
const opened = async () => {
  await openPayments(database.pool, NOW);
  return sql(`select sub_account_id as account, amount_sat as sats, trigger, reason, address
    from payment order by 1, 3`);
};
const review = { trigger: 'auto', reason: 'review', address: ADDRESS };

beforeEach(() => insertUsers(database));

it.each([
  [1000, 999, false],
  [1000, 1000, true],
  [1000, -1, false],
  [0, 1, true],
  [0, -5, false],
  [10_000_000_000, 10_000_000_000, true],
])('a threshold of %s and a balance of %s', async (threshold, sats, isDue) => {
  await sql(`update sub_account set threshold_sat = ${threshold} where id = 1`);
  await give('account', 1, sats);
  await give('referrer', 1, 50_000);
  expect(await opened()).toEqual(isDue ? [{ account: 1, sats, ...review }] : []);
});

it('a balance that is nothing again is not paid, whatever its threshold', async () => {
  await sql('update sub_account set threshold_sat = 0');
  await give('account', 1, 5);
  await give('account', 1, -5);
  expect(await opened()).toEqual([]);
});

it.each([
  [
    "btc_address = null, address_hold_until = '2030-01-01Z', payout_paused = true",
    { reason: 'no_address', address: null },
  ],
  [`address_hold_until = to_timestamp(${NOW} + 1), payout_paused = true`, { reason: 'address_hold' }],
  [`address_hold_until = to_timestamp(${NOW}), payout_paused = true`, { reason: 'paused' }],
  [`address_hold_until = to_timestamp(${NOW})`, { reason: 'review' }],
])('an account with %s', async (facts, expected) => {
  await sql(`update sub_account set ${facts} where id = 1`);
  await give('account', 1, 1000);
  expect(await opened()).toEqual([{ account: 1, sats: 1000, ...review, ...expected }]);
});

it.each([
  ['pending', 0],
  ['queued', 0],
  ['unknown', 0],
  ['failed', 0],
  ['sent', 1],
  ['confirmed', 1],
  ['cancelled', 1],
])('beside one that is %s', async (status, more) => {
  await give('account', 1, 1000);
  await openPayments(database.pool, NOW);
  await sql(`set session_replication_role to replica;
    update payment set status = '${status}', txid = repeat('0', 64); set session_replication_role to origin`);
  await give('account', 1, 500);
  expect(await openPayments(database.pool, NOW + 60)).toHaveLength(more);
  // Money of another kind does not wait for it.
  await sql(`update app_user set referral_address = '${OTHER}', referral_hold_until = to_timestamp(${NOW} + 61)`);
  await give('referrer', 1, 10_000);
  expect(await openPayments(database.pool, NOW + 60)).toHaveLength(1);
  expect(await sql("select reason from payment where trigger = 'referral'")).toEqual([{ reason: 'address_hold' }]);
});

it('referral money is paid from its threshold on, to an address of its own, with the account of its name', async () => {
  await sql("insert into sub_account (user_id, name, btc_address) values (1, 'second', 'x')");
  await give('referrer', 1, 9999);
  await sql(`update app_user set referral_address = '${OTHER}', referral_hold_until = to_timestamp(${NOW})`);
  expect(await opened()).toEqual([]);
  await give('referrer', 1, 1);
  const payment = { account: 1, sats: 10_000, trigger: 'referral', address: OTHER };
  expect(await opened()).toEqual([{ ...payment, reason: 'review' }]);
  await sql(`update app_user set referral_hold_until = to_timestamp(${NOW} + 1)`);
  expect(await opened()).toEqual([{ ...payment, reason: 'address_hold' }]);
  await sql(`update app_user set referral_hold_until = to_timestamp(${NOW})`);
  await sql("update sub_account set payout_paused = true, address_hold_until = '2030-01-01Z'");
  expect(await opened()).toEqual([{ ...payment, reason: 'review' }]);
  expect(await sql('select version from payment')).toEqual([{ version: 3 }]);
});

it('a payment of referral money is of what its referrer has accrued and nobody was paid', async () => {
  const accrued = [
    [2, 1, 9, 'paid'],
    [2, 1, 7, 'accrued'],
    [2, 1, 5, 'accrued'],
    [2, 1, 4, 'reversed'],
    [3, 4, 8, 'accrued'],
  ] as const;
  for (const [user, referrer, ago, status] of accrued)
    await sql(`insert into referral_accrual (user_id, referrer_id, sub_account_id, algorithm, day, base_fee_sat,
        rate_percent, amount_sat, status)
      values (${user}, ${referrer}, ${user}, 'SCRYPT', '${addDays(dayOf(NOW), -ago)}', 1, 1, 1, '${status}')`);
  await sql(`update app_user set referral_address = '${OTHER}'`);
  await give('referrer', 1, 10_000);
  const [{ id } = { id: 0 }] = await openPayments(database.pool, NOW);
  expect(await sql('select period_from::text as since from payment')).toEqual([{ since: addDays(dayOf(NOW), -7) }]);
  expect(await sql('select status, payment_id as payment from referral_accrual order by user_id, day')).toEqual([
    { status: 'paid', payment: null },
    { status: 'payable', payment: id },
    { status: 'payable', payment: id },
    { status: 'reversed', payment: null },
    { status: 'accrued', payment: null },
  ]);
});

it('a payment is of the days after the last one that was not cancelled', async () => {
  const today = dayOf(NOW);
  const periods = async () =>
    (await sql<{ it: string[] }>('select array[period_from, period_to]::text[] as it from payment order by id')).map(
      ({ it: period }) => period,
    );
  for (const day of [3, 5])
    await sql(`insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc,
      btc_price_usd, fee_percent, gross_sat, fee_sat, net_sat)
      values (1, 'SCRYPT', '${addDays(today, -day)}', 1, 1, 1, 1, 1, 0, 1, 0, 1)`);
  await give('account', 1, 1000);
  await sql(`insert into payment (sub_account_id, period_from, period_to, amount_sat, trigger)
    values (1, '2026-11-01', '2026-11-16', 1, 'referral')`);
  await openPayments(database.pool, NOW);
  await sql("update payment set status = 'cancelled' where trigger = 'auto'");
  await openPayments(database.pool, NOW);
  await sql(`set session_replication_role to replica; update payment set status = 'sent', txid = repeat('0', 64)
    where status = 'pending' and trigger = 'auto'; set session_replication_role to origin`);
  await openPayments(database.pool, NOW + 2 * 86_400);
  const first = [addDays(today, -5), addDays(today, -1)];
  expect((await periods()).slice(1)).toEqual([first, first, [today, addDays(today, 1)]]);
});

it('what is due again is told of pending payments only, of one account or of all', async () => {
  for (const id of [1, 2, 3]) await give('account', id, 1000);
  await openPayments(database.pool, NOW);
  await sql("update payment set status = 'queued' where sub_account_id = 3");
  const before = await sql('select reason, address, version from payment order by sub_account_id');
  const seen = () => sql('select reason, address, version from payment order by sub_account_id');
  await sql('update sub_account set payout_paused = true');
  await refreshReasons(database.pool, NOW, 1);
  const paused = { reason: 'paused', address: ADDRESS, version: 2 };
  expect(await seen()).toEqual([paused, ...before.slice(1)]);
  // The version stays where nothing is new: an admin who has read the payment may still change it.
  for (let times = 0; times < 2; times += 1) await refreshReasons(database.pool, NOW);
  expect(await seen()).toEqual([paused, paused, before[2]]);
  await sql(`update sub_account set btc_address = '${OTHER}' where id = 2`);
  await refreshReasons(database.pool, NOW);
  expect((await seen())[1]).toEqual({ ...paused, address: OTHER, version: 3 });
  await sql(`update sub_account set payout_paused = false, address_hold_until = to_timestamp(${NOW}) where id = 1`);
  await refreshReasons(database.pool, NOW);
  expect((await seen())[0]).toEqual({ reason: 'review', address: ADDRESS, version: 3 });
});

it.each([
  ['sent', 'confirmed', 'pending'],
  ['confirmed', 'sent', 'failed'],
])(
  'of payments that are %s and then %s a balance names the last, and the one that is %s',
  async (first, last, open) => {
    const payments = [
      [1, first, 'auto'],
      [1, last, 'auto'],
      [1, 'cancelled', 'auto'],
      [1, open, 'auto'],
      [1, 'sent', 'referral'],
      [1, 'pending', 'referral'],
      [2, 'sent', 'auto'],
      [2, 'pending', 'auto'],
    ] as const;
    for (const [index, [account, status, trigger]] of payments.entries())
      await sql(`set session_replication_role to replica;
      insert into payment (sub_account_id, period_from, period_to, amount_sat, status, trigger, txid)
      values (${account}, '2026-11-18', '2026-11-18', ${index + 1}, '${status}', '${trigger}', repeat('0', 64));
      set session_replication_role to origin`);
    expect(await balanceOf(database.pool, 1)).toMatchObject({
      open: { account: 'ann', status: open, amountSat: 4 },
      heldSat: 4,
      last: { account: 'ann', status: last, amountSat: 2 },
    });
    expect(await balanceOf(database.pool, 3)).toMatchObject({ open: null, heldSat: 0, last: null });
  },
);
