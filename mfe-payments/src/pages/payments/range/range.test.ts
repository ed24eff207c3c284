import { daysOf, readRange, writeRange } from './range';

const TODAY = '2026-11-20';
const read = (search: string, kind: 'earnings' | 'payouts' = 'earnings') =>
  readRange(new URLSearchParams(search), kind, TODAY);

test('each preset is whole UTC days', () => {
  expect(daysOf('days30', TODAY)).toEqual({ from: '2026-10-22', to: TODAY });
  expect(daysOf('month', TODAY)).toEqual({ from: '2026-11-01', to: TODAY });
  expect(daysOf('last-month', TODAY)).toEqual({ from: '2026-10-01', to: '2026-10-31' });
  expect(daysOf('last-month', '2026-01-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(daysOf('last-month', '2028-03-05')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(daysOf('last-year', TODAY)).toEqual({ from: '2025-01-01', to: '2025-12-31' });
  expect(daysOf('all', TODAY)).toEqual({});
});

test('reads the range from the URL; the default is 30 days for earnings, all time for payouts', () => {
  expect(read('')).toEqual({ preset: 'days30', from: '2026-10-22', to: TODAY });
  expect(read('', 'payouts')).toEqual({ preset: 'all' });
  expect(read('range=month')).toMatchObject({ preset: 'month', from: '2026-11-01' });
  expect(read('from=2026-02-01&to=2026-02-10')).toEqual({ preset: null, from: '2026-02-01', to: '2026-02-10' });
});

test.each([
  'from=2026-02-31&to=2026-03-10',
  'from=2026-03-10&to=2026-03-01',
  'from=2026-03-10',
  'range=for-ever',
  'from=%00&to=1',
])('an invalid range is the default: %s', (search) => {
  expect(read(search).preset).toBe('days30');
});

test('choosing a range keeps the rest of the URL', () => {
  const params = new URLSearchParams('account=demo&tab=payouts&from=2026-02-01&to=2026-02-10');
  expect(writeRange(params, { preset: 'year' }).toString()).toBe('account=demo&tab=payouts&range=year');
  expect(writeRange(params, { from: '2026-01-01', to: '2026-01-02' }).toString()).toBe(
    'account=demo&tab=payouts&from=2026-01-01&to=2026-01-02',
  );
});
