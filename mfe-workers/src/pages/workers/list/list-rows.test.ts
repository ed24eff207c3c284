import { worker } from '../../../testing/worker';
import { countWorkers, inTab, matchingWorkers, sortWorkers } from './list-rows';

/** Workers in the order of names, as the server answers. */
const workers = [
  worker({ name: 'gone', state: 'inactive', h24: 0, lastShareAt: 100, difficulty: null }),
  worker({ name: 'low-a', state: 'low', h1: 60e12, h24: 100e12, group: 'Hall 10' }),
  worker({ name: 'low-b', state: 'low', h1: 30e12, h24: 100e12, group: 'Hall 2' }),
  worker({ name: 'off-new', state: 'offline', lastShareAt: 5_000, difficulty: null, address: '10.20.3.7' }),
  worker({ name: 'off-old', state: 'offline', lastShareAt: 4_000, difficulty: null, software: 'whatsminer/v1' }),
  worker({ name: 'rig-2', state: 'online', h24: 90e12, group: 'Hall 10' }),
  worker({ name: 'rig-10', state: 'online', h24: 80e12 }),
];
const names = (list: { name: string }[]) => list.map((w) => w.name);

test('problems first: offline ones from the newest, then lowest hashrate, then the rest by name', () => {
  expect(names(sortWorkers(workers, { sort: 'trouble', direction: 'asc' }))).toEqual([
    'off-new',
    'off-old',
    'low-b',
    'low-a',
    'rig-2',
    'rig-10',
    'gone',
  ]);
});

test('by name, both ways', () => {
  expect(names(sortWorkers(workers, { sort: 'name', direction: 'asc' }))).toEqual(names(workers));
  expect(names(sortWorkers(workers, { sort: 'name', direction: 'desc' }))).toEqual(names(workers).reverse());
});

test('by group: digits inside names compare as numbers, workers of no group are last both ways', () => {
  const groups = (direction: 'asc' | 'desc') =>
    sortWorkers(workers, { sort: 'group', direction }).map(({ group }) => group);
  expect(groups('asc')).toEqual(['Hall 2', 'Hall 10', 'Hall 10', null, null, null, null]);
  expect(groups('desc')).toEqual(['Hall 10', 'Hall 10', 'Hall 2', null, null, null, null]);
});

const WORDS = { online: 'В сети', low: 'Низкий', offline: 'Не в сети', inactive: 'Неактивный' };
const match = (search: string, group: string | null = null) => matchingWorkers(workers, { group, search }, WORDS);

test('states are counted of all workers, of a group, and of those of no group', () => {
  const of = (group: string | null) => countWorkers(match('', group));
  expect(of(null)).toEqual({ online: 2, low: 2, offline: 2, inactive: 1, total: 6 });
  expect(of('Hall 10')).toEqual({ online: 1, low: 1, offline: 0, inactive: 0, total: 2 });
  expect(of('')).toEqual({ online: 1, low: 0, offline: 2, inactive: 1, total: 3 });
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
  expect(names(inTab(workers, 'all'))).not.toContain('gone');
  expect(names(inTab(workers, 'inactive'))).toEqual(['gone']);
});

test.each([
  ['a part of the name, in any case', ' RIG ', ['rig-2', 'rig-10']],
  ['words in any order', '10 rig', ['rig-2', 'rig-10']],
  ['its group', 'hall 10', ['low-a', 'rig-2']],
  ['its address', '10.20.3.7', ['off-new']],
  ['its model', 'whats', ['off-old']],
  ['its state, in the words of the page and in English', 'сети не', ['off-new', 'off-old']],
  ['its state in English', 'low', ['low-a', 'low-b']],
  ['anything in place of a star', 'ri*0', ['rig-10']],
  ['nothing, and at once, with many stars', '*r*'.repeat(20), []],
  ['no pattern', 'r.g', []],
])('a search finds %s', (_, search, found) => {
  expect(names(match(search))).toEqual(found);
});

test('does not change its input', () => {
  const before = names(workers);
  sortWorkers(workers, { sort: 'h24', direction: 'desc' });
  expect(names(workers)).toEqual(before);
});
