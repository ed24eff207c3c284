import { rounded } from './rounded';

it.each([
  [7_527_810_687.653672, 6, 7_527_810_000],
  [91e12, 3, 91e12],
  [999_999, 3, 1_000_000],
  [1_000, 3, 1_000],
  [0.00016830334, 3, 0.000168],
  [9.9999, 3, 10],
  [0, 3, 0],
])('%d with %d digits is %d', (value, digits, expected) => {
  expect(rounded(value, digits)).toBe(expected);
});
