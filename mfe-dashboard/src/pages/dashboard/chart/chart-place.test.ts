import { usualTimeframe } from './chart-place';

test('the default is a day, or live for a new miner without an hour of history', () => {
  const gaps = Array.from({ length: 143 }, () => null);
  expect(usualTimeframe(undefined, undefined)).toBe('d1');
  expect(
    usualTimeframe(
      gaps.map(() => 1e12),
      1e12,
    ),
  ).toBe('d1');
  expect(usualTimeframe([...gaps, 1e3], 1e3)).toBe('h2');
  expect(usualTimeframe(gaps, 0)).toBe('d1');
});
