import { readTimeframe, usualTimeframe } from './chart-place';

test('reads a known timeframe from the URL, else null', () => {
  const read = (query: string) => readTimeframe(new URLSearchParams(query));
  expect(read('')).toBeNull();
  expect(read('timeframe=y1')).toBe('y1');
  expect(read('timeframe=y1000')).toBeNull();
});

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
