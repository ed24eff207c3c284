import { COLUMN_KEYS, moved, parseView, shownIn, USUAL } from './view';

test('nothing stored, or nothing that can be read, is the usual view', () => {
  for (const text of [null, '', '{', 'null', '7', '"x"']) expect(parseView(text)).toEqual(USUAL);
  expect(parseView('{}')).toEqual(USUAL);
});

test('a stored view keeps its order; unknown columns are left out, new ones follow, the name stays first', () => {
  const view = parseView('{"order":["h24","evil","name","h24","m5"],"hidden":["spark","name","x"],"dense":true}');
  expect(view.order.slice(0, 4)).toEqual(['name', 'h24', 'm5', 'group']);
  expect([...view.order].sort()).toEqual([...COLUMN_KEYS].sort());
  expect(view).toMatchObject({ hidden: ['spark'], dense: true });
  expect(shownIn(view)).not.toContain('spark');
});

test('a column moves by one place; not before the name, not beyond the end', () => {
  expect(moved(USUAL, 'group', 1).order.slice(0, 3)).toEqual(['name', 'trouble', 'group']);
  expect(moved(moved(USUAL, 'group', 1), 'group', -1)).toEqual(USUAL);
  for (const [key, by] of [
    ['group', -1],
    ['name', 1],
    ['address', 1],
  ] as const)
    expect(moved(USUAL, key, by)).toBe(USUAL);
});
