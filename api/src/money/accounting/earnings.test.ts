/** Closes each day once, opens each payment once, keeps balances exact (security.md 21, 22, 27, 29, 31, 32). */
import crypto from 'node:crypto';
import type { Pool } from 'pg';
import { SATS_PER_BTC } from '@pool/shared/domain';
import { Bus } from '../../platform/bus';
import { announceOn } from '../../platform/bus';
import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import { estimateOpenDays, satsPerHs, summaryOf, type Account } from '../payouts/balance';
import { earningsOf, monthlyOf } from '../payouts/earnings-list';
import { history } from '../../mining/shares/charts/charts';
import { windows } from '../../mining/shares/charts/windows';
import { countBatch } from '../../mining/shares/count-batch';
import { decodeShare, encodeShare } from '../../mining/shares/journal/share-line';
import { minuteBuckets } from '../../mining/shares/rollup';
import { countWork } from '../../mining/shares/testing/count-work';
import { transaction } from '../../platform/db/transaction';
import type { Share } from '../../stratum/ports';
import { closeDays } from './earnings';
import { dayCloser } from '../jobs/close-days';
import { lateWork } from '../../ops/late-work';
import { openPayments } from '../payouts/open-payments';
import { balanceOf, paymentsOf } from '../payouts/payments';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import { rowsOf } from '../../platform/db/querier';
import { pricesOf } from './prices';
import { poolStatistics } from './statistics';
import { keepSetting, nextTerm, setTerm, termOn } from './terms';
import {
  activate,
  makeCode,
  referralFrom,
  type ReferralRow,
  referralSelect,
  referralShares,
  referralStats,
  referralTerms,
} from '../referral/referral';

const A = 'SHA256_ASICBOOST';
const TERMS = { poolFeePercent: 1.5 };
/** Work of 1 PH/s for an hour, as a sum of difficulties. */
const PH_HOUR = (1e15 * 3600) / 2 ** 32;
const DAY = '2026-11-18';
const NOW = startOfDay(addDays(DAY, 1)) + 3600;

let pool: Pool;
const database = databaseOfFile();
beforeAll(() => {
  ({ pool } = database);
});

describe('closing days', () => {
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
    const opened = { status: 'pending', periodTo: DAY };
    expect(rows.toSorted((a, b) => a.account.localeCompare(b.account))).toMatchObject([
      { ...opened, account: 'alice', amountSat: 48_265, reason: 'review', address: 'bc1qexample' },
      { ...opened, account: 'bob', amountSat: 2041 + 4083, reason: 'no_address', address: null },
    ]);
    await pool.query("update sub_account set btc_address = 'bc1qbob' where name = 'bob'");
    expect(await openPayments(pool, NOW)).toEqual([]);
    expect((await paymentsOf(pool, [2], {}, { limit: 1, offset: 0 })).rows[0]).toMatchObject({
      reason: 'review',
      address: 'bc1qbob',
    });
  });

  it('returns the time of the next payout, or the reason why there is none', async () => {
    await closeDays(pool, TERMS, NOW);
    expect(await summaryOf(pool, [{ ...alice, thresholdSat: 100_000 }], NOW)).toMatchObject({
      unpaidSat: 48_265,
      yesterdaySat: 48_265,
      nextPayout: { reason: 'below_threshold', at: `${addDays(DAY, 3)}T00:30:00.000Z` },
    });
    expect((await summaryOf(pool, [alice], NOW)).nextPayout).toEqual({
      at: `${addDays(DAY, 2)}T00:30:00.000Z`,
      reason: null,
      sooner: null,
    });
    const below = { ...alice, thresholdSat: 100_000 };
    expect((await summaryOf(pool, [{ ...below, btcAddress: null }], NOW)).nextPayout.reason).toBe('no_address');
    expect((await summaryOf(pool, [{ ...below, payoutPaused: true }], NOW)).nextPayout.reason).toBe('paused');
    const addressHoldUntil = new Date((NOW + 3600) * 1000);
    expect((await summaryOf(pool, [{ ...alice, id: 3, addressHoldUntil }], NOW)).nextPayout).toEqual({
      at: addressHoldUntil.toISOString(),
      reason: 'address_hold',
      sooner: null,
    });
    await openPayments(pool, NOW);
    expect((await summaryOf(pool, [alice], NOW)).nextPayout).toEqual({ at: null, reason: 'review', sooner: null });
    // A payment that is on its way, or may be, is neither held up nor waited for.
    for (const status of ['queued', 'unknown']) {
      await pool.query('update payment set status = $1 where sub_account_id = 1', [status]);
      const { nextPayout } = await summaryOf(pool, [{ ...alice, addressHoldUntil, payoutPaused: true }], NOW);
      expect(nextPayout).toEqual({ at: null, reason: null, sooner: null });
    }
    expect((await summaryOf(pool, [{ ...alice, id: 3 }], NOW)).nextPayout).toEqual({
      at: null,
      reason: 'below_threshold',
      sooner: null,
    });
  });

  it.each([
    ['reached to the satoshi', 48_265, { at: 2, reason: null }],
    ['a satoshi short of it', 48_266, { at: 2, reason: 'below_threshold' }],
    ['reached in a year', 366 * 48_265, { at: 366, reason: 'below_threshold' }],
    ['reached in more than a year', 366 * 48_265 + 1, { at: null, reason: 'below_threshold' }],
  ])('a threshold that is %s', async (_, thresholdSat, { at, reason }) => {
    await closeDays(pool, TERMS, NOW);
    expect((await summaryOf(pool, [{ ...alice, thresholdSat }], NOW)).nextPayout).toMatchObject({
      at: at && `${addDays(DAY, at)}T00:30:00.000Z`,
      reason,
    });
  });

  it('offers a lower threshold that pays within a week, where that is at least a week earlier', async () => {
    await closeDays(pool, TERMS, NOW);
    const soonerOf = async (facts: Partial<Account>) =>
      (await summaryOf(pool, [{ ...alice, ...facts }], NOW)).nextPayout.sooner;
    // 48,265 sats are unpaid, and each day brings as many: after seven more days they are 386,120.
    const offered = { thresholdSat: 200_000, at: `${addDays(DAY, 5)}T00:30:00.000Z` };
    expect(await soonerOf({ thresholdSat: 100_000_000 })).toEqual(offered);
    // Reached after 11 days and after 10.
    expect(await soonerOf({ thresholdSat: 579_000 })).toEqual(offered);
    expect(await soonerOf({ thresholdSat: 530_000 })).toBeNull();
    expect(await soonerOf({ thresholdSat: 10_000 })).toBeNull();
    const far = { thresholdSat: 100_000_000 };
    expect(await soonerOf({ ...far, payoutPaused: true })).toBeNull();
    expect(await soonerOf({ ...far, btcAddress: null })).toBeNull();
    expect(await soonerOf({ ...far, id: 3 })).toBeNull();
    // Bob has 6,124 unpaid sats. With what a week brings he is just below the least threshold, then just at it.
    const earned = (sats: number) =>
      pool.query('update earning set net_sat = $1, gross_sat = fee_sat + $1 where sub_account_id = 2', [sats]);
    await earned(550);
    expect(await soonerOf({ ...far, id: 2 })).toBeNull();
    await earned(560);
    const least = { thresholdSat: 10_000, at: `${addDays(DAY, 8)}T00:30:00.000Z` };
    expect(await soonerOf({ ...far, id: 2 })).toEqual(least);
    // A round amount is offered that is reached to the satoshi.
    await earned(500);
    const give = (sats: number) =>
      pool.query(
        `insert into ledger (party, sub_account_id, kind, amount_sat, ref)
         values ('account', 2, 'bonus', $1::bigint, $1), ('pool', null, 'bonus', -$1::bigint, $1)`,
        [sats],
      );
    await give(6500 - 6124);
    expect(await soonerOf({ ...far, id: 2 })).toMatchObject({ thresholdSat: 10_000 });
    await give(10_000);
    expect(await soonerOf({ ...far, id: 2 })).toMatchObject({ thresholdSat: 20_000 });
    // What is left of who mines no more is paid the next day, the least threshold too.
    await earned(0);
    await give(-6500);
    expect(await soonerOf({ ...far, id: 2 })).toEqual({ ...least, at: `${addDays(DAY, 2)}T00:30:00.000Z` });
  });

  it('estimates yesterday until it is closed', async () => {
    const midnight = startOfDay(addDays(DAY, 1)) + 60;
    await pool.query(
      `insert into account_10m (sub_account_id, algorithm, at, accepted, shares)
       select sub_account_id, algorithm, at, accepted, shares from account_1h`,
    );
    const summary = () => summaryOf(pool, [{ ...alice, thresholdSat: 100_000 }], midnight);
    const days = async () =>
      (await earningsOf(pool, [alice], {}, { limit: 10, offset: 0 }, midnight)).rows.map(({ day, status }) => [
        day,
        status,
      ]);
    const before = await summary();
    expect(before.yesterdayEstimated).toBe(true);
    expect(await days()).toEqual([[DAY, 'estimated']]);
    // The day before is still open: it waits for an admin.
    await closeDays(pool, TERMS, midnight, DAY);
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

  it('estimates each open day from its own work, that of its first ten minutes too', async () => {
    await pool.query(
      `insert into account_10m (sub_account_id, algorithm, at, accepted, shares)
       select sub_account_id, algorithm, at, accepted, shares from account_1h`,
    );
    // An algorithm of another version of the pool.
    await pool.query(
      "insert into account_10m (sub_account_id, algorithm, at, accepted, shares) values (1, 'X11', $1, 9, 9)",
      [`${DAY}T12:00Z`],
    );
    // The newer terms of his user are the ones that count.
    const bob = { ...alice, id: 2, name: 'bob', userId: 2, thresholdSat: 1 };
    await pool.query(
      `insert into day_price (day, algorithm, price_btc, btc_price_usd, source) values ($1, $2, 0.00098, 200000, 'market')`,
      [addDays(DAY, 1), A],
    );
    const expected = [
      // The ten minutes from midnight on have the work of an hour; yesterday had two such hours, at half the price.
      [addDays(DAY, 1), 'bob', 4083],
      [DAY, 'alice', 48_265],
      [DAY, 'bob', 4083],
    ];
    const estimated = async () =>
      (await estimateOpenDays(pool, [alice, bob], NOW)).map(({ day, account, netSat }) => [day, account, netSat]);
    expect(await estimated()).toEqual(expected);
    await closeDays(pool, TERMS, NOW, addDays(DAY, -1));
    expect(await estimated()).toEqual(expected);
    const [today] = await estimateOpenDays(pool, [bob], NOW);
    expect(await satsPerHs(pool, [bob], A, NOW)).toBe(4083 / (today?.meanHashrate ?? 0));
    const sums = { todayEstimateSat: 4083, todayBtcPriceUsd: 200_000, yesterdayBtcPriceUsd: 100_000 };
    expect(await summaryOf(pool, [bob], NOW)).toMatchObject({ ...sums, yesterdaySat: 4083, yesterdayEstimated: true });
    const carol = { ...alice, id: 3, name: 'carol', userId: 3 };
    expect(await summaryOf(pool, [carol], NOW)).toMatchObject({ yesterdaySat: 0, yesterdayEstimated: false });
    await closeDays(pool, TERMS, NOW, DAY);
    expect(await estimated()).toEqual(expected.slice(0, 1));
    // Work that is counted late is no open day's.
    await pool.query(
      'insert into account_10m (sub_account_id, algorithm, at, accepted, shares) values (3, $1, $2, 9, 9)',
      [A, `${DAY}T12:00Z`],
    );
    expect(await estimateOpenDays(pool, [carol], NOW)).toEqual([]);
    expect(await summaryOf(pool, [], NOW)).toMatchObject({ unpaidSat: 0, todayEstimateSat: 0, paceSat: 0 });
    // Each is paid by itself.
    expect(await summaryOf(pool, [alice, bob], NOW)).toMatchObject({
      ...sums,
      thresholdSat: 40_001,
      yesterdaySat: 48_265 + 4083,
      nextPayout: { at: null, reason: 'below_threshold', sooner: null },
    });
  });

  it('sums up the fourteen days before today, and no others', async () => {
    await closeDays(pool, TERMS, NOW, DAY);
    const today = dayOf(NOW);
    for (const ago of [15, 14, 2, 0])
      await pool.query(
        `insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd,
           fee_percent, gross_sat, fee_sat, net_sat)
         values (1, $1, $2, 1, 1, 1, 1, 1, 0, $3, 0, $3)`,
        [A, addDays(today, -ago), 1000 + ago],
      );
    const { lastDaysSat, paceSat } = await summaryOf(pool, [alice], NOW);
    expect(lastDaysSat).toEqual([1014, ...Array<number>(11).fill(0), 1002, 48_265]);
    // A usual day is of the last seven, without those that brought nothing.
    expect(paceSat).toBe(Math.round((1002 + 48_265) / 2));
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
    expect((await satsPerHs(pool, [alice], A, NOW)) ?? 0).toBeCloseTo(
      (estimate?.netSat ?? 0) / (estimate?.meanHashrate ?? 1),
      20,
    );
    expect(((await satsPerHs(pool, [alice], A, NOW)) ?? 0) * 1e15).toBeCloseTo(48_265, -2);
    expect(await satsPerHs(pool, [alice], 'SCRYPT', NOW)).toBeUndefined();
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
    expect((await monthlyOf(pool, [1], NOW)).at(-1)).toEqual({ month: '2026-11', netSat: 48_265, paidSat: 0 });
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
    // The price at which a day was closed is the price of that day from then on.
    await pool.query("update day_price set known_at = '2026-11-01T12:00:00Z'");
    await closeDays(pool, TERMS, NOW, DAY);
    const { rows } = await pool.query(
      `select algorithm, price_btc, btc_price_usd, source, known_at < day_price.day as before
       from day_price
       where day = $1
       order by 1`,
      [DAY],
    );
    expect(rows).toEqual([
      { algorithm: 'SCRYPT', price_btc: expect.any(Number), btc_price_usd: 100_000, source: 'default', before: false },
      { algorithm: A, price_btc: 0.0005, btc_price_usd: 90_000, source: 'market', before: true },
    ]);
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
  beforeEach(async () => {
    await emptyTables(database);
    await insertUsers(database, 'ann', 'benjamin', 'cathie', 'dan');
  });

  it('are activated once, not by their owner, not in a loop, and not that of a disabled user', async () => {
    const codes: string[] = [];
    // The second user's first code is the one that the first has.
    let drawn = 0;
    const draw = jest.spyOn(crypto, 'randomInt').mockImplementation(() => ((drawn += 1) <= 20 ? 0 : drawn % 31));
    for (const id of [1, 2, 3, 4]) codes.push(await makeCode(pool, id));
    draw.mockRestore();
    expect(codes.slice(0, 2)).toEqual(['2222222222', 'QRSTUVWXYZ']);
    const [ann = '', ben = '', cat = ''] = codes;
    expect(await activate(pool, 1, 'NOTACODE')).toEqual('referral_unknown');
    expect(await activate(pool, 1, ann)).toEqual('referral_own');
    expect(await activate(pool, 2, ` ${ann}\n`, '203.0.113.9')).toBeNull();
    expect(await activate(pool, 2, cat)).toEqual('referral_already_active');
    expect(await activate(pool, 3, ben)).toBeNull();
    expect(await activate(pool, 1, cat)).toEqual('referral_loop');
    await pool.query('update app_user set disabled = true where id = 1');
    expect(await activate(pool, 4, ann)).toEqual('referral_expired');
    // Their names are known to friends only.
    expect((await pool.query('select user_id, values from notification order by id')).rows).toEqual([
      { user_id: 1, values: { name: 'be***n' } },
      { user_id: 2, values: { name: 'ca***' } },
    ]);
    expect((await pool.query('select user_id, ip, after from audit order by id')).rows).toEqual([
      { user_id: 2, ip: '203.0.113.9', after: { referrerId: 1 } },
      { user_id: 3, ip: null, after: { referrerId: 2 } },
    ]);
    await countWork(pool, [{ subAccountId: 2, at: NOW, accepted: 1 }]);
    const activeAt = async (now: number) => (await referralStats(pool, 1, now)).active;
    expect([await activeAt(NOW + 86_399), await activeAt(NOW + 86_400)]).toEqual([1, 0]);
  });
});

describe('changed settings of the operator count from the next UTC day on', () => {
  const NEXT = addDays(DAY, 1);
  beforeEach(async () => {
    await emptyTables(database);
    await insertUsers(database, 'alice', 'friend');
  });
  const work = (day: string): Promise<unknown> =>
    pool.query(
      `insert into account_1h (sub_account_id, algorithm, at, accepted, stale, rejected, shares)
       values (1, 'SCRYPT', $1, 1e9, 0, 0, 1)`,
      [`${day}T00:00:00Z`],
    );
  const fees = async (): Promise<unknown[]> =>
    (await pool.query('select day, fee_percent as fee from earning order by 1')).rows;
  /** A day that is closed with the setting at `poolFeePercent`. */
  const close = (poolFeePercent: number): Promise<unknown> =>
    closeDays(pool, { poolFeePercent }, startOfDay(addDays(DAY, 3)));

  const joinedOn = (day: string): Promise<unknown> =>
    pool.query('insert into referral (user_id, referrer_id, activated_at) values (1, 2, $1)', [`${day}T12:00:00Z`]);
  const shareOn = async (day: string) => (await referralShares(pool, day, [1])).get(1)?.ratePercent;

  it('the day of the change and open days before it keep the fee, the next day has the new one', async () => {
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
    await joinedOn('2026-11-01');
    expect(await shareOn(DAY)).toBe(10);
    expect(await keepSetting(pool, 'referral_percent', 12.5, DAY)).toBeNull();
    expect(await shareOn(DAY)).toBe(12.5);
    expect(await keepSetting(pool, 'referral_percent', 20, DAY)).toEqual({ before: 12.5, since: NEXT });
    expect([await shareOn(DAY), await shareOn(NEXT)]).toEqual([12.5, 20]);
    const both = await rowsOf<ReferralRow>(pool)`${referralSelect([1], DAY, NEXT)}`;
    expect([DAY, NEXT].map((day) => referralFrom(both, day).get(1)?.ratePercent)).toEqual([12.5, 20]);
    expect(await referralTerms(pool, NEXT)).toEqual({ ratePercent: 20, months: 12 });
  });

  it('so do changed months, of those who have joined too', async () => {
    await joinedOn('2026-08-01');
    await keepSetting(pool, 'referral_months', 6, DAY);
    await keepSetting(pool, 'referral_months', 3, DAY);
    expect([await shareOn(DAY), await shareOn(NEXT)]).toEqual([10, undefined]);
    expect(await referralTerms(pool, DAY)).toEqual({ ratePercent: 10, months: 6 });
  });
});

describe('work for own upstream pools', () => {
  const TIME = Math.floor(Date.now() / 1000);
  // More than 24 h ago at any time of the day.
  const DAY_BEFORE = addDays(dayOf(TIME), -2);
  let sequence = 0;

  const share = (change: Partial<Share>): Share => ({
    subAccountId: 1,
    algorithm: A,
    worker: 'rig',
    difficulty: 1e9,
    outcome: 'accepted',
    at: TIME * 1000,
    ...change,
  });
  const count = (...shares: Share[]) =>
    transaction(pool, (client) =>
      countBatch(client, { proxyId: 'test', sequence: (sequence += 1) }, minuteBuckets(shares)),
    );

  beforeAll(async () => {
    await emptyTables(database);
    await insertUsers(database, 'alice', 'bob');
  });

  it('marks work for an own pool in the journal', () => {
    for (const one of [share({}), share({ ownPool: true })]) expect(decodeShare(encodeShare(one))).toEqual(one);
    // A journal line of a version without own pools.
    expect(decodeShare(JSON.stringify([TIME * 1000, 1, A, 'rig', 'accepted', 1e9]))).toEqual(share({}));
  });

  it("shows own work in the account's and the worker's charts, not in the pool's, and pays nothing for it", async () => {
    const noon = startOfDay(DAY_BEFORE) + 43_200;
    // Two shares of alice go to her own pool, at difficulty 1e18; one of hers and one of bob's go to the pool's upstream.
    for (const at of [noon * 1000, TIME * 1000])
      await count(
        share({ ownPool: true, difficulty: 1e18, at }),
        share({ ownPool: true, difficulty: 1e18, at: at + 1 }),
        share({ at }),
        share({ subAccountId: 2, at }),
      );
    const { rows } = await pool.query(
      `select sub_account_id as id, sum(accepted) as accepted, sum(shares)::int as shares,
         sum(own_accepted) as own, sum(own_shares)::int as "ownShares"
       from account_1h
       group by 1
       order by 1`,
    );
    expect(rows).toEqual([
      { id: 1, accepted: 2e9, shares: 2, own: 4e18, ownShares: 4 },
      { id: 2, accepted: 2e9, shares: 2, own: 0, ownShares: 0 },
    ]);
    const { rows: ofWorker } = await pool.query(
      `select sum(shares)::int as shares, sum(accepted) as accepted
       from share_1h s
       join worker w on w.sub_account_id = s.sub_account_id and w.id = s.worker_id
       where w.sub_account_id = 1`,
    );
    expect(ofWorker).toEqual([{ shares: 6, accepted: 4e18 + 2e9 }]);

    expect((await windows(pool, { of: 'accounts', ids: [1], algorithm: A }, TIME)).quality).toMatchObject({
      accepted: expect.closeTo(2e18 + 1e9, -10),
      shares: 3,
    });
    expect((await windows(pool, { of: 'pool', algorithm: A }, TIME)).quality).toMatchObject({
      accepted: 2e9,
      shares: 2,
    });
    const highest = async (source: Parameters<typeof history>[1]) =>
      Math.max(...(await history(pool, source, 'd7', TIME + 3600)).accepted.map((rate) => rate ?? 0));
    expect(await highest({ of: 'accounts', ids: [1], algorithm: A })).toBeGreaterThan(
      1e6 * (await highest({ of: 'pool', algorithm: A })),
    );
    const [statistics] = await poolStatistics(pool, TIME);
    expect(statistics?.hashrate).toBeLessThan(1e18);

    await closeDays(pool, { poolFeePercent: 1.5 }, TIME, DAY_BEFORE);
    const { rows: earned } = await pool.query(
      'select sub_account_id as id, work, shares, gross_sat from earning order by 1',
    );
    expect(earned).toEqual([
      { id: 1, work: 1e9, shares: 1, gross_sat: earned[1]?.gross_sat },
      { id: 2, work: 1e9, shares: 1, gross_sat: earned[1]?.gross_sat },
    ]);
    const accounts = [1, 2].map((id) => ({
      id,
      name: `${id}`,
      userId: id,
      thresholdSat: 1,
      feePercent: 1.5,
      btcAddress: null,
      addressHoldUntil: null,
      payoutPaused: false,
    }));
    const [first, second] = await estimateOpenDays(pool, accounts, TIME);
    expect(first?.grossSat).toBe(second?.grossSat);
  });
});
