import { arranged, moved } from './order';

const list = [{ id: 1 }, { id: 2 }, { id: 3 }];

test('a list in the order given, however it changed meanwhile', () => {
  expect(arranged(list, null)).toBe(list);
  expect(arranged(list, [3, 1, 2]).map(({ id }) => id)).toEqual([3, 1, 2]);
  // 2 is new, 9 is gone.
  expect(arranged(list, [3, 9, 1]).map(({ id }) => id)).toEqual([3, 1, 2]);
});

test('one entry goes to another place, the others keep their order', () => {
  expect(moved([1, 2, 3, 4], 0, 2)).toEqual([2, 3, 1, 4]);
  expect(moved([1, 2, 3, 4], 3, 0)).toEqual([4, 1, 2, 3]);
});
