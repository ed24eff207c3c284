import { type Place, WorkerSlots } from './worker-slots';

const HOUR = 3_600_000;
let now = 0;
let evicted: string[] = [];
beforeEach(() => {
  now = 0;
  evicted = [];
});
const slotsOf = (most: number): WorkerSlots => new WorkerSlots(most, 100, () => now);
const claim = (slots: WorkerSlots, worker: string, address = 'farm', account = 1): Place | null =>
  slots.claim(account, worker, address.split(' '), () => evicted.push(worker));

it('names are limited per account, and freed with their last connection unless they had a share', () => {
  const slots = slotsOf(2);
  const [a, b, again] = [claim(slots, 'a'), claim(slots, 'b'), claim(slots, 'a')];
  expect([claim(slots, 'c'), claim(slots, 'c', 'farm', 2)]).toEqual([null, expect.anything()]);
  b?.mined();
  expect([b?.release(), a?.release(), again?.release()]).toEqual([0, 1, 0]);
  expect([claim(slots, 'c'), claim(slots, 'd'), claim(slots, 'b')]).toEqual([
    expect.anything(),
    null,
    expect.anything(),
  ]);
});

it('a name that had a share expires an hour after it', () => {
  const slots = slotsOf(1);
  const a = claim(slots, 'a');
  a?.mined();
  a?.release();
  now = HOUR;
  expect(claim(slots, 'b')).toBeNull();
  now += 1;
  expect(claim(slots, 'b')).not.toBeNull();
});

it('one address cannot fill an account: 1,000 names, each with a share, give way to the miners of another', () => {
  const slots = slotsOf(1000);
  const strangers = Array.from({ length: 1000 }, (_, i) => claim(slots, `a${i}`, 'stranger'));
  for (const place of strangers) place?.mined();
  expect(claim(slots, 'a1000', 'stranger')).toBeNull();
  now = 1000;
  const farm = Array.from({ length: 500 }, (_, i) => claim(slots, `rig${i}`, 'farm'));
  expect(farm).not.toContain(null);
  expect(evicted).toHaveLength(500);
  expect(evicted.every((name) => name.startsWith('a'))).toBe(true);
  // The remaining names of the crowd do not return in place of the farm's.
  expect([claim(slots, 'a0', 'stranger'), claim(slots, 'rig500')]).toContain(null);
  expect(evicted.filter((name) => name.startsWith('rig'))).toEqual([]);
});

it('names that mine outlast names that do not', () => {
  const slots = slotsOf(4);
  const [mines] = ['mines', 'idle', 'late'].map((name) => claim(slots, name, 'crowd'));
  claim(slots, 'other', 'b');
  mines?.mined();
  claim(slots, 'first', 'c');
  claim(slots, 'second', 'd');
  expect(evicted).not.toContain('mines');
  expect(evicted).not.toContain('other');
  expect(evicted).toHaveLength(1);
  // Without a crowd: a name that was connected for ten minutes and never mined.
  now = 600_001;
  expect(claim(slots, 'third', 'e')).not.toBeNull();
  expect(evicted).toHaveLength(2);
  expect(evicted).not.toContain('mines');
});

it('an evicted place is not released twice', () => {
  const slots = slotsOf(2);
  const [old] = [claim(slots, 'a', 'crowd'), claim(slots, 'b', 'crowd')];
  claim(slots, 'c', 'farm');
  expect(evicted).toHaveLength(1);
  expect(old?.release()).toBe(0);
  expect(claim(slots, 'a', 'crowd')).not.toBeUndefined();
});

it('nor can one IPv6 site with a network for every name', () => {
  const slots = slotsOf(1000);
  for (let i = 0; i < 1000; i += 1) claim(slots, `a${i}`, `2001:db8:0:${i.toString(16)}::/64 2001:db8:0::/48`)?.mined();
  now = 1000;
  expect(claim(slots, 'a1000', '2001:db8:0:ffff::/64 2001:db8:0::/48')).toBeNull();
  const farm = Array.from({ length: 500 }, (_, i) => claim(slots, `rig${i}`, '2001:db8:1:0::/64 2001:db8:1::/48'));
  expect(farm).not.toContain(null);
  expect(evicted).toHaveLength(500);
});
