/** The public list of prices has each day of the last year. */
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { priceHistory } from './price-history';

const database = databaseOfFile();

it('has the price that counted on each day, no default, and goes to today', async () => {
  const { pool } = database;
  const now = Date.parse('2026-11-25T12:00:00Z') / 1000;
  await pool.query(
    `insert into day_price (day, algorithm, price_btc, btc_price_usd, source) values
       ('2025-06-01', 'SHA256_ASICBOOST', 0.0009, 90000, 'admin'), ('2026-11-20', 'SHA256_ASICBOOST', 0.0005, 100000, 'admin'),
       ('2026-11-22', 'SHA256_ASICBOOST', 0.0004, 100000, 'default'), ('2026-11-23', 'SHA256_ASICBOOST', 0.0006, 110000, 'source'),
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
    ['23', 0.0006],
    ['24', 0.0006],
    ['25', 0.0006],
  ]);
  expect(await priceHistory(pool, 'SCRYPT', now)).toEqual([]);
});
