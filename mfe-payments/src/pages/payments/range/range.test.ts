import { daysOf, rangeOf } from './range';

const TODAY = '2026-11-20';

test('each preset is whole UTC days', () => {
  expect(daysOf('days30', TODAY)).toEqual({ from: '2026-10-22', to: TODAY });
  expect(daysOf('month', TODAY)).toEqual({ from: '2026-11-01', to: TODAY });
  expect(daysOf('last-month', TODAY)).toEqual({ from: '2026-10-01', to: '2026-10-31' });
  expect(daysOf('last-month', '2026-01-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(daysOf('last-month', '2028-03-05')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(daysOf('last-year', TODAY)).toEqual({ from: '2025-01-01', to: '2025-12-31' });
  expect(daysOf('all', TODAY)).toEqual({});
});

test('days of the URL, then its preset, else the default: 30 days for earnings, all time for payouts', () => {
  expect(rangeOf({}, 'earnings', TODAY)).toEqual({ preset: 'days30', from: '2026-10-22', to: TODAY });
  expect(rangeOf({}, 'payouts', TODAY)).toEqual({ preset: 'all' });
  expect(rangeOf({ range: 'month' }, 'payouts', TODAY)).toMatchObject({ preset: 'month', from: '2026-11-01' });
  const days = { from: '2026-02-01', to: '2026-02-10' };
  expect(rangeOf({ ...days, range: 'month' }, 'earnings', TODAY)).toEqual({ preset: null, ...days });
  expect(rangeOf({ from: days.to, to: days.from }, 'earnings', TODAY).preset).toBe('days30');
  expect(rangeOf({ from: days.from }, 'earnings', TODAY).preset).toBe('days30');
});
