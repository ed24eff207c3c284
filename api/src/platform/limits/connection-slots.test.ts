import { ConnectionSlots, type Slot } from './connection-slots';

let ended: string[];
beforeEach(() => (ended = []));
const open = (slots: ConnectionSlots, address: string, name = address): Slot => {
  const slot = slots.take(address, () => ended.push(name));
  if (typeof slot === 'string') throw new Error(slot);
  return slot;
};
const many = (slots: ConnectionSlots, count: number, site: string): Slot[] =>
  Array.from({ length: count }, (_, i) => open(slots, `${site}.${i % 250}`, `${site} ${i}`));

it('at the limit the longest idle connection of the site with the most idle ones gives way', () => {
  const slots = new ConnectionSlots(2500, 4096);
  open(slots, '198.51.100.1');
  const [first] = many(slots, 2498, '192.0.2');
  open(slots, '2001:db8::1');
  first?.stay();
  first?.rest();
  open(slots, '203.0.113.1');
  open(slots, '203.0.113.2');
  expect(ended).toEqual(['192.0.2 1', '192.0.2 2']);
  // More of the crowd push out each other only.
  many(slots, 2, '192.0.2');
  expect(ended.slice(2)).toEqual(['192.0.2 3', '192.0.2 4']);
});

it('a connection at work never gives way: a newcomer is refused when all are', () => {
  const slots = new ConnectionSlots(3, 10);
  const [a, b, c] = many(slots, 3, '192.0.2');
  for (const slot of [a, b, c]) slot?.stay();
  expect(slots.take('203.0.113.1', () => undefined)).toBe('full');
  b?.rest();
  open(slots, '203.0.113.1');
  expect(ended).toEqual(['192.0.2 1']);
  // Closed later, it frees no slot of another.
  b?.leave();
  a?.leave();
  a?.leave();
  open(slots, '203.0.113.2');
  expect(ended).toEqual(['192.0.2 1']);
});

it('a network has a share: at its limit its own idle connections give way, and a proxy has no such limit', () => {
  const slots = new ConnectionSlots(100, 2);
  const [, second] = [open(slots, '192.0.2.1', 'a'), open(slots, '::ffff:192.0.2.1', 'b')];
  open(slots, '192.0.2.2', 'other');
  second.stay();
  open(slots, '192.0.2.1', 'c').stay();
  expect(ended).toEqual(['a']);
  expect(slots.take('192.0.2.1', () => undefined)).toBe('network');
  // Addresses of one /64 are one network, and a /48 has four times as many.
  for (let n = 0; n < 9; n += 1) open(slots, `2001:db8:0:${n}::1`, `v6 ${n}`);
  expect(ended).toEqual(['a', 'v6 0']);
  for (let n = 0; n < 50; n += 1) expect(slots.take('10.0.0.1', () => undefined, true)).not.toBe('network');
});
