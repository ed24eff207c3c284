import { readChartPlace, writeChartPlace } from './chart-place';

const read = (query: string) => readChartPlace(new URLSearchParams(query), 'utc');

test('a day in the usual zone, unless the address says otherwise', () => {
  expect(read('')).toEqual({ timeframe: 'd1', zone: 'utc' });
  expect(read('timeframe=y1&tz=local')).toEqual({ timeframe: 'y1', zone: 'local' });
});

test('nonsense in the address falls back', () => {
  expect(read('timeframe=y1000&tz=mars')).toEqual({ timeframe: 'd1', zone: 'utc' });
});

test('writing leaves out defaults and keeps account and algorithm', () => {
  const start = new URLSearchParams('account=hall-b&timeframe=d7');
  expect(writeChartPlace(start, { zone: 'local' }, 'utc').toString()).toBe('account=hall-b&timeframe=d7&tz=local');
  expect(writeChartPlace(start, { timeframe: 'd1' }, 'utc').toString()).toBe('account=hall-b');
});
