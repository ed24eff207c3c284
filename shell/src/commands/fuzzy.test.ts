import { found, rank } from './fuzzy';

const labels = (items: string[], search: string) =>
  found(
    items.map((label) => ({ label })),
    search,
  ).map(({ label }) => label);

test('letters in their order match; words that start with them come first', () => {
  expect(labels(['Sign out', 'Settings', 'Dashboard'], 'st')).toEqual(['Settings', 'Sign out']);
  expect(labels(['Workers', 'Dark', 'Dashboard'], 'da')).toEqual(['Dark', 'Dashboard']);
  expect(labels(['north.rig-12', 'north.rig-1', 'south.rig-1'], 'rig1')).toEqual([
    'north.rig-1',
    'south.rig-1',
    'north.rig-12',
  ]);
});

test('case and accents do not matter; what has not all letters is left out', () => {
  expect(labels(['Réglages', 'Paiements'], 'REG')).toEqual(['Réglages']);
  expect(rank('Workers', 'xyz')).toBeNull();
});

test('nothing typed: everything, in its order', () => {
  expect(labels(['b', 'a'], ' ')).toEqual(['b', 'a']);
});
