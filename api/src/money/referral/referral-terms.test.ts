/** REFERRAL_PERCENT and REFERRAL_MONTHS that are changed count from the next UTC day on. */
import { keepSetting } from '../accounting/terms';
import { addDays } from '../../platform/days';
import { emptyTables, databaseOfFile } from '../../platform/db/testing/test-database';
import { referralShares, referralTerms } from './referral';

const DAY = '2026-11-18';
const NEXT = addDays(DAY, 1);
const database = databaseOfFile();
beforeEach(async () => {
  await emptyTables(database);
  await database.pool.query(
    "insert into app_user (id, identity_id, user_name) values (1, 'x', 'alice'), (2, 'y', 'friend')",
  );
  await database.pool.query("insert into sub_account (user_id, name) values (1, 'alice'), (2, 'friend')");
});
const joinedOn = (day: string): Promise<unknown> =>
  database.pool.query('insert into referral (user_id, referrer_id, activated_at) values (1, 2, $1)', [
    `${day}T12:00:00Z`,
  ]);
const shareOn = async (day: string) => (await referralShares(database.pool, day, [1])).get(1)?.ratePercent;

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
