import { estimateOf } from './estimate';

const NOW = Date.UTC(2026, 10, 20) / 1000;
const pool = { priceBtc: 0.0005, feePercent: 2 };
const balance = { unpaidSat: 0, thresholdSat: 100_000 };

test('what 200 TH/s earn a day, less the fee, and the day after the threshold is reached', () => {
  // 0.2 PH/s x 50,000 sat x 98 %; 100,000 sat are eleven days of it.
  expect(estimateOf('SHA256_ASICBOOST', 2e14, pool, balance, NOW)).toEqual({
    daySat: 9_800,
    payoutAt: Date.UTC(2026, 11, 2) / 1000,
  });
  expect(estimateOf('SHA256_ASICBOOST', 2e14, pool, { ...balance, unpaidSat: 95_000 }, NOW).payoutAt).toBe(
    Date.UTC(2026, 10, 22) / 1000,
  );
});
test('a machine that needs years, or earns less than a satoshi, has no day of a payout', () => {
  expect(estimateOf('SHA256_ASICBOOST', 1e12, pool, balance, NOW)).toEqual({ daySat: 49, payoutAt: null });
  expect(estimateOf('SHA256_ASICBOOST', 1e6, pool, balance, NOW)).toEqual({ daySat: 0, payoutAt: null });
});
