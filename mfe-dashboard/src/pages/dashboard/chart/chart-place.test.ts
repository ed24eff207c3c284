import { usualTimeframe } from './chart-place';
import { dayBars } from './day-bars';

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

test('each bar of the earnings leads to its day', () => {
  const format = { language: 'en', btc: String };
  const bars = dayBars([5, 6], 7, Date.parse('2026-11-20T14:32:00Z'), format, '/payments/');
  expect(bars.map(({ href, value, current }) => [href, value, current])).toEqual([
    ['/payments/?from=2026-11-18&to=2026-11-18', 5, false],
    ['/payments/?from=2026-11-19&to=2026-11-19', 6, false],
    ['/payments/?from=2026-11-20&to=2026-11-20', 7, true],
  ]);
});
