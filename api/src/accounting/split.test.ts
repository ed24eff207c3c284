import fc from 'fast-check';
import { earnedFor } from './pay-per-share';
import { split } from './split';

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
      { numRuns: 100_000 },
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

describe('earnedFor', () => {
  it("pays the day's price for a day at 1 PH/s", () => {
    const work = (1e15 * 86_400) / 2 ** 32;
    expect(earnedFor('SHA256_ASICBOOST', work, { priceBtc: 0.00049 }, 1.5)).toEqual({
      grossSat: 49_000,
      feeSat: 735,
      netSat: 48_265,
    });
    expect(earnedFor('SCRYPT', (1e12 * 86_400) / 2 ** 16, { priceBtc: 0.0092 }, 0)).toEqual({
      grossSat: 920_000,
      feeSat: 0,
      netSat: 920_000,
    });
  });
  it('never creates or loses a satoshi between fee and net', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e15, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (work, fee) => {
          const { grossSat, feeSat, netSat } = earnedFor('SHA256_ASICBOOST', work, { priceBtc: 0.00049 }, fee);
          return feeSat + netSat === grossSat && feeSat >= 0 && netSat >= 0;
        },
      ),
      { numRuns: 20_000 },
    );
  });
});
