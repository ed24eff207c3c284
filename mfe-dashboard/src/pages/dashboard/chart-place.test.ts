import { readChartPlace, usualTimeframe, writeChartPlace } from './chart-place';

const read = (query: string) => readChartPlace(new URLSearchParams(query), 'utc');

test('nothing chosen, in the usual zone, unless the address says otherwise', () => {
  expect(read('')).toEqual({ timeframe: null, zone: 'utc' });
  expect(read('timeframe=y1&tz=local')).toEqual({ timeframe: 'y1', zone: 'local' });
});

test('nonsense in the address falls back', () => {
  expect(read('timeframe=y1000&tz=mars')).toEqual({ timeframe: null, zone: 'utc' });
});

test('writing keeps account and algorithm, and leaves out the usual zone', () => {
  const start = new URLSearchParams('account=hall-b&timeframe=d7');
  expect(writeChartPlace(start, { zone: 'local' }, 'utc').toString()).toBe('account=hall-b&timeframe=d7&tz=local');
  expect(writeChartPlace(start, { timeframe: 'd1', zone: 'utc' }, 'utc').toString()).toBe(
    'account=hall-b&timeframe=d1',
  );
});

test('a day, unless a new miner has no day yet', () => {
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
