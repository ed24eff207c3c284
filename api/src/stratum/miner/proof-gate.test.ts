import { type Entry, ProofGate } from './proof-gate';

const MINUTE = 60_000;
let now = 0;
let connected: Set<string>;
beforeEach(() => {
  now = 0;
  connected = new Set();
});
const gateOf = (unprovenPerAddress: number, unprovenPerAccount: number): ProofGate =>
  new ProofGate({ unprovenPerAddress, unprovenPerAccount, unprovenMs: MINUTE }, () => now);
const enter = (gate: ProofGate, name: string, address = 'farm', account = 'alice'): Entry =>
  gate.enter(address, account, {
    connect: () => connected.add(name),
    pause: () => connected.delete(name),
  });
const names = (): string[] => [...connected].sort();

it('so many of an address connect without a share; the next when one of them leaves', () => {
  const gate = gateOf(2, 10);
  const [a] = ['a', 'b', 'c', 'd'].map((name) => enter(gate, name));
  enter(gate, 'elsewhere', 'home');
  expect([names(), gate.waiting]).toEqual([['a', 'b', 'elsewhere'], 2]);
  a?.leave();
  a?.leave();
  expect([names(), gate.waiting]).toEqual([['a', 'b', 'c', 'elsewhere'], 1]);
});

it('so many of an account connect without a share, from wherever', () => {
  const gate = gateOf(10, 2);
  for (const name of ['a', 'b', 'c']) enter(gate, name, `home of ${name}`);
  enter(gate, 'other', 'home of c', 'bob');
  expect(names()).toEqual(['a', 'b', 'other']);
});

it('the first accepted share lets all of its address and account on', () => {
  const gate = gateOf(2, 3);
  const [first] = Array.from({ length: 5000 }, (_, i) => enter(gate, `rig${i}`));
  expect(connected.size).toBe(2);
  first?.prove();
  expect([connected.size, gate.waiting]).toEqual([5000, 0]);
  enter(gate, 'late');
  expect(connected).toContain('late');
});

it('a share proves its own address and its own account, no other', () => {
  const gate = gateOf(1, 2);
  const first = enter(gate, 'a0', 'farm', 'alice');
  for (const name of ['b0', 'b1', 'b2']) enter(gate, name, 'farm', 'bob');
  for (const name of ['c0', 'c1']) enter(gate, name, 'home', 'alice');
  expect(names()).toEqual(['a0', 'c0']);
  first.prove();
  // The farm may, bob has only two; alice may, her other home has only one.
  expect(names()).toEqual(['a0', 'b0', 'b1', 'c0']);
});

it('what was proven is forgotten with the last miner', () => {
  const gate = gateOf(1, 1);
  const first = enter(gate, 'a');
  first.prove();
  first.leave();
  enter(gate, 'b');
  enter(gate, 'c');
  expect(names()).toEqual(['a', 'b']);
});

it('who had a place for a minute without a share gives it to who waits, and waits itself', () => {
  const gate = gateOf(1, 10);
  const dead = enter(gate, 'dead');
  enter(gate, 'next');
  now = MINUTE - 1;
  gate.rotate();
  expect(names()).toEqual(['dead']);
  now = MINUTE;
  gate.rotate();
  expect(names()).toEqual(['next']);
  now = 2 * MINUTE;
  gate.rotate();
  expect(names()).toEqual(['dead']);
  // A share that was under way when it paused counts as well.
  dead.prove();
  expect(names()).toEqual(['dead', 'next']);
});

it('nobody gives a place up that nobody can use, nor after a share', () => {
  const gate = gateOf(1, 2);
  enter(gate, 'alone');
  const other = enter(gate, 'other', 'home');
  // Its address has no place, whoever else of the account goes.
  enter(gate, 'waits', 'home');
  other.prove();
  now = MINUTE;
  gate.rotate();
  expect(names()).toEqual(['alone', 'other', 'waits']);
});

it('a crowd at one address is not before a newcomer of the account from elsewhere', () => {
  const gate = gateOf(4, 2);
  // The stranger's address is proven: by a share for an account of its own.
  enter(gate, 'paid', 'stranger', 'own').prove();
  for (let i = 0; i < 100; i += 1) enter(gate, `s${i}`, 'stranger');
  enter(gate, 'owner', 'farm');
  expect(names()).toEqual(['paid', 's0', 's1']);
  now = MINUTE;
  gate.rotate();
  expect(connected).toContain('owner');
});

it('a gate that has stopped lets nobody on when others go', () => {
  const gate = gateOf(1, 1);
  const first = enter(gate, 'a');
  enter(gate, 'b');
  gate.stop();
  first.leave();
  expect(names()).toEqual(['a']);
});
