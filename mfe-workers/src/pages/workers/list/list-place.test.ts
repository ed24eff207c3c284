import { nextSort, readPlace, writePlace } from './list-place';

const read = (query: string) => readPlace(new URLSearchParams(query));

test('without parameters shows all active workers, problems first', () => {
  expect(read('')).toEqual({ tab: 'all', group: null, search: '', sort: 'trouble', direction: 'asc' });
});

test('reads filter, search and sort from the URL', () => {
  expect(read('state=offline&group=Hall+A&q=a-s19&sort=h24')).toEqual({
    tab: 'offline',
    group: 'Hall A',
    search: 'a-s19',
    sort: 'h24',
    direction: 'asc',
  });
  expect(read('sort=name&dir=desc')).toMatchObject({ sort: 'name', direction: 'desc' });
});

test('a group of the URL: empty for the workers of none, left out for all', () => {
  expect(read('group=').group).toBe('');
  const next = writePlace(new URLSearchParams('q=a'), { group: '' });
  expect(next.toString()).toBe('q=a&group=');
  expect(writePlace(next, { group: null }).toString()).toBe('q=a');
});

test('invalid parameters are the defaults', () => {
  expect(read('state=__proto__&sort=evil&dir=up')).toEqual({
    tab: 'all',
    group: null,
    search: '',
    sort: 'trouble',
    direction: 'asc',
  });
});

test('writing leaves out defaults and keeps other parameters', () => {
  const start = new URLSearchParams('account=hall-b&algorithm=SCRYPT&state=low');
  expect(writePlace(start, { tab: 'all', search: 'x', sort: 'h1', direction: 'asc' }).toString()).toBe(
    'account=hall-b&algorithm=SCRYPT&q=x&sort=h1',
  );
});

test('clicks on a heading sort, reverse, then return to the default sort', () => {
  const first = nextSort(read(''), 'h24');
  expect(first).toEqual({ sort: 'h24', direction: 'asc' });
  const second = nextSort({ ...read(''), ...first }, 'h24');
  expect(second).toEqual({ sort: 'h24', direction: 'desc' });
  expect(nextSort(read(''), 'staleRate')).toEqual({ sort: 'staleRate', direction: 'desc' });
  expect(nextSort({ ...read(''), ...second }, 'h24')).toEqual({ sort: 'trouble', direction: 'asc' });
});
