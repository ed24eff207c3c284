import fc from 'fast-check';
import { compareDays, type ComparedDay } from './compare';
import { grossOf, partsOf } from './pay-per-share';

const ALGORITHM = 'SHA256_ASICBOOST';
type Facts = {
  hashrate?: number;
  uptime?: number;
  accepted?: number;
  price?: number;
  fee?: number;
  corrected?: number;
};
function earned({
  hashrate = 1e15,
  uptime = 1,
  accepted = 1,
  price = 0.0005,
  fee = 1,
  corrected = 0,
}: Facts): ComparedDay {
  const meanHashrate = hashrate * uptime * accepted;
  const { netSat } = partsOf(grossOf(ALGORITHM, meanHashrate, price), fee, 0);
  const net = netSat + corrected;
  return { algorithm: ALGORITHM, net, corrected, meanHashrate, price, feePercent: fee, uptime, accepted };
}
const only = (facts: Facts) => new Map([['anna', earned(facts)]]);
const NOTHING = new Map<string, ComparedDay>();
const linesOf = (...of: Parameters<typeof compareDays>) =>
  compareDays(...of).lines.map(({ cause, sats }) => [cause, sats]);

test.each([
  [{ hashrate: 0.9e15 }, 'hashrate', -4950],
  [{ uptime: 0.5 }, 'uptime', -24_750],
  [{ accepted: 0.98 }, 'rejects', -990],
  [{ price: 0.00055 }, 'price', 4950],
  [{ fee: 2 }, 'fee', -500],
  [{ corrected: 7 }, 'correction', 7],
])('what alone changed has the whole difference: %j', (facts, cause, sats) => {
  expect(linesOf(only(facts), [only({})])).toEqual([[cause, sats]]);
});

test('several causes share the difference, each by its own step', () => {
  const changed = { hashrate: 0.9e15, uptime: 0.5, accepted: 0.9, price: 0.001, fee: 2, corrected: 7 };
  expect(linesOf(only(changed), [only({ corrected: 3 })])).toEqual([
    ['hashrate', -4950],
    ['uptime', -22_275],
    ['rejects', -2228],
    ['price', 20_048],
    ['fee', -405],
    ['correction', 4],
  ]);
});

test('a week before counts by its mean, and what rounding leaves is of the largest line', () => {
  const before = [{}, { hashrate: 2e15 }, { fee: 3 }].map(only);
  expect(compareDays(only({}), before)).toEqual({
    days: 3,
    beforeSat: 65_667,
    lines: [
      { cause: 'hashrate', sats: -16_500 },
      { cause: 'fee', sats: 333 },
    ],
  });
});

test('a day without work is one of no uptime, before and after', () => {
  expect(linesOf(NOTHING, [only({})])).toEqual([['uptime', -49_500]]);
  expect(linesOf(only({ hashrate: 2e15 }), [NOTHING])).toEqual([['uptime', 99_000]]);
  expect(linesOf(NOTHING, [NOTHING])).toEqual([]);
});

test('the lines always add up to the difference, against one day and against a week', () => {
  const part = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true });
  const facts = fc.record({
    hashrate: part(1e9, 1e19),
    uptime: part(0.001, 1),
    accepted: part(0.01, 1),
    price: part(1e-6, 0.01),
    fee: part(0, 100),
    corrected: fc.integer({ min: -5000, max: 5000 }),
  });
  const day = fc
    .uniqueArray(fc.constantFrom('anna', 'boris', 'carla'))
    .chain((names) => fc.tuple(...names.map((name) => facts.map((one) => [name, earned(one)] as const))))
    .map((parts) => new Map(parts));
  fc.assert(
    fc.property(day, fc.array(day, { minLength: 1, maxLength: 7 }), (that, before) => {
      const net = [...that.values()].reduce((total, one) => total + one.net, 0);
      const { beforeSat, lines } = compareDays(that, before);
      expect(lines.every(({ sats }) => Number.isSafeInteger(sats))).toBe(true);
      expect(lines.reduce((total, { sats }) => total + sats, 0)).toBe(net - beforeSat);
    }),
  );
});
