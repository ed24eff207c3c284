/** Prices of days: which one counts, how far one is believed, and what is never overwritten. */
import { ALGORITHMS, priceBounds } from '@pool/shared/domain';
import { startOfDay } from '../../platform/days';
import { databaseOfFile, emptyTables } from '../../platform/db/testing/test-database';
import { transaction } from '../../platform/db/transaction';
import { bitcoinPrice, isFresh, priceChanges, priceHistory, priceInBounds, pricesSince, setPrice } from './prices';

const database = databaseOfFile();
const NOW = startOfDay('2026-11-20') + 3600;

describe('the history of prices', () => {
  it('has the price that counted on each day, no default, and goes to today', async () => {
    await emptyTables(database);
    const { pool } = database;
    const now = Date.parse('2026-11-25T12:00:00Z') / 1000;
    await pool.query(
      `insert into day_price (day, algorithm, price_btc, btc_price_usd, source) values
         ('2025-06-01', 'SHA256_ASICBOOST', 0.0009, 90000, 'admin'),
         ('2026-11-20', 'SHA256_ASICBOOST', 0.0005, 100000, 'admin'),
         ('2026-11-22', 'SHA256_ASICBOOST', 0.0004, 100000, 'default'),
         ('2026-11-23', 'SHA256_ASICBOOST', 0.00025, 110000, 'source'),
         ('2026-11-26', 'SHA256_ASICBOOST', 0.0001, 1000, 'admin')`,
    );
    const days = await priceHistory(pool, 'SHA256_ASICBOOST', now);
    expect(days).toHaveLength(365);
    expect(days[0]).toEqual({ day: '2025-11-26', priceBtc: 0.0009, btcPriceUsd: 90_000 });
    expect(days.slice(-7).map(({ day, priceBtc }) => [day.slice(8), priceBtc])).toEqual([
      ['19', 0.0009],
      ['20', 0.0005],
      ['21', 0.0005],
      ['22', 0.0005],
      ['23', 0.00025],
      ['24', 0.00025],
      ['25', 0.00025],
    ]);
    expect(await priceHistory(pool, 'SCRYPT', now)).toEqual([]);
    // A change is told once it is as large as asked, measured from the price that was told last.
    const changed = async (part: number, since = '2026-11-19', until = '2026-11-25') =>
      (await priceChanges(pool, 'SHA256_ASICBOOST', { since: startOfDay(since), until: startOfDay(until), part })).map(
        ({ at, before, priceBtc }) => [new Date(at * 1000).toISOString().slice(8, 10), before, priceBtc],
      );
    const all = [
      ['20', 0.0009, 0.0005],
      ['23', 0.0005, 0.00025],
    ];
    expect(await changed(0)).toEqual(all);
    expect(await changed(0.19)).toEqual(all);
    expect(await changed(0.45)).toEqual([['23', 0.0009, 0.00025]]);
    expect(await changed(0.5, '2026-11-20')).toEqual([all[1]]);
    expect(await priceChanges(pool, 'SCRYPT', { since: now, until: now, part: 0 })).toEqual([]);
    expect(await changed(0, '2026-11-19', '2026-11-22')).toEqual([all[0]]);
  });
});

describe('a price', () => {
  const A = 'SHA256_ASICBOOST';
  const { least, most } = priceBounds(A);
  it.each([
    [least, 100, true],
    [most, 10_000_000, true],
    [least * 0.999, 100, false],
    [most * 1.001, 100, false],
    [least, 99.99, false],
    [least, 10_000_001, false],
  ])('of %d at %d dollars is plausible: %s', (priceBtc, btcPriceUsd, expected) => {
    expect(priceInBounds({ algorithm: A, priceBtc, btcPriceUsd })).toBe(expected);
  });

  it.each([
    ['source', '2026-11-18', '2026-11-18', true],
    ['source', '2026-11-17', '2026-11-17', false],
    ['source', '2026-11-20', '2026-11-17', false],
    ['source', '2026-11-17', '2026-11-20', false],
    ['default', '2026-11-20', '2026-11-20', false],
    ['source', '2026-11-20', null, false],
    ['source', null, '2026-11-20', false],
  ])('%s, for %s and known since %s, is fresh two days later: %s', (source, day, known, expected) => {
    const knownAt = known === null ? null : new Date(`${known}T23:59:59Z`);
    expect(isFresh({ priceBtc: 1, btcPriceUsd: 1, source, day, knownAt }, '2026-11-20')).toBe(expected);
  });

  it('is set for days without earnings that are not closed; by hand it stays whatever a source says', async () => {
    await emptyTables(database);
    const { pool } = database;
    const days = { closed: '2026-11-18', earned: '2026-11-19', open: '2026-11-20' };
    await pool.query(
      `insert into app_user (id, identity_id, user_name) values (1, 'x', 'alice');
       insert into sub_account (id, user_id, name) values (1, 1, 'alice');
       insert into setting (name, value) values ('accounting.closed_through', '"${days.closed}"');
       insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd,
         fee_percent, gross_sat, fee_sat, net_sat)
       values (1, 'SCRYPT', '${days.earned}', 1, 1, 1, 0.0001, 1000, 0, 0, 0, 0)`,
    );
    const { defaultPriceBtc } = ALGORITHMS[A];
    await pool.query(
      "insert into day_price (day, algorithm, price_btc, btc_price_usd, source) values ($1, $2, $3, 7000, 'default')",
      [days.open, A, defaultPriceBtc],
    );
    expect(await bitcoinPrice(pool, NOW)).toEqual({ price: 7000, at: null, stale: true });
    await pool.query('delete from day_price');
    const set = (day: string, source: 'manual' | 'source', factor = 1) =>
      transaction(pool, (client) =>
        setPrice(client, day, { algorithm: A, priceBtc: defaultPriceBtc * factor, btcPriceUsd: 1000 }, source, NOW),
      );
    for (const day of [days.closed, days.earned]) expect(await set(day, 'manual')).toBeNull();
    expect(await set(days.open, 'source')).toMatchObject({ before: null, after: { source: 'source' } });
    expect(await set(days.open, 'manual', 1.5)).toMatchObject({ before: { source: 'source' } });
    expect(await set(days.open, 'source')).toMatchObject({ after: { source: 'manual' } });
    expect(await set(days.open, 'manual', 1.25)).toMatchObject({ after: { priceBtc: defaultPriceBtc * 1.25 } });
    expect((await pricesSince(pool, days.open)).map(({ day, source }) => [day, source])).toEqual([
      [days.open, 'manual'],
    ]);
    expect(await pricesSince(pool, '2026-11-21')).toEqual([]);
    const at = `${days.open}T00:00:00.000Z`;
    expect(await bitcoinPrice(pool, NOW)).toEqual({ price: 1000, at, stale: false });
  });
});
