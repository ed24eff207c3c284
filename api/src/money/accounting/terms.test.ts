import { addDays } from '../../platform/days';
import { isNewcomer, newcomerUse, termsFrom, type TermRows } from './terms';

const DAY = '2026-11-18';
const [BEFORE, AFTER] = ['2026-11-17', '2026-11-19'];
const ALICE = 1;
const OLD = new Date('2020-01-01T00:00:00Z');

type Stored = [name: string, since: string, value: number | null, userId?: number];
const termsOn = (stored: Stored[], user: Partial<TermRows['users']> = {}) => {
  const terms = stored.map(([name, since, value, userId = 0]) => ({ name, userId, since, value }));
  return termsFrom({ terms, users: [{ id: ALICE, created: OLD, fee: null, ...user }] }, DAY, 1.5).get(ALICE);
};

test.each<[what: string, stored: Stored[], fee: number | null, expected: number]>([
  ["the setting's, where nothing is stored", [], null, 1.5],
  ["the operator's of the day", [['default_fee', DAY, 2]], null, 2],
  ["the operator's of the next day", [['default_fee', AFTER, 2]], null, 1.5],
  [
    "an admin's is above the operator's, though that is newer",
    [
      ['pool_fee', BEFORE, 3],
      ['default_fee', DAY, 2],
    ],
    null,
    3,
  ],
  [
    'the latest that counts',
    [
      ['pool_fee', BEFORE, 3],
      ['pool_fee', DAY, 0],
      ['pool_fee', AFTER, 5],
    ],
    null,
    0,
  ],
  ["the user's own", [['pool_fee', DAY, 3]], 0.5, 0.5],
  ["a fee of the user's of 0", [['pool_fee', DAY, 3]], 0, 0],
  ["the user's of the day, not the one that came later", [['user_fee', DAY, 0.25, ALICE]], 0.5, 0.25],
  [
    "the user's from the next day on",
    [
      ['pool_fee', DAY, 3],
      ['user_fee', AFTER, 0.25, ALICE],
    ],
    0.25,
    3,
  ],
  [
    "the user's that was taken away",
    [
      ['user_fee', BEFORE, 0.25, ALICE],
      ['user_fee', DAY, null, ALICE],
    ],
    null,
    1.5,
  ],
  ["another user's", [['user_fee', BEFORE, 0.25, 2]], null, 1.5],
])('the fee of a day is %s', (_, stored, fee, expected) => {
  expect(termsOn(stored, { fee })?.feePercent).toBe(expected);
});

test.each([
  [0, 0, null],
  [0.001, 0, { costBtc: 0.001, adjustPercent: 0 }],
  [0, 5, { costBtc: 0, adjustPercent: 5 }],
  [0, -5, { costBtc: 0, adjustPercent: -5 }],
])('a newcomer whose work costs %d and is changed by %d percent has the terms %j, another user none', (...given) => {
  const [cost, adjust, expected] = given;
  const stored: Stored[] = [
    ['newbee_cost', DAY, cost],
    ['newbee_adjust', DAY, adjust],
  ];
  expect(termsOn(stored, { created: new Date(`${DAY}T23:00:00Z`) })?.newcomer).toEqual(expected);
  expect(termsOn(stored)?.newcomer).toBeNull();
});

test('a user is a newcomer for thirty days, whatever the time of the registration', () => {
  for (const time of ['00:00:00.000Z', '23:59:59.999Z']) {
    const created = new Date(`${DAY}T${time}`);
    expect([0, 29, 30].map((days) => isNewcomer(created, addDays(DAY, days)))).toEqual([true, true, false]);
  }
});

test.each([
  ['SHA256_ASICBOOST', 0.001, -50, { adjustPercent: -50, poolPriceBtc: 0.0005 }, 0.001],
  ['SHA256_ASICBOOST', 0.001, 0, { adjustPercent: 0, poolPriceBtc: 0.0005 }, 0.001],
  ['SHA256_ASICBOOST', 0, -50, { adjustPercent: -50, poolPriceBtc: null }, 0.0005],
  ['SHA256_ASICBOOST', 0, 0, null, 0.0005],
  ['SCRYPT', 0.001, -50, { adjustPercent: -50, poolPriceBtc: null }, 0.0005],
  ['SCRYPT', 0.001, 0, null, 0.0005],
] as const)('%s of a newcomer, at a cost of %d and %d percent', (algorithm, costBtc, adjustPercent, use, priceBtc) => {
  expect(newcomerUse({ costBtc, adjustPercent }, algorithm, 0.0005)).toEqual({ use, priceBtc });
});
