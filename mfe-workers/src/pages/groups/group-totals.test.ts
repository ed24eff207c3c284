import { worker } from '../../testing/worker';
import { groupTotals, sortGroups } from './group-totals';

test('sums hashrates and states per group; inactive workers are counted apart', () => {
  const workers = [
    worker({ group: 'Hall 2', h1: 90e12, h24: 91e12 }),
    worker({ group: 'Hall 10', h1: 10e12, h24: 20e12 }),
    worker({ group: 'Hall 10', state: 'low', h1: 5e12, h24: 30e12 }),
    worker({ group: 'Hall 10', state: 'inactive', h1: 0, h24: 7e12 }),
    worker({ group: null, state: 'offline', h1: 0, h24: 40e12 }),
  ];
  const totals = groupTotals(workers, ['Hall 2', 'Hall 10', 'Empty'], 1_795_184_000);
  // What loses most first, then by name, workers of no group last.
  expect(totals.map(({ name }) => name)).toEqual(['Hall 10', 'Hall 2', 'Empty', null]);
  expect(totals[0]).toMatchObject({
    name: 'Hall 10',
    online: 1,
    low: 1,
    offline: 0,
    inactive: 1,
    total: 2,
    m5: 2 * 91.2e12,
    h1: 15e12,
    h24: 50e12,
  });
  expect(totals[2]).toMatchObject({ total: 0, h1: 0 });
  expect(totals[3]).toMatchObject({ offline: 1, total: 1, h24: 40e12, lost: 91e12 });
  const by = (key: string, order: 'ascend' | 'descend') => sortGroups(totals, { key, order }).map(({ name }) => name);
  expect(by('name', 'descend')).toEqual(['Hall 10', 'Hall 2', 'Empty', null]);
  expect(by('offline', 'descend')[0]).toBeNull();
  expect(by('online', 'descend')[0]).toBe('Hall 2');
});
