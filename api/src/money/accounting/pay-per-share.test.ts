/** No satoshi is created or lost between mined, pool, miner and referrer (security.md 27). HEAVY=1: 100,000 runs. */
import fc from 'fast-check';
import { grossOf, meanHashrateOf, partsOf, split } from './pay-per-share';
import { newcomerUse } from './terms';

const numRuns = process.env.HEAVY ? 100_000 : 5000;
const percent = fc.double({ min: 0, max: 100, noNaN: true });
/** One account's day: work, price, fee, newcomer rule, referrer. */
const account = fc.record({
  algorithm: fc.constantFrom('SHA256_ASICBOOST' as const, 'SCRYPT' as const),
  work: fc.double({ min: 0, max: 24e12, noNaN: true }),
  priceBtc: fc.double({ min: 1e-9, max: 0.1, noNaN: true }),
  feePercent: percent,
  referralPercent: fc.option(percent),
  rule: fc.option(
    fc.record({
      costBtc: fc.double({ min: 0, max: 1, noNaN: true }),
      adjustPercent: fc.double({ min: -100, max: 100, noNaN: true }),
    }),
  ),
});

describe('a closed day', () => {
  it('sums to zero over all parties for any shares, prices, fees and referrals', () => {
    fc.assert(
      fc.property(account, ({ algorithm, work, priceBtc: poolPriceBtc, feePercent, referralPercent, rule }) => {
        const { use, priceBtc } = newcomerUse(rule, algorithm, poolPriceBtc);
        const gross = grossOf(algorithm, meanHashrateOf(algorithm, work, use?.adjustPercent), priceBtc);
        const { grossSat, netSat, feeSat, referralSat } = partsOf(gross, feePercent, referralPercent ?? 0);
        const whole = [grossSat, netSat, feeSat, referralSat].every((sats) => Number.isSafeInteger(sats) && sats >= 0);
        return whole && referralSat <= feeSat && grossSat === netSat + feeSat;
      }),
      { numRuns },
    );
  });

  it('hashrates far above 2^53 stay exact enough, money stays in whole satoshis', () => {
    const work = (1e24 * 86_400) / 2 ** 32;
    const mean = meanHashrateOf('SHA256_ASICBOOST', work);
    expect(mean / 1e24).toBeCloseTo(1, 12);
    const { grossSat, feeSat, netSat } = partsOf(grossOf('SHA256_ASICBOOST', mean, 0.00049), 1.5, 0);
    // 490,000 bitcoins a day: at that size the rounding factor (1 + 1e-12) adds up to 49 satoshis.
    expect(Number.isSafeInteger(grossSat)).toBe(true);
    expect(grossSat - 49_000_000_000_000).toBeGreaterThanOrEqual(0);
    expect(grossSat - 49_000_000_000_000).toBeLessThanOrEqual(49);
    expect(feeSat + netSat).toBe(grossSat);
  });

  it("at 1 PH/s, or 1 TH/s, earns the day's price", () => {
    const gross = grossOf('SHA256_ASICBOOST', meanHashrateOf('SHA256_ASICBOOST', (1e15 * 86_400) / 2 ** 32), 0.00049);
    expect(partsOf(gross, 1.5, 0)).toEqual({ grossSat: 49_000, feeSat: 735, netSat: 48_265, referralSat: 0 });
    expect(partsOf(gross, 1.5, 10)).toMatchObject({ feeSat: 735, referralSat: 74 });
    expect(grossOf('SCRYPT', 1e12, 1.9e-8)).toBe(1);
    expect(grossOf('SCRYPT', meanHashrateOf('SCRYPT', (1e12 * 86_400) / 2 ** 16), 0.0092)).toBe(920_000);
  });
});

it('the newcomer rule adds to, or takes from, the hashrate of the work', () => {
  const of = (adjustPercent: number) => meanHashrateOf('SCRYPT', 86_400, adjustPercent) / 2 ** 16;
  expect([0, 25, -25, -100].map(of)).toEqual([1, 1.25, 0.75, 0]);
});

describe('split', () => {
  it('returns parts that sum to the total, each within one satoshi of its exact share', () => {
    const weights = fc.array(percent, { minLength: 1, maxLength: 6 }).filter((all) => all.some((one) => one > 1e-6));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 21e14 }), weights, (total, given) => {
        const parts = split(total, given);
        const sum = given.reduce((a, b) => a + b, 0);
        const isNear = (part: number, i: number) => Math.abs(part - total * ((given[i] ?? 0) / sum)) <= 1;
        return (
          parts.reduce((a, b) => a + b, 0) === total &&
          parts.every((part, i) => Number.isSafeInteger(part) && part >= 0 && isNear(part, i))
        );
      }),
      { numRuns },
    );
  });

  it.each([
    [-1, [1]],
    [1.5, [1]],
    [1, []],
    [1, [-1, 2]],
    [1, [Infinity]],
  ])('refuses %p by %p', (total, weights) => {
    expect(() => split(total, weights)).toThrow(RangeError);
  });

  it('gives the odd satoshi to the largest remainder', () => {
    expect(split(10, [1, 2.9])).toEqual([3, 7]);
    expect(split(10, [2.9, 1])).toEqual([7, 3]);
    expect(split(5, [1.1, 1.4, 1.2])).toEqual([1, 2, 2]);
    expect(split(10, [1, 1, 1])).toEqual([4, 3, 3]);
    expect(split(100, [1.5, 98.5])).toEqual([2, 98]);
    expect(split(0, [1, 2])).toEqual([0, 0]);
  });

  it('takes one that is too many, of rounding, from a part that has any', () => {
    const parts = split(9_007_199_254_740_460, [0, 9, 26, 9]);
    expect(parts).toEqual([0, 1_842_381_665_742_366, 5_322_435_923_255_727, 1_842_381_665_742_367]);
  });
});
