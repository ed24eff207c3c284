import { beginnings, type Place, placesOf, type Rig } from './places';

/** The same numbers in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const NIGHT = 1_700_000_000;
const HALLS = 'ABCDEFGHIJ';

/** A farm of halls with rows: two accounts, two upstreams, four models, an address for two halls. */
function farm(next: () => number): Rig[] {
  const halls = 4 + Math.floor(next() * 6);
  const rows = 3 + Math.floor(next() * 6);
  const places = 6 + Math.floor(next() * 15);
  const separator = next() < 0.5 ? '-' : '';
  const rigs: Rig[] = [];
  for (let hall = 0; hall < halls; hall += 1)
    for (let row = 1; row <= rows; row += 1)
      for (let place = 1; place <= places; place += 1)
        rigs.push({
          id: rigs.length + 1,
          name: `${HALLS[hall]}${separator}${String(row).padStart(2, '0')}${separator}${String(place).padStart(2, '0')}`,
          off: null,
          group: `Hall ${HALLS[hall]}`,
          account: hall % 3 === 0 ? 'kim' : 'kim2',
          address: `10.0.0.${hall >> 1}`,
          model: ['S19', 'S21', 'M50', 'A15'][Math.floor(next() * 4)]!,
          upstream: next() < 0.3 ? 'one:3333' : 'two:3333',
        });
  return rigs;
}

const pick = <Item>(items: readonly Item[], next: () => number): Item => items[Math.floor(next() * items.length)]!;

/** A few minutes pass until each has missed its share; a rig in a hundred stays on, or goes off by chance. */
function goesOff(rigs: readonly Rig[], fails: (rig: Rig) => boolean, next: () => number): Rig[] {
  return rigs.map((rig) => {
    const goes = fails(rig) ? next() > 0.01 : next() < 0.002;
    return goes ? { ...rig, off: NIGHT + next() * 150 } : rig;
  });
}

type Night = { rigs: Rig[]; right: (found: readonly Place[]) => boolean };
const named =
  (by: Place['by'], ...values: string[]) =>
  (found: readonly Place[]) =>
    found.length === values.length &&
    values.every((value) => found.some((one) => one.by === by && one.value === value));
const none = (found: readonly Place[]): boolean => found.length === 0;

const NIGHTS: Record<string, (rigs: readonly Rig[], next: () => number) => Night> = {
  'a hall': (rigs, next) => {
    const { group } = pick(rigs, next);
    return { rigs: goesOff(rigs, (rig) => rig.group === group, next), right: named('group', group ?? '') };
  },
  'a row': (rigs, next) => {
    const { name } = pick(rigs, next);
    const row = /^[A-Z]-?\d\d/.exec(name)![0];
    return {
      rigs: goesOff(rigs, (rig) => rig.name.startsWith(row), next),
      right: ([one, ...more]) => more.length === 0 && one?.by === 'name' && one.value.replace(/-$/, '') === row,
    };
  },
  'an address': (rigs, next) => {
    // The last hall of an odd number has an address alone, and is then a hall.
    const { address } = pick(
      rigs.filter(
        (rig) => new Set(rigs.filter((one) => one.address === rig.address).map(({ group }) => group)).size > 1,
      ),
      next,
    );
    return { rigs: goesOff(rigs, (rig) => rig.address === address, next), right: named('address', address ?? '') };
  },
  'a model': (rigs, next) => {
    const { model } = pick(rigs, next);
    return { rigs: goesOff(rigs, (rig) => rig.model === model, next), right: named('model', model ?? '') };
  },
  'an upstream': (rigs, next) => {
    const upstream = 'one:3333';
    return { rigs: goesOff(rigs, (rig) => rig.upstream === upstream, next), right: named('upstream', upstream) };
  },
  'half of two halls': (rigs, next) => {
    // Both halls of an address or an account are told as that.
    const { group: one = '', address, account } = pick(rigs, next);
    const isAlone = new Set(rigs.filter((rig) => rig.account === account).map(({ group }) => group)).size === 2;
    const others = rigs.filter((rig) => rig.address !== address && !(isAlone && rig.account === account));
    const { group: two = '' } = pick(others, next);
    const fails = new Set(
      rigs.filter(({ group }) => (group === one || group === two) && next() < 0.55).map(({ id }) => id),
    );
    return { rigs: goesOff(rigs, ({ id }) => fails.has(id), next), right: named('group', one ?? '', two ?? '') };
  },
  'a slow drift': (rigs, next) => {
    const { group } = pick(rigs, next);
    const isOne = next() < 0.5;
    return {
      rigs: rigs.map((rig) =>
        (!isOne || rig.group === group) && next() < 0.15 ? { ...rig, off: NIGHT + next() * 8 * 3600 } : rig,
      ),
      right: none,
    };
  },
  'half of it, anywhere': (rigs, next) => ({ rigs: goesOff(rigs, () => next() < 0.5, next), right: named('all', '') }),
  'single rigs': (rigs, next) => ({ rigs: goesOff(rigs, () => next() < 0.004, next), right: none }),
  'a quiet night': (rigs) => ({ rigs: [...rigs], right: none }),
  everything: (rigs, next) => ({ rigs: goesOff(rigs, () => true, next), right: named('all', '') }),
};

test('of a thousand nights the right place is named in 95 %, and none is invented in quiet ones', () => {
  const next = random(66);
  const wrong: Record<string, number> = {};
  const kinds = Object.keys(NIGHTS);
  for (let night = 0; night < 1000; night += 1) {
    const kind = kinds[night % kinds.length]!;
    const { rigs, right } = NIGHTS[kind]!(farm(next), next);
    if (!right(placesOf(rigs))) wrong[kind] = (wrong[kind] ?? 0) + 1;
  }
  const most = Object.fromEntries(kinds.map((kind) => [kind, wrong[kind] ?? 0]));
  expect(Object.entries(most).filter(([, count]) => count > 5)).toEqual([]);
  expect(most['a quiet night']! + most['single rigs']!).toBe(0);
});

test('the beginnings of a name are those that a person would cut', () => {
  expect(beginnings('D-03-17')).toEqual(['D', 'D-', 'D-03', 'D-03-']);
  expect(beginnings('D0317')).toEqual(['D', 'D0', 'D03', 'D031']);
  expect(beginnings('rig17')).toEqual(['rig']);
});

test('two workers are no place, and a part that stayed on is said by its number', () => {
  const rigs: Rig[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((id) => ({
    id,
    name: `rig${id}`,
    off: null,
    group: id <= 6 ? 'Attic' : 'Cellar',
  }));
  const off = (...ids: number[]) => placesOf(rigs.map((rig) => ({ ...rig, off: ids.includes(rig.id) ? NIGHT : null })));
  expect(off(1, 2)).toEqual([]);
  expect(off(1, 2, 3, 4, 5, 6)).toMatchObject([{ by: 'group', value: 'Attic', total: 6 }]);
  expect(off(...rigs.map(({ id }) => id))).toMatchObject([{ by: 'all', total: 12 }]);
});
