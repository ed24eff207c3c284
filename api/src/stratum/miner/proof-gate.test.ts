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
  gate.enter([{ network: address, factor: 1 }], account, {
    connect: () => connected.add(name),
    pause: () => connected.delete(name),
  });
const names = (): string[] => [...connected].sort();

it('limits the miners of an address without a share; the next connects when one leaves', () => {
  const gate = gateOf(2, 10);
  const [a] = ['a', 'b', 'c', 'd'].map((name) => enter(gate, name));
  enter(gate, 'elsewhere', 'home');
  expect([names(), gate.waiting]).toEqual([['a', 'b', 'elsewhere'], 2]);
  a?.leave();
  a?.leave();
  expect([names(), gate.waiting]).toEqual([['a', 'b', 'c', 'elsewhere'], 1]);
});

it('limits the miners of an account without a share, whatever their addresses', () => {
  const gate = gateOf(10, 2);
  for (const name of ['a', 'b', 'c']) enter(gate, name, `home of ${name}`);
  enter(gate, 'other', 'home of c', 'bob');
  expect(names()).toEqual(['a', 'b', 'other']);
});

it('the first accepted share admits all miners of its address and account', () => {
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
  // bob's limit is two; alice's other address has one place.
  expect(names()).toEqual(['a0', 'b0', 'b1', 'c0']);
});

it('the proof is forgotten when the last miner leaves', () => {
  const gate = gateOf(1, 1);
  const first = enter(gate, 'a');
  first.prove();
  first.leave();
  enter(gate, 'b');
  enter(gate, 'c');
  expect(names()).toEqual(['a', 'b']);
});

it('a place without a share is given to a waiting miner after a minute', () => {
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
  // A share that was pending when it paused counts as well.
  dead.prove();
  expect(names()).toEqual(['dead', 'next']);
});

it('a place is kept when no waiting miner can use it, or after a share', () => {
  const gate = gateOf(1, 2);
  enter(gate, 'alone');
  const other = enter(gate, 'other', 'home');
  // Its address has no place, even when others of the account leave.
  enter(gate, 'waits', 'home');
  other.prove();
  now = MINUTE;
  gate.rotate();
  expect(names()).toEqual(['alone', 'other', 'waits']);
});

it('a crowd at one address does not delay a newcomer from another one', () => {
  const gate = gateOf(4, 2);
  // The stranger proves its address with a share for its own account.
  enter(gate, 'paid', 'stranger', 'own').prove();
  for (let i = 0; i < 100; i += 1) enter(gate, `s${i}`, 'stranger');
  enter(gate, 'owner', 'farm');
  expect(names()).toEqual(['owner', 'paid', 's1']);
  // Nobody gives way where all have as few.
  enter(gate, 'third', 'elsewhere');
  expect(names()).toEqual(['owner', 'paid', 's1', 'third'].filter((name) => connected.has(name)));
  expect(connected).not.toContain('s0');
});

it('a stopped gate admits nobody when others leave', () => {
  const gate = gateOf(1, 1);
  const first = enter(gate, 'a');
  enter(gate, 'b');
  gate.stop();
  first.leave();
  expect(names()).toEqual(['a']);
});
