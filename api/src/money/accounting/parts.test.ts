/** No satoshi is created or lost between mined, pool, miner and referrer (security.md 27). HEAVY=1: 100,000 runs. */
import fc from 'fast-check';
import { grossOf, meanHashrateOf, partsOf } from './pay-per-share';
import { newcomerUse } from './terms';

const numRuns = process.env.HEAVY ? 100_000 : 5000;
const percent = fc.double({ min: 0, max: 100, noNaN: true });
const algorithm = fc.constantFrom('SHA256_ASICBOOST' as const, 'SCRYPT' as const);
/** One account's day: share difficulties, price, fee, newcomer rule, referrer. */
const account = fc.record({
  algorithm,
  shares: fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { maxLength: 24 }),
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
type Given = typeof account extends fc.Arbitrary<infer T> ? T : never;

const close = ({ algorithm: name, shares, priceBtc: poolPriceBtc, feePercent, referralPercent, rule }: Given) => {
  const { use, priceBtc } = newcomerUse(rule, name, poolPriceBtc);
  const gross = grossOf(
    name,
    meanHashrateOf(
      name,
      shares.reduce((a, b) => a + b, 0),
      use?.adjustPercent,
    ),
    priceBtc,
  );
  return partsOf(gross, feePercent, referralPercent ?? 0);
};

describe('a closed day', () => {
  it('sums to zero over all parties for any shares, prices, fees and referrals', () => {
    fc.assert(
      fc.property(fc.array(account, { maxLength: 6 }), (accounts) => {
        const parties = { mined: 0, account: 0, referrer: 0, pool: 0 };
        for (const { grossSat, netSat, feeSat, referralSat } of accounts.map(close)) {
          if (
            ![grossSat, netSat, feeSat, referralSat].every((sats) => Number.isSafeInteger(sats) && sats >= 0) ||
            referralSat > feeSat
          )
            return false;
          parties.mined -= grossSat;
          parties.account += netSat;
          parties.referrer += referralSat;
          parties.pool += feeSat - referralSat;
        }
        return parties.mined + parties.account + parties.referrer + parties.pool === 0;
      }),
      { numRuns },
    );
  });

  it('does not depend on the order of the accounts', () => {
    fc.assert(
      fc.property(fc.array(account, { maxLength: 6 }), (accounts) => {
        expect([...accounts].reverse().map(close).reverse()).toEqual(accounts.map(close));
      }),
      { numRuns: numRuns / 10 },
    );
  });

  it('row 28: hashrates far above 2^53 stay exact enough, money stays in whole satoshis', () => {
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
});
