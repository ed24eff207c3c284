import { type Place, WorkerSlots } from './worker-slots';

const HOUR = 3_600_000;
/** Difficulty of a stranger's share, and of a share of a real machine. */
const TINY = 1;
const REAL = 10_000;

let now = 0;
let evicted: string[] = [];
let own = new Set<string>();
beforeEach(() => {
  now = 0;
  evicted = [];
  own = new Set();
});
const slotsOf = (most: number): WorkerSlots => new WorkerSlots(most, () => now);
const claim = (slots: WorkerSlots, worker: string, address = '192.0.2.1', subAccountId = 1): Place | null =>
  slots.claim({
    subAccountId,
    algorithm: 'SHA256_ASICBOOST',
    worker,
    address,
    own,
    evict: () => evicted.push(worker),
  });
const many = (slots: WorkerSlots, count: number, name: string, address: string, share?: number): (Place | null)[] =>
  Array.from({ length: count }, (_, i) => {
    const place = claim(slots, `${name}${i}`, address);
    if (share) place?.mined(share);
    return place;
  });

it('names are limited per account, and freed with their last connection unless they had a share', () => {
  const slots = slotsOf(2);
  const [a, b, again] = [claim(slots, 'a'), claim(slots, 'b'), claim(slots, 'a')];
  expect([claim(slots, 'c'), claim(slots, 'c', '192.0.2.1', 2)]).toEqual([null, expect.anything()]);
  b?.mined(TINY);
  expect([b?.release(), a?.release(), again?.release()]).toEqual([0, 1, 0]);
  expect([claim(slots, 'c'), claim(slots, 'd'), claim(slots, 'b')]).toEqual([
    expect.anything(),
    null,
    expect.anything(),
  ]);
});

it('a name expires an hour after its last share', () => {
  const slots = slotsOf(1);
  const a = claim(slots, 'a');
  a?.mined(TINY);
  a?.release();
  now = HOUR;
  expect(claim(slots, 'b')).toBeNull();
  now += 1;
  expect(claim(slots, 'b')).not.toBeNull();
});

it('two addresses cannot fill an account, with a share of each name neither', () => {
  const addresses = 2;
  const slots = slotsOf(1000);
  for (let i = 0; i < addresses; i += 1) many(slots, 1000 / addresses, `a${i}-`, `198.51.100.${i}`, TINY);
  own = new Set(Array.from({ length: 20 }, (_, i) => `rig${i}`));
  expect(many(slots, 20, 'rig', '192.0.2.1', REAL)).not.toContain(null);
  expect(evicted).toEqual([]);
  // A machine that the owner has just bought, at a place of its own.
  const fresh = claim(slots, 'fresh', '203.0.113.5');
  fresh?.mined(REAL);
  // A whole farm of them, as they begin to work.
  expect(many(slots, 500, 'new', '192.0.2.1', REAL)).not.toContain(null);
  expect(evicted).toHaveLength(501);
  expect(evicted.every((name) => name.startsWith('a'))).toBe(true);
  // The crowd does not come back in place of machines that work.
  for (let i = 0; i < addresses; i += 1) many(slots, 1000, `b${i}-`, `198.51.100.${i}`, TINY);
  expect(evicted.filter((name) => !/^[ab]/.test(name))).toEqual([]);
});

it('names that mine outlast names of the same network that do not', () => {
  const slots = slotsOf(4);
  const [mines] = ['mines', 'idle', 'late', 'later'].map((name) => claim(slots, name, '198.51.100.1'));
  mines?.mined(TINY);
  claim(slots, 'first', '192.0.2.1');
  claim(slots, 'second', '192.0.2.2');
  expect(evicted).toEqual(['later', 'late']);
});

it('a name that works elsewhere now is of the network where it works', () => {
  const slots = slotsOf(3);
  ['a', 'rig', 'b'].map((name) => claim(slots, name, '198.51.100.1'));
  claim(slots, 'rig', '192.0.2.1')?.mined(REAL);
  claim(slots, 'fresh', '192.0.2.1');
  expect(evicted).toEqual(['b']);
});

it('an evicted place is not released twice', () => {
  const slots = slotsOf(2);
  const [, old] = [claim(slots, 'b', '198.51.100.1'), claim(slots, 'a', '198.51.100.1')];
  claim(slots, 'c', '192.0.2.1');
  expect(evicted).toEqual(['a']);
  expect(old?.release()).toBe(0);
});

it('a dismissed name loses its connections and its place', () => {
  const slots = slotsOf(1);
  claim(slots, 'a')?.mined(TINY);
  slots.dismiss({ subAccountId: 1, algorithm: 'SHA256_ASICBOOST' }, 'a');
  expect(evicted).toEqual(['a']);
  expect(claim(slots, 'b')).not.toBeNull();
});

it('nor can one IPv6 site with a network for every name', () => {
  const slots = slotsOf(1000);
  for (let i = 0; i < 1000; i += 1) claim(slots, `a${i}`, `2001:db8:0:${i.toString(16)}::1`)?.mined(TINY);
  expect(claim(slots, 'a1000', '2001:db8:0:ffff::1')).toBeNull();
  expect(many(slots, 500, 'rig', '2001:db8:1::1', REAL)).not.toContain(null);
  expect(evicted).toHaveLength(500);
});
