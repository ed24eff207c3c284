import { satsOf, typedOf } from './amount';

test.each([
  ['0.005', 500_000],
  ['0,00010000', 10_000],
  ['٠٫٠٥', 5_000_000],
  ['1', 100_000_000],
  [' 12.34567891 ', 1_234_567_891],
  ['90071992.54740991', 9_007_199_254_740_991],
])('%s bitcoin are %d satoshis', (typed, sats) => expect(satsOf(typed)).toBe(sats));

test.each(['', '0.123456789', '1.', '.5', '-1', '1e3', '0x10', '1 000'])('%j is not an amount', (typed) =>
  expect(satsOf(typed)).toBeNull(),
);

test.each([10_000, 500_000, 100_000_000, 1_234_567_891])('%d satoshis are typed and read the same', (sats) =>
  expect(satsOf(typedOf(sats))).toBe(sats),
);
