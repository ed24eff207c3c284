import { pairsOf, type Passing } from './same-machine';

const NOW = 1_800_000_000;
let id = 0;
const passing = (name: string, facts: Partial<Passing> = {}): Passing => ({
  id: (id += 1),
  name,
  address: '10.0.0.7',
  software: 'bmminer/2.0.0',
  cameAt: null,
  goneAt: null,
  neighbours: 2,
  ...facts,
});
const came = (name: string, facts: Partial<Passing> = {}) => passing(name, { cameAt: NOW, ...facts });
const gone = (name: string, facts: Partial<Passing> = {}) => passing(name, { goneAt: NOW - 240, ...facts });
const found = (...all: Passing[]) =>
  pairsOf(all)
    .map(({ worker, former }) => `${former.name} > ${worker.name}`)
    .sort();

it('one that came when another went, alone at its address and of the same software, is that one', () => {
  expect(found(gone('rig-12'), came('anything'))).toEqual(['rig-12 > anything']);
  expect(found(gone('rig-12', { address: '10.0.0.8' }), came('rig-12b'))).toEqual([]);
  expect(found(gone('rig-12', { software: 'cgminer/4' }), came('rig-12b'))).toEqual([]);
});

it('the times are near each other; what came later is the new one', () => {
  expect(found(gone('rig-12', { goneAt: NOW - 3700 }), came('rig-12b'))).toEqual([]);
  expect(found(gone('rig-12', { goneAt: NOW + 500 }), came('rig-12b'))).toEqual(['rig-12 > rig-12b']);
  expect(found(gone('rig-12', { goneAt: NOW + 700 }), came('rig-12b'))).toEqual([]);
  expect(found(came('rig-12b'), gone('rig-12'))).toEqual([]);
  // A name that came today and is gone again may be given up for another one.
  expect(found(gone('rig-12', { cameAt: NOW - 3600 }), came('rig-12b'))).toEqual(['rig-12 > rig-12b']);
});

it('behind one router only names that are alike are paired, and only where one comes into question', () => {
  const shared = { neighbours: 400 };
  expect(found(gone('rig-12', shared), came('anything', shared))).toEqual([]);
  expect(found(gone('rig-12', shared), came('rig-13', shared))).toEqual([]);
  expect(found(gone('rig-12', shared), came('Hall.rig012b', shared))).toEqual(['rig-12 > Hall.rig012b']);
  expect(found(gone('heater', shared), came('Heater_', shared))).toEqual(['heater > Heater_']);
  expect(found(gone('rig-12', shared), gone('asic-12', shared), came('new-12', shared))).toEqual([]);
  expect(found(gone('rig-12', shared), came('a-12', shared), came('b-12', shared))).toEqual([]);
  const farm = Array.from({ length: 400 }, (_, i) => [gone(`rig-${i}`, shared), came(`asic-${i}`, shared)]);
  expect(found(...farm.flat())).toHaveLength(400);
});
