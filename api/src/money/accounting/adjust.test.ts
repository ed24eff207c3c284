/** A correction is of one account, algorithm and day, and pays late work only as far as it was counted. */
import { countWork } from '../../mining/shares/testing/count-work';
import { addDays, startOfDay } from '../../platform/days';
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { transaction } from '../../platform/db/transaction';
import { insertUsers } from '../jobs/testing/miners';
import { wrongBalances } from '../ledger/ledger';
import { adjustEarning, adjustmentsOf, type NewAdjustment } from './adjust';
import { closeDays } from './earnings';

const A = 'SHA256_ASICBOOST';
const DAY = '2026-11-10';
const NEXT = addDays(DAY, 1);
const NOW = startOfDay('2026-11-20') + 7200;
const WORK = 1e9;
const database = databaseOfFile();
const sql = async <T = object>(text: string): Promise<T[]> => (await database.pool.query(text)).rows as T[];

type Row = { account: number; algorithm: string; day: string; gross: number };
const EARNED = `select sub_account_id as account, algorithm, day, gross_sat as gross, net_sat, fee_sat, referral_sat,
    status
  from earning order by 1, 2, 3`;
const ACCRUED = `select sub_account_id as account, algorithm, day, base_fee_sat as fee, amount_sat as sats, status
  from referral_accrual order by 1, 2, 3`;
const isIt = ({ account, algorithm, day }: Row): boolean => account === 3 && algorithm === A && day === DAY;
const IDS: Partial<Record<string, number>> = { cat: 3, dan: 4 };
const grossOf = async ({ account = 'cat', algorithm = A, day = DAY }: Partial<NewAdjustment> = {}): Promise<number> =>
  (await sql<Row>(EARNED)).find((row) => row.account === IDS[account] && row.algorithm === algorithm && row.day === day)
    ?.gross ?? -1;
const correct = async (grossSat: number, change: Partial<NewAdjustment> = {}) => {
  const expectedGrossSat = await grossOf(change);
  const correction = {
    account: 'cat',
    algorithm: A,
    day: DAY,
    note: 'x',
    userId: 1,
    grossSat,
    expectedGrossSat,
  } as const;
  return transaction(database.pool, (client) => adjustEarning(client, { ...correction, ...change }, NOW));
};
const OTHERS: Partial<NewAdjustment>[] = [{ day: NEXT }, { algorithm: 'SCRYPT' }, { account: 'dan' }];
const paidWork = async () =>
  (await sql<{ work: number }>('select work from earning_adjustment order by id')).map(({ work }) => work);

/** Ben refers cat and dan, who mine both algorithms on two days. */
beforeEach(async () => {
  await insertUsers(database);
  await sql(`insert into referral (user_id, referrer_id, activated_at)
    values (3, 2, '2026-01-02Z'), (4, 2, '2026-01-02Z')`);
  await countWork(
    database.pool,
    [3, 4].flatMap((subAccountId) =>
      [DAY, NEXT].flatMap((day) => [
        { subAccountId, at: startOfDay(day), accepted: WORK * 1000 },
        { subAccountId, algorithm: 'SCRYPT' as const, at: startOfDay(day), accepted: WORK },
      ]),
    ),
  );
  for (const day of [DAY, NEXT]) await closeDays(database.pool, { poolFeePercent: 2 }, NOW, day);
});
afterEach(async () => {
  expect(await wrongBalances(database.pool)).toBe(0);
  expect(await sql('select sum(amount_sat) as sats from ledger')).toEqual([{ sats: 0 }]);
});

it('changes nothing of other accounts, algorithms and days', async () => {
  const [earned, accrued] = [await sql<Row>(EARNED), await sql<Row>(ACCRUED)];
  expect([earned.length, accrued.length]).toEqual([8, 8]);
  await correct(1_000_000);
  const after = { gross: 1_000_000, fee_sat: 20_000, net_sat: 980_000, referral_sat: 2000, status: 'adjusted' };
  expect(await sql(EARNED)).toEqual(earned.map((row) => (isIt(row) ? { ...row, ...after } : row)));
  const share = { fee: 20_000, sats: 2000 };
  expect(await sql(ACCRUED)).toEqual(accrued.map((row) => (isIt(row) ? { ...row, ...share } : row)));
  // The first of another day, algorithm or account is not a second one of this.
  for (const other of OTHERS) await correct(0, other);
  const refs = await sql<{ ref: string }>(
    `select ref from ledger where party = 'account' and ref like '%#%' order by ref`,
  );
  expect(refs.map(({ ref }) => ref)).toEqual([`${A}/${DAY}#2`]);
});

it('of an accrual that is paid is in the balance only', async () => {
  await sql("update referral_accrual set status = 'paid'");
  const accrued = await sql(ACCRUED);
  for (const grossSat of [1_000_000, 0, 500_000]) await correct(grossSat);
  expect(await sql(ACCRUED)).toEqual(accrued);
  expect(
    await sql(`select sum(amount_sat) as sats from ledger where party = 'referrer' and ref like '3/${A}/${DAY}%'`),
  ).toEqual([{ sats: 1000 }]);
});

it('is refused to one that has read another gross, and is of earnings that there are', async () => {
  const gross = await grossOf();
  await expect(correct(5, { expectedGrossSat: gross + 1 })).rejects.toMatchObject({ code: 'earning_changed' });
  const both = await Promise.allSettled([1, 2].map((sats) => correct(sats, { expectedGrossSat: gross })));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  for (const other of [{ account: 'ann' }, { account: 'nobody' }, { day: '2026-11-12' }])
    expect(await correct(5, other)).toBeNull();
});

it('pays late work as far as it was counted on that day, and takes it back when it is reversed', async () => {
  const paid = WORK * 1000;
  const late = { subAccountId: 3, accepted: WORK };
  await countWork(database.pool, [
    { ...late, at: startOfDay(DAY) - 3600 },
    { ...late, at: startOfDay(DAY) + 23 * 3600 },
    { ...late, subAccountId: 4, at: startOfDay(DAY) + 3600 },
    { ...late, algorithm: 'SCRYPT', at: startOfDay(DAY) + 3600 },
  ]);
  const gross = await grossOf();
  await correct(gross + 3, { paidWork: paid - 1 });
  await correct(gross + 2, { paidWork: paid + 1 });
  await correct(gross + 5);
  await correct(gross + 9, { paidWork: 1e15 });
  await correct(gross + 5);
  await correct(gross + 7);
  expect(await paidWork()).toEqual([paid, paid + 1, paid + 1, paid + WORK, paid + 1, paid + 1]);
});

it('is listed by the beginning of a name of its account or user; the last one of an earning is marked', async () => {
  await sql("update app_user set user_name = 'felix' where id = 3");
  const gross = await grossOf();
  await correct(gross + 1);
  await correct(gross + 2);
  for (const other of OTHERS) await correct(7, other);
  const listed = async (search?: string) =>
    (await adjustmentsOf(database.pool, search, { limit: 10, offset: 0 })).rows.map(({ account, last }) => [
      account,
      last,
    ]);
  const ofCat = [
    ['cat', true],
    ['cat', true],
    ['cat', true],
    ['cat', false],
  ];
  expect(await listed()).toEqual([['dan', true], ...ofCat]);
  for (const search of ['CA', 'fel']) expect([search, await listed(search)]).toEqual([search, ofCat]);
  for (const search of ['at', '%', 'ben']) expect([search, await listed(search)]).toEqual([search, []]);
});
