import { readFilter, writeFilter } from './filter';

const read = (search: string) => readFilter(new URLSearchParams(search));

test('reads search, filter and sort from the URL', () => {
  expect(read('')).toEqual({ search: undefined, legacy: undefined, sort: '-hashrate24h' });
  expect(read('q=%20north%20&legacy=false&sort=-unpaidSat')).toEqual({
    search: 'north',
    legacy: false,
    sort: '-unpaidSat',
  });
  expect(read('legacy=maybe&sort=password')).toEqual({ search: undefined, legacy: undefined, sort: '-hashrate24h' });
  expect(read(`q=${'x'.repeat(200)}`).search).toHaveLength(64);
});

test('leaves defaults out of the URL, and keeps other parameters', () => {
  const params = new URLSearchParams('account=demo&q=old&legacy=true&sort=createdAt');
  expect(writeFilter(params, { sort: '-hashrate24h' }).toString()).toBe('account=demo');
  expect(writeFilter(params, { search: 'a b', legacy: false, sort: '-lastSeenAt' }).toString()).toBe(
    'account=demo&q=a+b&legacy=false&sort=-lastSeenAt',
  );
});
