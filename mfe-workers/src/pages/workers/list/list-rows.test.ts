import { worker } from '../../../testing/worker';
import { filterWorkers, inNameOrder, sortWorkers } from './list-rows';

const workers = inNameOrder([
  worker({ name: 'rig-10', state: 'online', h24: 80e12 }),
  worker({ name: 'rig-2', state: 'online', h24: 90e12 }),
  worker({ name: 'low-a', state: 'low', h1: 60e12, h24: 100e12 }),
  worker({ name: 'low-b', state: 'low', h1: 30e12, h24: 100e12 }),
  worker({ name: 'gone', state: 'inactive', h24: 0, lastShareAt: 100, difficulty: null }),
  worker({ name: 'off-new', state: 'offline', lastShareAt: 5_000, difficulty: null }),
  worker({ name: 'off-old', state: 'offline', lastShareAt: 4_000, difficulty: null }),
]);
const names = (list: { name: string }[]) => list.map((w) => w.name);

test('problems first: offline for longest, then lowest hashrate, then the rest by name', () => {
  expect(names(sortWorkers(workers, { sort: 'trouble', direction: 'asc' }))).toEqual([
    'off-old',
    'off-new',
    'low-b',
    'low-a',
    'rig-2',
    'rig-10',
    'gone',
  ]);
});

test('digits inside names compare as numbers', () => {
  expect(names(sortWorkers(workers, { sort: 'name', direction: 'asc' })).slice(-2)).toEqual(['rig-2', 'rig-10']);
});

test('by hashrate, largest first; equal ones keep name order', () => {
  expect(names(sortWorkers(workers, { sort: 'h24', direction: 'desc' })).slice(0, 4)).toEqual([
    'low-a',
    'low-b',
    'off-new',
    'off-old',
  ]);
});

test('unknown values are last both ways', () => {
  const difficulty = (direction: 'asc' | 'desc') =>
    sortWorkers(workers, { sort: 'difficulty', direction })
      .slice(-3)
      .every((w) => w.difficulty === null);
  expect(difficulty('asc')).toBe(true);
  expect(difficulty('desc')).toBe(true);
});

test('All does not include inactive workers; their tab shows them', () => {
  expect(names(filterWorkers(workers, { tab: 'all', group: null, search: '' }))).not.toContain('gone');
  expect(names(filterWorkers(workers, { tab: 'inactive', group: null, search: '' }))).toEqual(['gone']);
});

test('searches a part of the name, in any case', () => {
  expect(names(filterWorkers(workers, { tab: 'all', group: null, search: ' RIG ' }))).toEqual(['rig-2', 'rig-10']);
  expect(names(filterWorkers(workers, { tab: 'all', group: null, search: 'r.g' }))).toEqual([]);
});

test('does not change its input', () => {
  const before = names(workers);
  sortWorkers(workers, { sort: 'h24', direction: 'desc' });
  expect(names(workers)).toEqual(before);
});
