/** Settings of the operator that are changed count from the next UTC day on, whenever the days before are closed. */
import { addDays, startOfDay } from '../../platform/days';
import { emptyTables, databaseOfFile, insertUsers } from '../../platform/db/testing/test-database';
import { closeDays } from './earnings';
import { referralShares, referralTerms } from '../referral/referral';
import { keepSetting, nextTerm, setTerm, termOn } from './terms';
import { transaction } from '../../platform/db/transaction';

const DAY = '2026-11-18';
const NEXT = addDays(DAY, 1);
const NOW = startOfDay(addDays(DAY, 3));
const database = databaseOfFile();
beforeEach(async () => {
  await emptyTables(database);
  await insertUsers(database, 'alice', 'friend');
});
const work = (day: string): Promise<unknown> =>
  database.pool.query(
    `insert into account_1h (sub_account_id, algorithm, at, accepted, stale, rejected, shares)
     values (1, 'SCRYPT', $1, 1e9, 0, 0, 1)`,
    [`${day}T00:00:00Z`],
  );
const fees = async (): Promise<unknown[]> =>
  (await database.pool.query('select day, fee_percent as fee from earning order by 1')).rows;
/** A day that is closed with the setting at `poolFeePercent`. */
const close = (poolFeePercent: number): Promise<unknown> => closeDays(database.pool, { poolFeePercent }, NOW);

const joinedOn = (day: string): Promise<unknown> =>
  database.pool.query('insert into referral (user_id, referrer_id, activated_at) values (1, 2, $1)', [
    `${day}T12:00:00Z`,
  ]);
const shareOn = async (day: string) => (await referralShares(database.pool, day, [1])).get(1)?.ratePercent;

it('the day of the change and open days before it keep the fee, the next day has the new one', async () => {
  const { pool } = database;
  expect(await keepSetting(pool, 'default_fee', 1.5, addDays(DAY, -9))).toBeNull();
  expect(await keepSetting(pool, 'default_fee', 9, DAY)).toEqual({ before: 1.5, since: NEXT });
  // Started once more on that day.
  expect(await keepSetting(pool, 'default_fee', 9, DAY)).toEqual({ before: 1.5, since: NEXT });
  expect(await nextTerm(pool, 'pool_fee', DAY)).toEqual({ value: 9, since: NEXT });
  expect(await keepSetting(pool, 'default_fee', 9, NEXT)).toBeNull();
  for (const day of [addDays(DAY, -1), DAY, NEXT]) await work(day);
  await close(9);
  expect(await fees()).toEqual([
    { day: addDays(DAY, -1), fee: 1.5 },
    { day: DAY, fee: 1.5 },
    { day: NEXT, fee: 9 },
  ]);
});

it("a change that is taken back on its day is none, and an admin's fee is above the setting", async () => {
  const { pool } = database;
  await keepSetting(pool, 'default_fee', 1.5, DAY);
  await keepSetting(pool, 'default_fee', 9, DAY);
  expect(await keepSetting(pool, 'default_fee', 1.5, DAY)).toBeNull();
  expect(await nextTerm(pool, 'pool_fee', DAY)).toBeNull();
  expect(await termOn(pool, 'pool_fee', NEXT, 9)).toEqual({ value: 1.5, since: null });
  await transaction(pool, (client) => setTerm(client, 'pool_fee', 3, NEXT, 9));
  await keepSetting(pool, 'default_fee', 9, NEXT);
  expect(await termOn(pool, 'pool_fee', addDays(NEXT, 5), 9)).toEqual({ value: 3, since: NEXT });
  expect(await nextTerm(pool, 'pool_fee', NEXT)).toBeNull();
});

it('a changed part counts from the day after the change on', async () => {
  const { pool } = database;
  await joinedOn('2026-11-01');
  expect(await shareOn(DAY)).toBe(10);
  expect(await keepSetting(pool, 'referral_percent', 12.5, DAY)).toBeNull();
  expect(await shareOn(DAY)).toBe(12.5);
  expect(await keepSetting(pool, 'referral_percent', 20, DAY)).toEqual({ before: 12.5, since: NEXT });
  expect([await shareOn(DAY), await shareOn(NEXT)]).toEqual([12.5, 20]);
  expect(await referralTerms(pool, NEXT)).toEqual({ ratePercent: 20, months: 12 });
});

it('so do changed months, of those who have joined too', async () => {
  const { pool } = database;
  await joinedOn('2026-08-01');
  await keepSetting(pool, 'referral_months', 6, DAY);
  await keepSetting(pool, 'referral_months', 3, DAY);
  expect([await shareOn(DAY), await shareOn(NEXT)]).toEqual([10, undefined]);
  expect(await referralTerms(pool, DAY)).toEqual({ ratePercent: 10, months: 6 });
});
