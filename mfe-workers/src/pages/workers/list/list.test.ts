import { csvTable, toCsv } from '@pool/shared/ui/core';
import { countWorkers, searchTest } from '@pool/shared';
import { nextSort, orderOf, PLACE, readPlace, writtenPlace } from './list-place';
import { worker } from '../../../testing/worker';
import { matchingWorkers, sortWorkers } from './list-rows';
import { lostOf } from './losses';
import { shownNames } from './shown-names';
import { COLUMN_KEYS, moved, parseView, shownIn, USUAL } from './view';
import { csvOf } from './workers-csv';
import { verdictOf } from '../verdict';

describe('the place in the address', () => {
  const ALL = { tab: 'all', group: null, event: null, search: '', sort: 'trouble', direction: 'asc' } as const;

  test('a group of the URL: empty for the workers of none, left out for all', () => {
    expect(PLACE.group('')).toBe('');
    expect(PLACE.group(null)).toBeNull();
    expect(['12', '', 'x', null].map(PLACE.event)).toEqual([12, null, null, null]);
  });

  test('each sort has a first direction, which the URL leaves out', () => {
    const written = { state: 'all', group: null, event: null, q: '', sort: 'staleRate', dir: undefined } as const;
    const place = { ...ALL, sort: 'staleRate', direction: 'desc' } as const;
    expect(readPlace(written)).toEqual(place);
    expect(writtenPlace(place)).toEqual(written);
    expect(writtenPlace({ ...place, direction: 'asc' }).dir).toBe('asc');
    expect(orderOf({ key: 'evil', order: 'descend' })).toEqual({ sort: 'trouble', direction: 'desc' });
  });

  test('clicks on a heading sort, reverse, then return to the default sort', () => {
    const first = nextSort(ALL, 'h24');
    expect(first).toEqual({ sort: 'h24', direction: 'asc' });
    const second = nextSort({ ...ALL, ...first }, 'h24');
    expect(second).toEqual({ sort: 'h24', direction: 'desc' });
    expect(nextSort(ALL, 'staleRate')).toEqual({ sort: 'staleRate', direction: 'desc' });
    expect(nextSort({ ...ALL, ...second }, 'h24')).toEqual({ sort: 'trouble', direction: 'asc' });
  });
});

describe('rows', () => {
  /** Workers in the order of names, as the server answers. */
  const workers = [
    worker({ name: 'gone', state: 'inactive', h24: 0, lastShareAt: 100, difficulty: null }),
    worker({ name: 'low-a', state: 'low', h1: 60e12, h24: 100e12, group: 'Hall 10' }),
    worker({ name: 'low-b', state: 'low', h1: 30e12, h24: 100e12, group: 'Hall 2' }),
    worker({
      name: 'off-new',
      state: 'offline',
      lastShareAt: 5_000,
      difficulty: null,
      address: '10.20.3.7',
      port: 3334,
      tls: true,
    }),
    worker({ name: 'off-old', state: 'offline', lastShareAt: 4_000, difficulty: null, software: 'whatsminer/v1' }),
    worker({ name: 'rig-2', state: 'online', h24: 90e12, group: 'Hall 10' }),
    worker({ name: 'rig-10', state: 'online', h24: 80e12 }),
  ];
  const names = (list: { name: string }[]) => list.map((w) => w.name);

  test('problems first: offline ones from the newest, then lowest hashrate, then the rest by name', () => {
    expect(names(sortWorkers(workers, { sort: 'trouble', direction: 'asc' })).join(' ')).toBe(
      'off-new off-old low-b low-a rig-2 rig-10 gone',
    );
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
    const largest = names(sortWorkers(workers, { sort: 'h24', direction: 'desc' })).slice(0, 4);
    expect(largest).toEqual(['low-a', 'low-b', 'off-new', 'off-old']);
  });

  test('unknown values are last both ways', () => {
    const difficulty = (direction: 'asc' | 'desc') =>
      sortWorkers(workers, { sort: 'difficulty', direction })
        .slice(-3)
        .every((w) => w.difficulty === null);
    expect(difficulty('asc')).toBe(true);
    expect(difficulty('desc')).toBe(true);
  });

  test.each([
    ['a part of the name, in any case', ' RIG ', ['rig-2', 'rig-10']],
    ['words in any order', '10 rig', ['rig-2', 'rig-10']],
    ['its group', 'hall 10', ['low-a', 'rig-2']],
    ['its address', '10.20.3.7', ['off-new']],
    ['its port and TLS', ':3334 tls', ['off-new']],
    ['its model', 'whats', ['off-old']],
    ['its state, in the words of the page and in English', 'сети не', ['off-new', 'off-old']],
    ['its state in English', 'low', ['low-a', 'low-b']],
    ['anything in place of a star', 'ri*0', ['rig-10']],
    ['what has no such word', 'off -10.20', ['off-old']],
    ['a name with a dash', 'off -', ['off-new', 'off-old']],
    ['nothing, and at once, with many stars', '*r*'.repeat(20), []],
    ['no pattern', 'r.g', []],
  ])('a search finds %s', (_, search, found) => {
    expect(names(match(search))).toEqual(found);
  });
});

test.each([
  ['>2h', [3, 4]],
  ['>90m -never -3', [2]],
  ['>1d', [4]],
  ['rig >2h', [3]],
])('a search finds the silent ones: %s', (search, found) => {
  const finds = searchTest(search, 100_000);
  const workers = [
    { id: 1, text: 'rig-1', lastShareAt: 99_990 },
    { id: 2, text: 'rig-2', lastShareAt: 94_000 },
    { id: 3, text: 'rig-3', lastShareAt: 90_000 },
    { id: 4, text: 'never', lastShareAt: null },
  ];
  expect(workers.filter(({ text, lastShareAt }) => finds(text, lastShareAt)).map(({ id }) => id)).toEqual(found);
});

describe('losses', () => {
  const spark = (...hours: (number | null)[]) => [...Array<number>(24 - hours.length).fill(90e12), ...hours];
  const clean = { rejectRate: 0, staleRate: 0 };

  test.each([
    ['as ever, with all of its work paid', clean, 0],
    ['a few percent less', { ...clean, h1: 87e12, spark: spark() }, 0],
    ['at half of its usual hour', { ...clean, state: 'low', h1: 45e12, h24: 70e12, spark: spark(45e12, 45e12) }, 45e12],
    ['offline, after a gap', { ...clean, state: 'offline', h1: 20e12, h24: 80e12, spark: spark(null, 20e12) }, 90e12],
    ['one in ten shares is not paid', { h1: 90e12, h24: 90e12, rejectRate: 0.07, staleRate: 0.03 }, 10e12],
    ['inactive', { ...clean, state: 'inactive', h1: 0, h24: 0 }, 0],
  ] as const)('what a worker loses: %s', (_, facts, lost) => {
    expect(lostOf(worker({ spark: spark(), ...facts })) / 1e12).toBeCloseTo(lost / 1e12, 6);
  });
});

describe('names', () => {
  test('a name of 19 characters is whole, and the column has room for it', () => {
    const { of, width } = shownNames(128, ['s19jpro-D01-R02-S17', 'rig']);
    expect(of('s19jpro-D01-R02-S17')).toBe('s19jpro-D01-R02-S17');
    expect(width).toBeGreaterThan(160);
  });

  test('long names are cut in their middle, where no two of them become alike', () => {
    const ends = ['north-site-building-04-s19jpro-D01-R02-S17', 'north-site-building-04-s19jpro-D01-R02-S18'];
    expect(ends.map(shownNames(128, ends).of)).toEqual(['north-site-bu…01-R02-S17', 'north-site-bu…01-R02-S18']);
    const middles = ['north-site-building-04-hall-a-ant-000017', 'north-site-building-04-hall-b-ant-000017'];
    const shown = middles.map(shownNames(128, middles).of);
    expect(new Set(shown).size).toBe(2);
    expect(Math.max(...shown.map(({ length }) => length))).toBe(24);
    const alike = [`a${'x'.repeat(20)}1${'x'.repeat(30)}`, `a${'x'.repeat(20)}2${'x'.repeat(30)}`];
    expect(alike.map(shownNames(128, alike).of)).toEqual(alike);
  });
});

describe('the view', () => {
  test('nothing stored, or nothing that can be read, is the usual view', () => {
    for (const text of [null, '', '{', 'null', '7', '"x"']) expect(parseView(text)).toEqual(USUAL);
    expect(parseView('{}')).toEqual(USUAL);
  });

  test('a stored view keeps its order; unknown columns are left out, new ones follow, the name stays first', () => {
    const view = parseView('{"order":["h24","evil","name","h24","m5"],"hidden":["spark","name","x"],"dense":true}');
    expect(view.order.slice(0, 4)).toEqual(['name', 'h24', 'm5', 'account']);
    expect([...view.order].sort()).toEqual([...COLUMN_KEYS].sort());
    expect(view).toMatchObject({ hidden: ['spark'], dense: true });
    expect(shownIn(view)).not.toContain('spark');
  });

  test('a column moves by one place; not before the name, not beyond the end', () => {
    expect(moved(USUAL, 'account', 1).order.slice(0, 3)).toEqual(['name', 'group', 'account']);
    expect(moved(moved(USUAL, 'account', 1), 'account', -1)).toEqual(USUAL);
    for (const [key, by] of [
      ['account', -1],
      ['name', 1],
      ['port', 1],
    ] as const)
      expect(moved(USUAL, key, by)).toBe(USUAL);
  });
});

describe('the file', () => {
  const lines = (...workers: Parameters<typeof worker>[0][]) =>
    toCsv(...csvTable(csvOf('northfield'), workers.map(worker)))
      .trim()
      .split('\r\n');

  test('raw units and UTC times, one line per worker', () => {
    const [header, row] = lines({
      name: 'a-s19-017',
      state: 'low',
      m5: 55e12 + 0.1234,
      h1: 55.65e12,
      h24: 91.93e12,
      rejectRate: 0.0113,
      staleRate: 0.0031000000001,
      lastShareAt: 1_795_185_086,
      connectedAt: 1_794_982_260,
      address: '10.20.1.7',
      port: 3333,
      tls: true,
    });
    expect(header).toMatch(/^worker,state,group,hashrate_5m_hs/);
    expect(row).toBe(
      'a-s19-017,low,,55000000000000,55650000000000,91930000000000,0.0113,0.0031,27741,65536,2026-11-20T14:31:26.000Z,2026-11-18T06:11:00.000Z,bmminer/2.0.0,10.20.1.7,0.7,false,3333,true',
    );
  });

  test('unknown values are empty, not zero', () => {
    expect(lines({ name: 'gone', lastShareAt: null, connectedAt: null, difficulty: null, software: null })[1]).toMatch(
      /27741,,,,,,0\.7,false,,$/,
    );
  });
});

describe('the verdict', () => {
  test('a low worker has its fraction, limit and the time of the recorded fault', () => {
    const low = worker({ state: 'low', h1: 56e12, h24: 92e12 });
    const fell = { at: 1_795_140_000, what: 'low' } as const;
    expect(verdictOf(low, [fell])).toMatchObject({ key: 'low', limit: 0.7, since: fell.at });
    expect(verdictOf(low, [{ ...fell, what: 'low_over' }, fell])).toMatchObject({ since: null });
    expect(verdictOf(low)).toMatchObject({ key: 'low', since: null });
  });

  test('offline and inactive workers have the time of the last share', () => {
    expect(verdictOf(worker({ state: 'offline', lastShareAt: 7 }))).toEqual({ key: 'silent', lastShareAt: 7 });
  });

  test('a connection without a share is waiting, not broken', () => {
    expect(verdictOf(worker({ state: 'inactive', lastShareAt: null })).key).toBe('waiting');
    expect(verdictOf(worker({ state: 'inactive', lastShareAt: null, connectedAt: null })).key).toBe('neverSeen');
  });

  test('a worker in its first day has no mean of 24 h to compare with', () => {
    expect(verdictOf(worker({ minedSince: 1_795_184_000, h1: 23e12, h24: 1e12 })).key).toBe('noMean');
    expect(verdictOf(worker({ state: 'online', h24: 0 })).key).toBe('noMean');
  });
});
