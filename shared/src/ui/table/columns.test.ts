import { columnsFitting, nextSort, type DataColumn } from './columns';

const column = (key: string, width: number, drop?: number): DataColumn<object> => ({
  key,
  title: key,
  width,
  drop,
  render: () => null,
});
const COLUMNS = [column('name', 200), column('fee', 100, 2), column('paid', 100, 2), column('seen', 100, 1)];
const keys = (room: number) => columnsFitting(COLUMNS, room)?.map(({ key }) => key);

test('columns go as the room does, those of one number together', () => {
  expect(keys(500)).toEqual(['name', 'fee', 'paid', 'seen']);
  expect(keys(499)).toEqual(['name', 'seen']);
  expect(keys(299)).toEqual(['name']);
});

test('no room for what must stay', () => expect(keys(199)).toBeUndefined());

test('a heading asks for its first direction, the other, and none', () => {
  const hashrate = { ...column('hs', 100), first: 'descend' } as const;
  expect(nextSort(hashrate, undefined)).toEqual({ key: 'hs', order: 'descend' });
  expect(nextSort(hashrate, { key: 'hs', order: 'descend' })).toEqual({ key: 'hs', order: 'ascend' });
  expect(nextSort(hashrate, { key: 'hs', order: 'ascend' })).toBeUndefined();
  expect(nextSort(hashrate, { key: 'name', order: 'ascend' })).toEqual({ key: 'hs', order: 'descend' });
});
