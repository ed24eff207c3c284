import { nextSort, orderOf, PLACE, readPlace, writtenPlace } from './list-place';

const ALL = { tab: 'all', group: null, search: '', sort: 'trouble', direction: 'asc' } as const;

test('a group of the URL: empty for the workers of none, left out for all', () => {
  expect(PLACE.group('')).toBe('');
  expect(PLACE.group(null)).toBeNull();
});

test('each sort has a first direction, which the URL leaves out', () => {
  const written = { state: 'all', group: null, q: '', sort: 'staleRate', dir: undefined } as const;
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
