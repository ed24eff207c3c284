/** Closes each day once, opens each payment once, keeps balances exact (security.md 21, 22, 27, 29, 31, 32). */
import type { Pool } from 'pg';
import { SATS_PER_BTC } from '@pool/shared/domain';
import { Bus } from '../../platform/bus';
import { announceOn } from '../../messages/notifications';
import type { Database } from '../../platform/db/database';
import { emptyTables, insertUsers, testDatabase } from '../../platform/db/testing/test-database';
import { estimateOpenDays, satsPerHs, summaryOf, type Account } from '../payouts/balance';
import { earningsOf, monthlyOf } from '../payouts/earnings-list';
import { closeDays, DayNotClosed } from './earnings';
import { countWork } from '../../mining/shares/testing/count-work';
import { dayCloser } from '../jobs/close-days';
import { lateWork } from '../../ops/late-work';
import { openPayments } from '../payouts/open-payments';
import { balanceOf, paymentsOf } from '../payouts/payments';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import { pricesOf } from './prices';
import { activate, makeCode } from '../referral/referral';

const A = 'SHA256_ASICBOOST';
const TERMS = { poolFeePercent: 1.5 };
/** Work of 1 PH/s for an hour, as a sum of difficulties. */
const PH_HOUR = (1e15 * 3600) / 2 ** 32;
const DAY = '2026-11-18';
const NOW = startOfDay(addDays(DAY, 1)) + 3600;

describe('closing days', () => {
  let database: Database;
  let pool: Pool;
  const work = (rows: { account: number; at: number; hours?: number }[]) =>
    countWork(
      pool,
      rows.map(({ account, at, hours = 1 }) => {
        const accepted = PH_HOUR * hours;
        return { subAccountId: account, at, accepted, stale: 5, rejected: 5, shares: 10 };
      }),
    );
  const alice: Account = {
    id: 1,
    name: 'alice',
    userId: 1,
    thresholdSat: 40_000,
    feePercent: 1.5,
    btcAddress: 'bc1qexample',
    addressHoldUntil: null,
    payoutPaused: false,
  };
  beforeAll(async () => {
    database = await testDatabase();
    ({ pool } = database);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    await pool.query(
      `insert into app_user (identity_id, user_name, fee_percent)
       values ('user_1', 'alice', null), ('user_2', 'bob', 0), ('user_3', 'carol', null);
       insert into sub_account (user_id, name, threshold_sat, btc_address)
       values (1, 'alice', 40000, 'bc1qexample'), (2, 'bob', 1, null), (3, 'carol', default, null)`,
    );
    const start = startOfDay(DAY);
    await work(Array.from({ length: 24 }, (_, hour) => ({ account: 1, at: start + hour * 3600 })));
    // Bob has two hours on the day; the hour before and the hour after belong to other days.
    await work([
      { account: 2, at: start - 3600 },
      { account: 2, at: start },
      { account: 2, at: start + 23 * 3600 },
      { account: 2, at: start + 86_400 },
    ]);
  });

  it("pays each account its mean hashrate at the day's price, less its own fee", async () => {
    expect(await closeDays(pool, TERMS, NOW, DAY)).toEqual({
      days: 1,
      accounts: 2,
      grossSat: 49_000 + 4083,
      netSat: 48_265 + 4083,
    });
    const { rows } = await pool.query(
      `select sub_account_id as id, gross_sat, fee_sat, net_sat, fee_percent, price_btc, status
       from earning
       order by 1`,
    );
    expect(rows).toEqual([
      {
        id: 1,
        gross_sat: 49_000,
        fee_sat: 735,
        net_sat: 48_265,
        fee_percent: 1.5,
        price_btc: 0.00049,
        status: 'final',
      },
      { id: 2, gross_sat: 4083, fee_sat: 0, net_sat: 4083, fee_percent: 0, price_btc: 0.00049, status: 'final' },
    ]);
    expect((await balanceOf(pool, 1)).unpaidSat).toBe(48_265);
  });

  it('closes every finished day since the first work, and none twice', async () => {
    expect((await closeDays(pool, TERMS, NOW)).days).toBe(2);
    expect((await closeDays(pool, TERMS, NOW)).days).toBe(0);
    expect((await pool.query('select distinct day from earning order by 1')).rows).toEqual([
      { day: addDays(DAY, -1) },
      { day: DAY },
    ]);
    expect((await closeDays(pool, TERMS, NOW + 86_400)).days).toBe(1);
  });

  it('a closed day is closed again with the same sums: work that came late is not booked', async () => {
    await closeDays(pool, TERMS, NOW);
    const before = await closeDays(pool, TERMS, NOW, DAY);
    await work([{ account: 3, at: startOfDay(DAY) }]);
    expect(await closeDays(pool, TERMS, NOW, DAY)).toEqual(before);
    expect((await lateWork(pool, DAY)).map(({ account }) => account)).toEqual(['carol']);
  });

  it('refuses a day that is not over', async () => {
    await expect(closeDays(pool, TERMS, NOW, dayOf(NOW))).rejects.toThrow(DayNotClosed);
    await expect(closeDays(pool, TERMS, NOW, '2030-01-01')).rejects.toThrow(DayNotClosed);
  });

  it('does not change closed days when fees and prices change', async () => {
    await closeDays(pool, TERMS, NOW);
    const before = (await pool.query('select * from earning order by day, sub_account_id')).rows;
    await pool.query('update app_user set fee_percent = 50');
    await pool.query('update day_price set price_btc = 1');
    await closeDays(pool, { poolFeePercent: 90 }, NOW, DAY);
    expect((await pool.query('select * from earning order by day, sub_account_id')).rows).toEqual(before);
  });

  it('pays the referrer a share of the fee for a year', async () => {
    const code = await makeCode(pool, 3);
    expect(await makeCode(pool, 3)).toBe(code);
    expect(await activate(pool, 1, code.toLowerCase())).toBeNull();
    expect((await pool.query('select user_id from notification')).rows).toEqual([{ user_id: 3 }]);
    // The year ends with this day: the referrer gets nothing of the next.
    await pool.query("update referral set activated_at = '2025-11-19T00:00:00Z'");
    await work([{ account: 1, at: startOfDay(addDays(DAY, 1)) }]);
    await closeDays(pool, TERMS, NOW + 3 * 86_400);
    const { rows } = await pool.query(
      'select referrer_id, user_id, day, base_fee_sat, rate_percent, amount_sat, status from referral_accrual',
    );
    expect(rows).toEqual([
      { referrer_id: 3, user_id: 1, day: DAY, base_fee_sat: 735, rate_percent: 10, amount_sat: 74, status: 'accrued' },
    ]);
  });

  it('opens a payment at the threshold, with the reason why it waits', async () => {
    await closeDays(pool, TERMS, NOW);
    await openPayments(pool, NOW);
    const { rows } = await paymentsOf(pool, [1, 2, 3], {}, { limit: 10, offset: 0 });
    expect(
      rows.map(({ account, amountSat, status, reason, address, periodTo }) => ({
        account,
        amountSat,
        status,
        reason,
        address,
        periodTo,
      })),
    ).toEqual(
      expect.arrayContaining([
        {
          account: 'alice',
          amountSat: 48_265,
          status: 'pending',
          reason: 'review',
          address: 'bc1qexample',
          periodTo: DAY,
        },
        {
          account: 'bob',
          amountSat: 2041 + 4083,
          status: 'pending',
          reason: 'no_address',
          address: null,
          periodTo: DAY,
        },
      ]),
    );
    await pool.query("update sub_account set btc_address = 'bc1qbob' where name = 'bob'");
    expect(await openPayments(pool, NOW)).toEqual([]);
    expect((await paymentsOf(pool, [2], {}, { limit: 1, offset: 0 })).rows[0]).toMatchObject({
      reason: 'review',
      address: 'bc1qbob',
    });
  });

  it('returns the time of the next payout, or the reason why there is none', async () => {
    await closeDays(pool, TERMS, NOW);
    expect(await summaryOf(pool, { ...alice, thresholdSat: 100_000 }, NOW)).toMatchObject({
      unpaidSat: 48_265,
      yesterdaySat: 48_265,
      nextPayout: { reason: 'below_threshold', at: `${addDays(DAY, 3)}T00:30:00.000Z` },
    });
    expect((await summaryOf(pool, alice, NOW)).nextPayout).toEqual({
      at: `${addDays(DAY, 2)}T00:30:00.000Z`,
      reason: null,
    });
    const addressHoldUntil = new Date((NOW + 3600) * 1000);
    expect((await summaryOf(pool, { ...alice, id: 3, addressHoldUntil }, NOW)).nextPayout).toEqual({
      at: addressHoldUntil.toISOString(),
      reason: 'address_hold',
    });
    await openPayments(pool, NOW);
    expect((await summaryOf(pool, alice, NOW)).nextPayout).toEqual({ at: null, reason: 'review' });
    expect((await summaryOf(pool, { ...alice, id: 3 }, NOW)).nextPayout).toEqual({
      at: null,
      reason: 'below_threshold',
    });
  });

  it('estimates yesterday until it is closed', async () => {
    const midnight = startOfDay(addDays(DAY, 1)) + 60;
    await pool.query(
      `insert into account_10m (sub_account_id, algorithm, at, accepted, shares)
       select sub_account_id, algorithm, at, accepted, shares from account_1h`,
    );
    const summary = () => summaryOf(pool, { ...alice, thresholdSat: 100_000 }, midnight);
    const days = async () =>
      (await earningsOf(pool, [alice], {}, { limit: 10, offset: 0 }, midnight)).rows.map(({ day, status }) => [
        day,
        status,
      ]);
    const before = await summary();
    expect(before.yesterdayEstimated).toBe(true);
    expect(await days()).toEqual([[DAY, 'estimated']]);
    await closeDays(pool, TERMS, midnight);
    const after = await summary();
    expect(after.yesterdayEstimated).toBe(false);
    expect(await days()).toEqual([[DAY, 'final']]);
    // The work is the same, and the days until the payout are counted from the closing that comes next.
    expect(Math.abs(after.yesterdaySat - before.yesterdaySat)).toBeLessThanOrEqual(1);
    expect([before, after].map(({ lastDaysSat }) => lastDaysSat.at(-1))).toEqual([
      before.yesterdaySat,
      after.yesterdaySat,
    ]);
    expect(after.nextPayout).toEqual(before.nextPayout);
  });

  it("lists today's estimate first, and pages without losing a row", async () => {
    await closeDays(pool, TERMS, NOW);
    await work([{ account: 1, at: startOfDay(addDays(DAY, 1)) }]);
    await pool.query(
      `insert into account_10m (sub_account_id, algorithm, at, accepted, shares)
       select 1, $1, to_timestamp($2::float8 + n * 600), $3::float8 / 6, 1 from generate_series(0, 5) n
       on conflict do nothing`,
      [A, NOW - 3600, PH_HOUR],
    );
    const [estimate] = await estimateOpenDays(pool, [alice], NOW);
    // One hour at 1 PH/s; the estimate assumes the same for the rest of the day.
    expect(Math.abs((estimate?.grossSat ?? 0) / (0.00049 * SATS_PER_BTC) - 1)).toBeLessThan(0.2);
    expect(estimate?.status).toBe('estimated');
    // A petahash of a whole day, less the fee.
    expect((await satsPerHs(pool, alice, A, NOW)) ?? 0).toBeCloseTo(
      (estimate?.netSat ?? 0) / (estimate?.meanHashrate ?? 1),
      20,
    );
    expect(((await satsPerHs(pool, alice, A, NOW)) ?? 0) * 1e15).toBeCloseTo(48_265, -2);
    expect(await satsPerHs(pool, alice, 'SCRYPT', NOW)).toBeUndefined();
    const all = await earningsOf(pool, [alice], {}, { limit: 100, offset: 0 }, NOW);
    expect(all.rows.map((row) => row.status)).toEqual(['estimated', 'final']);
    const pages = [
      await earningsOf(pool, [alice], {}, { limit: 1, offset: 0 }, NOW),
      await earningsOf(pool, [alice], {}, { limit: 1, offset: 1 }, NOW),
    ];
    expect(pages.flatMap((page) => page.rows)).toEqual(all.rows);
    expect(pages.map((page) => page.total)).toEqual([2, 2]);
    expect(
      (await earningsOf(pool, [alice], { to: DAY }, { limit: 10, offset: 0 }, NOW)).rows.map((row) => row.day),
    ).toEqual([DAY]);
    expect((await monthlyOf(pool, [1], NOW)).at(-1)).toEqual({ month: '2026-11', netSat: 48_265 });
  });

  it('marks default prices, and uses the last known price on later days', async () => {
    expect((await pricesOf(pool, DAY))[A]).toMatchObject({
      priceBtc: 0.00049,
      btcPriceUsd: 100_000,
      source: 'default',
    });
    await pool.query(
      `insert into day_price (day, algorithm, price_btc, btc_price_usd, source)
       values ('2026-11-01', $1, 0.0005, 90000, 'market')`,
      [A],
    );
    expect((await pricesOf(pool, DAY))[A]).toMatchObject({
      priceBtc: 0.0005,
      btcPriceUsd: 90_000,
      source: 'market',
      day: '2026-11-01',
    });
    await expect(
      pool.query("insert into day_price (day, algorithm, price_btc, btc_price_usd) values ('2026-11-02', $1, 0, 1)", [
        A,
      ]),
    ).rejects.toThrow('day_price_bounds');
  });

  it('closes days, opens payments and notifies the owners in one run', async () => {
    const bus = new Bus();
    const events: string[] = [];
    bus.subscribe((event) => events.push(`${event.type} ${event.userId}`));
    announceOn(bus, pool);
    const closeAll = dayCloser({
      pool,
      bus,
      terms: TERMS,
      uncounted: async () => [],
      needsPrices: async () => false,
      now: async () => NOW,
    });
    expect(await closeAll()).toMatchObject({ days: 2, payments: 2 });
    expect(await closeAll()).toMatchObject({ days: 0, payments: 0 });
    expect(events.sort()).toEqual(['notification 1', 'notification 2', 'payment 1', 'payment 2']);
  });
});

describe('referral codes', () => {
  let database: Database;
  beforeAll(async () => {
    database = await testDatabase();
    await insertUsers(database, 'ann', 'ben', 'cat', 'dan');
  });
  afterAll(() => database.close());

  it('are activated once, not by their owner, not in a loop, also when two activations race', async () => {
    const { pool } = database;
    const codes: string[] = [];
    for (const id of [1, 2, 3, 4]) codes.push(await makeCode(pool, id));
    const [ann = '', ben = '', cat = '', dan = ''] = codes;
    expect(await activate(pool, 1, 'NOTACODE')).toEqual('referral_unknown');
    expect(await activate(pool, 1, ann)).toEqual('referral_own');
    expect(await activate(pool, 2, ann)).toBeNull();
    expect(await activate(pool, 2, cat)).toEqual('referral_already_active');
    expect(await activate(pool, 3, ben)).toBeNull();
    expect(await activate(pool, 1, cat)).toEqual('referral_loop');
    const race = await Promise.all([activate(pool, 1, dan), activate(pool, 4, cat)]);
    expect(race.filter((refused) => refused === null)).toHaveLength(1);
    const many = await Promise.all(Array.from({ length: 50 }, () => activate(pool, 4, ann)));
    expect(many.filter((refused) => refused === null).length).toBeLessThanOrEqual(1);
    await pool.query('update app_user set disabled = true where id = 1');
    expect(await activate(pool, 4, ann)).toEqual(expect.stringMatching(/referral_(expired|already_active)/));
  });
});
