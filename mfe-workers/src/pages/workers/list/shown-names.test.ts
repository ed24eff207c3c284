import { shownNames } from './shown-names';

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
