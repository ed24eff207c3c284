import fc from 'fast-check';
import { grossOf, meanHashrateOf, partsOf, split } from './pay-per-share';

const amount = fc.integer({ min: 0, max: 21e14 });

describe('split', () => {
  it('returns parts that sum to the total, each within one satoshi of its exact share', () => {
    fc.assert(
      fc.property(
        amount,
        fc
          .array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 6 })
          .filter((w) => w.some((x) => x > 1e-6)),
        (total, weights) => {
          const parts = split(total, weights);
          const sum = weights.reduce((a, b) => a + b, 0);
          return (
            parts.reduce((a, b) => a + b, 0) === total &&
            parts.every(
              (part, i) =>
                Number.isSafeInteger(part) && part >= 0 && Math.abs(part - total * ((weights[i] ?? 0) / sum)) <= 1,
            )
          );
        },
      ),
      { numRuns: process.env.HEAVY ? 100_000 : 5000 },
    );
  });
  it.each([
    [-1, [1]],
    [1.5, [1]],
    [NaN, [1]],
    [1, [0, 0]],
    [1, [-1, 2]],
    [1, [Infinity]],
    [1, []],
  ])('refuses %p by %p', (total, weights) => {
    expect(() => split(total, weights)).toThrow(RangeError);
  });
  it('gives the odd satoshi to the largest remainder', () => {
    expect(split(10, [1, 1, 1])).toEqual([4, 3, 3]);
    expect(split(100, [1.5, 98.5])).toEqual([2, 98]);
    expect(split(0, [1, 2])).toEqual([0, 0]);
  });
});

test("a day at 1 PH/s and one at 1 TH/s earn the day's price", () => {
  const gross = grossOf('SHA256_ASICBOOST', meanHashrateOf('SHA256_ASICBOOST', (1e15 * 86_400) / 2 ** 32), 0.00049);
  expect(partsOf(gross, 1.5, 0)).toEqual({ grossSat: 49_000, feeSat: 735, netSat: 48_265, referralSat: 0 });
  expect(grossOf('SCRYPT', meanHashrateOf('SCRYPT', (1e12 * 86_400) / 2 ** 16), 0.0092)).toBe(920_000);
});
