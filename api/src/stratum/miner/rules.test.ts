import { Bans } from './access/bans';
import { FIRST_LAYOUT, layoutFor, placeFor } from '../wire/extranonce';
import { backoff, LIMITS, Rate, SlidingWindow } from '../wire/limits';
import { parseMinerName, parseWorkerName } from './access/authorise';
import { parseUpstream } from '../upstream/upstream-target';
import { difficultyOfPassword, parseDifficulty, parseExtranonce, parseNotify } from '../upstream/upstream-job';
import {
  bitsAllowed,
  configureAnswer,
  grantedMask,
  intersect,
  minedVersion,
  parseConfigure,
  ROLLING_MASK,
} from '../wire/version-rolling';
import { Verdicts } from '../upstream/upstream-state';
import { Pace } from './pace';
import { type Entry, ProofGate } from './proof-gate';
import { type Place, WorkerSlots } from './access/worker-slots';

/** The small rules: names, extranonce, version rolling, bans, limits, upstream addresses. */
describe('names', () => {
  it.each([
    ['alice', { account: 'alice', worker: 'default' }],
    // s-nomp/node-stratum-pool#53: what HiveOS sends for a machine without a name.
    ['alice.', { account: 'alice', worker: 'default' }],
    [' alice.rig\t', { account: 'alice', worker: 'rig' }],
    ['alice.hall.a.7', { account: 'alice', worker: 'hall.a.7' }],
  ])('takes %s', (text, name) => expect(parseMinerName(text)).toEqual(name));

  it.each(['', 'alice.<img onerror=1>', `alice.${'w'.repeat(65)}`, '1alice.rig', 'alice.rig\n', 7])(
    'refuses %j',
    (text) => expect(parseMinerName(text)).toBeNull(),
  );

  it.each([
    [' rig-1 ', 'rig-1'],
    [' ', 'default'],
    ['alice.rig', null],
    ['a b', null],
    [7, null],
  ])("takes %j at a sub-account's own port as %j", (text, worker) => expect(parseWorkerName(text)).toBe(worker));
});

describe('extranonce', () => {
  it.each([
    ['aabbccdd', 8],
    ['aabbccdd', 5],
    ['aabbccdd', 4],
    ['', 4],
  ])(
    "moves the upstream's part into coinb1, so that the whole coinbase stays the same: %s and %d bytes",
    (extranonce1, size) => {
      const extranonce = { extranonce1, size };
      const layout = layoutFor(extranonce);
      expect(layout.extranonce2Size).toBe(Math.min(4, size));
      for (const own of [layout, ...(size > 4 ? [{ extranonce1: 'dd', extranonce2Size: 4 }] : [])]) {
        const place = placeFor(own, extranonce, 7);
        const rolled = '01020304'.slice(0, 2 * own.extranonce2Size);
        const sent = `${place?.fixed}${rolled}`;
        expect(`${place?.head}${own.extranonce1}${rolled}`).toBe(extranonce1 + sent);
        expect(sent).toHaveLength(size * 2);
      }
    },
  );
  it.each([
    ['fewer bytes than it has', FIRST_LAYOUT, 3],
    ['as many bytes, and another byte before them', FIRST_LAYOUT, 4],
  ])('does not fit an upstream with %s', (_, layout, size) =>
    expect(placeFor(layout, { extranonce1: 'aabbccdd', size })).toBeNull(),
  );
});

it.each([
  ['d=1024', 1024],
  ['x,D=0.5', 0.5],
  ['c=BTC d=1e3', 1000],
  ['decred=5', null],
  ['d=', null],
])('the password %j asks for the difficulty %j', (password, difficulty) =>
  expect(difficultyOfPassword(password)).toBe(difficulty),
);

describe('version rolling', () => {
  it('parses the request of a miner', () => {
    expect(
      parseConfigure([['version-rolling'], { 'version-rolling.mask': '1fffe000', 'version-rolling.min-bit-count': 2 }]),
    ).toEqual({ extensions: ['version-rolling'], wanted: 0x1fffe000 });
    expect(parseConfigure([['version-rolling'], {}])?.wanted).toBe(0xffffffff);
    expect(parseConfigure([['version-rolling'], { 'version-rolling.mask': 'zz' }])).toBeNull();
    expect(parseConfigure(['version-rolling'])).toBeNull();
  });
  it('answers every extension and grants only a non-zero mask', () => {
    expect(configureAnswer(['version-rolling', 'minimum-difficulty'], ROLLING_MASK)).toEqual({
      'version-rolling': true,
      'version-rolling.mask': '1fffe000',
      'minimum-difficulty': false,
    });
    expect(configureAnswer(['version-rolling'], 0)).toEqual({ 'version-rolling': false });
  });
  it("never takes more from an upstream than the standard's bits", () => {
    expect(grantedMask({ 'version-rolling': true, 'version-rolling.mask': 'ffffffff' })).toBe(0x1fffe000);
    expect(grantedMask({ 'version-rolling': false, 'version-rolling.mask': '1fffe000' })).toBe(0);
    expect([grantedMask(null), grantedMask(true), grantedMask({ 'version-rolling': true })]).toEqual([0, 0, 0]);
  });
  it('keeps the bits inside the mask', () => {
    const mask = intersect(0xfffff000, ROLLING_MASK, 0x00ffffff);
    expect(mask).toBe(0x00ffe000);
    expect(bitsAllowed(0x00002000, mask)).toBe(true);
    expect([0x01000000, 0x80000000, 0x20002000].some((bits) => bitsAllowed(bits, mask))).toBe(false);
  });
  it('computes the version a share was mined with', () => {
    const job = { version: 0x20c00000, versionMask: 0x1fffe000 };
    expect(minedVersion(job, null)).toBe(0x20c00000);
    expect(minedVersion(job, 0x00006000)).toBe(0x20006000);
  });
});

describe('bans', () => {
  const limits = { banWindow: 100, banPart: 0.5, banMs: 1000 };
  it('start when half of the last hundred shares are bad, not before', () => {
    const bans = new Bans(limits);
    const results = Array.from({ length: 100 }, (_, i) => bans.note('a', i % 2 === 0, 0));
    expect(results.slice(0, 99)).not.toContain(true);
    expect(results[99]).toBe(true);
    expect([bans.banned('a', 1), bans.banned('b', 1), bans.banned('a', 1001)]).toEqual([true, false, false]);
  });
  it('ignore older shares', () => {
    const bans = new Bans(limits);
    for (let i = 0; i < 49; i += 1) bans.note('a', true, 0);
    for (let i = 0; i < 100; i += 1) bans.note('a', false, 0);
    const again = Array.from({ length: 49 }, () => bans.note('a', true, 0));
    expect(again).not.toContain(true);
    expect(bans.note('a', true, 0)).toBe(true);
  });
});

describe('limits', () => {
  it('allows its rate a second', () => {
    const rate = new Rate(50);
    const now = Date.now();
    expect(Array.from({ length: 60 }, () => rate.take(now)).filter(Boolean)).toHaveLength(50);
    expect(Array.from({ length: 60 }, () => rate.take(now + 500)).filter(Boolean)).toHaveLength(25);
  });
  it('waits twice as long after each failure, up to half a minute, never twice the same', () => {
    const least = (n: number): number => backoff(n, LIMITS, () => 0);
    const most = (n: number): number => backoff(n, LIMITS, () => 1);
    expect([0, 1, 2, 3].map(most)).toEqual([500, 1000, 2000, 4000]);
    expect([least(0), most(6), most(50), least(50)]).toEqual([250, 30_000, 30_000, 15_000]);
  });
});

describe('verdicts of an upstream', () => {
  const MINUTE = 60_000;
  it('cover the last hour in slices of ten minutes', () => {
    const verdicts = new Verdicts();
    expect(verdicts.rejectRate(0)).toBeNull();
    for (let i = 0; i < 3; i += 1) verdicts.note(true, 0);
    verdicts.note(false, 15 * MINUTE);
    expect(verdicts.rejectRate(15 * MINUTE)).toBe(0.25);
    // The first slice is too old, then the other.
    expect(verdicts.rejectRate(61 * MINUTE)).toBe(1);
    expect(verdicts.rejectRate(71 * MINUTE)).toBeNull();
  });
});

describe('sliding window', () => {
  it('allows two in 60 ms, wherever the window starts', () => {
    const window = new SlidingWindow(2, 60);
    expect([0, 10, 20, 59, 60, 61, 70].filter((at) => window.take(at))).toEqual([0, 10, 60, 70]);
  });
});

describe('upstream', () => {
  it('addresses', () => {
    expect(parseUpstream('SCRYPT', 'stratum+ssl://acc%2Fount.w:s%40cret@pool.example:443')).toEqual({
      algorithm: 'SCRYPT',
      name: 'pool.example',
      url: 'stratum+ssl://pool.example:443',
      host: 'pool.example',
      port: 443,
      tls: true,
      user: 'acc/ount.w',
      password: 's@cret',
    });
    expect(parseUpstream('SCRYPT', 'stratum+tcp://u@[::1]:3333')).toMatchObject({
      host: '::1',
      url: 'stratum+tcp://[::1]:3333',
      tls: false,
      password: 'x',
    });
    for (const bad of [
      'http://u:topsecret@h:1',
      'stratum+tcp://',
      'u:topsecret@h',
      'stratum+tcp://u:topsecret@h:99999',
    ]) {
      expect(() => parseUpstream('SCRYPT', bad)).toThrow(/^(?!.*topsecret)/);
    }
  });
  const notify = ['1', '00'.repeat(32), 'aa', 'bb', ['cc'.repeat(32)], '20000000', '1702f128', '65000000', true];
  it('jobs are checked', () => {
    expect(parseNotify(notify)).toMatchObject({ id: '1', clean: true });
    const broken: [number, unknown][] = [
      [0, ''],
      [0, null],
      [1, '00'],
      [2, 'a'],
      [2, 'aa'.repeat(20_000)],
      [3, null],
      [4, ['cc']],
      [4, Array(40).fill('cc'.repeat(32))],
      [5, '2'],
      [6, null],
      [7, 'xyz'],
    ];
    for (const [index, value] of broken)
      expect(parseNotify(notify.map((p, i) => (i === index ? value : p)))).toBeNull();
  });
  it('difficulties and extranonces are checked', () => {
    expect([[1], [0.0001], [65_536], ['1']].map(parseDifficulty)).toEqual([1, 0.0001, 65_536, 1]);
    expect([[0], [-1], [NaN], [Infinity], [1e300], [null], []].map(parseDifficulty)).toEqual(Array(7).fill(null));
    expect(parseExtranonce('aabb', 8)).toEqual({ extranonce1: 'aabb', size: 8 });
    expect([
      parseExtranonce('aab', 8),
      parseExtranonce('aabb', 0),
      parseExtranonce('aabb', 4.5),
      parseExtranonce('aabb', 1e9),
      parseExtranonce('aa'.repeat(64), 4),
      parseExtranonce(null, 4),
    ]).toEqual(Array(6).fill(null));
  });
});

describe('pace', () => {
  const MINUTE = 60_000;
  const minutes = (seconds: number | null): number | null => seconds && Math.round(seconds / 6) / 10;

  it('of many shares: a silence that one in a thousand lasts', () => {
    const pace = new Pace(null, 0);
    for (let share = 1; share <= 1000; share += 1) pace.note(8, share * 12 * MINUTE);
    // A share each 12 minutes on average: 12 ln 1000.
    expect(minutes(pace.silence(8))).toBe(83.2);
    // A quarter of the difficulty, four times as many shares.
    expect(minutes(pace.silence(2))).toBe(20.7);
    expect(pace.rate).toBeCloseTo(8 / 720, 9);
  });

  it('of a fast machine after a few shares: less than anybody is waited for', () => {
    const pace = new Pace(null, 0);
    for (let share = 1; share <= 5; share += 1) pace.note(8, share * 2000);
    expect(minutes(pace.silence(8))).toBeLessThan(1);
  });

  it('of one share, which may have been luck: far more than the time that it took, six hours at most', () => {
    const pace = new Pace(null, 0);
    pace.note(8, 5000);
    expect(minutes(pace.silence(8))).toBe(83.3);
    expect(pace.silence(1e9)).toBe(6 * 3600);
  });

  it('before its first share: what is expected of it, or nothing', () => {
    expect(minutes(new Pace(8 / 720, 0).silence(8))).toBe(82.9);
    expect([new Pace(null, 0).silence(8), new Pace(1, 0).silence(null)]).toEqual([null, null]);
  });
});

describe('places of workers without a share', () => {
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
});

describe('names of workers', () => {
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
});
