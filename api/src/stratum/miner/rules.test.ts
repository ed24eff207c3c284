import { Bans } from './access/bans';
import { freeSlot, keyOf, OwnBytes, placeOf, rolledAt } from '../wire/extranonce';
import { backoff, LIMITS, Rate } from '../wire/limits';
import { authoriseMiner, parseMinerName, parseWorkerName } from './access/authorise';
import { hashMinerPassword } from './access/miner-password';
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
import { Layouts } from './layouts';
import { type Place, WorkerSlots } from './access/worker-slots';
import type { MinerAccount } from '../ports';

/** The small rules: names, extranonce, version rolling, bans, limits, upstream addresses. */
describe('names', () => {
  it.each([
    ['alice', { account: 'alice', worker: 'default' }],
    // s-nomp/node-stratum-pool#53: what HiveOS sends for a machine without a name.
    ['alice.', { account: 'alice', worker: 'default' }],
    [' alice.rig\t ', { account: 'alice', worker: 'rig' }],
    ['ALICE.hall.a.7', { account: 'alice', worker: 'hall.a.7' }],
    ['alice.rig'.padStart(97), { account: 'alice', worker: 'rig' }],
  ])('takes %s', (text, name) => expect(parseMinerName(text)).toEqual(name));

  it.each([
    '',
    'alice.<img onerror=1>',
    `alice.${'w'.repeat(65)}`,
    '1alice.rig',
    'alice.rig\n',
    'alice.rig'.padStart(98),
    7,
  ])('refuses %j', (text) => expect(parseMinerName(text)).toBeNull());

  it.each([
    [' rig-1 ', 'rig-1'],
    [' ', 'default'],
    ['alice.rig', null],
    ['a b', null],
    [7, null],
  ])("takes %j at a sub-account's own port as %j", (text, worker) => expect(parseWorkerName(text)).toBe(worker));

  const stored = hashMinerPassword('secret');
  const accounts: MinerAccount[] = [
    { subAccountId: 1, userId: 11, name: 'alice', minerPassword: null },
    { subAccountId: 2, userId: 12, name: 'bob', minerPassword: stored },
    { subAccountId: 3, userId: 13, name: 'cat', minerPassword: 'damaged' },
  ];
  const directory = {
    find: async (name: string) => accounts.find((account) => account.name === name) ?? null,
    byId: async (id: number) => accounts.find(({ subAccountId }) => subAccountId === id) ?? null,
  };
  const alice = { account: 'alice', worker: 'rig', subAccountId: 1, userId: 11, knowsPassword: false };
  const bob = { account: 'bob', worker: 'rig', subAccountId: 2, userId: 12, knowsPassword: true };
  const wrongFor = (subAccountId: number) => ({ reason: 'wrong_password', subAccountId });
  it.each<[text: unknown, password: unknown, owner: number | null, answer: object]>([
    ['alice.rig', 'x', null, alice],
    ['bob.rig', 'secret', null, bob],
    ['bob.rig', ' D=500; secret ', null, bob],
    ['bob.rig', 'wrong', null, wrongFor(2)],
    ['bob.rig', 'xd=5 secret', null, wrongFor(2)],
    ['bob.rig', 7, null, wrongFor(2)],
    ['cat.rig', 'x', null, wrongFor(3)],
    ['zoe.rig', 'x', null, { reason: 'no_account', subAccountId: null }],
    ['1.rig', 'x', null, { reason: 'malformed', subAccountId: null }],
    [7, 'x', null, { reason: 'malformed', subAccountId: null }],
    ['rig', 'x', 1, alice],
    ['1rig', 'x', 1, { ...alice, worker: '1rig' }],
    ['alice.rig', 'x', 1, alice],
    ['rig', 'wrong', 2, wrongFor(2)],
    ['bob.rig', 'secret', 1, { reason: 'other_port', subAccountId: 2 }],
    ['zoe.rig', 'x', 1, { reason: 'no_account', subAccountId: null }],
    ['1.rig', 'x', 1, { reason: 'malformed', subAccountId: null }],
    [7, 'x', 1, { reason: 'malformed', subAccountId: null }],
    ['rig', 'x', 9, { reason: 'no_account', subAccountId: null }],
  ])('authorises %j with the password %j at the port of %j as %j', async (text, password, owner, answer) => {
    const found = await authoriseMiner(text, password, directory, owner);
    expect(found).toEqual({ ...answer, ...('reason' in answer ? { refused: expect.any(String) } : { text }) });
  });
});

describe('extranonce', () => {
  it.each([
    ['aabbccdd', 8, 4],
    ['aabbccdd', 6, 4],
    ['aabbccdd', 5, 4],
    ['aabbccdd', 4, 3],
    ['', 32, 4],
  ])(
    "moves the upstream's part and the slot into coinb1, so that the whole coinbase stays the same: %s and %d bytes",
    (extranonce1, size, rolls) => {
      expect(rolledAt(size, false)).toBe(rolls);
      const layout = { extranonce1: '0f', extranonce2Size: rolls };
      const slot = freeSlot(layout, { extranonce1, size }, new Set())!;
      const { head, fixed } = placeOf(slot, extranonce1, 7);
      const rolled = '01020304'.slice(0, 2 * rolls);
      expect(`${head}0f${rolled}`).toBe(extranonce1 + fixed + rolled);
      expect(fixed + rolled).toHaveLength(size * 2);
    },
  );

  it.each([
    [8, 256 * 256],
    [7, 256 * 256],
    [6, 256],
    [5, 256],
  ])('of %d bytes has %d slots, and no two of them have work in common', (size, slots) => {
    const own = new OwnBytes();
    const taken = new Set<string>();
    const places = new Set<string>();
    for (let i = 0; i < Math.min(slots, 1000); i += 1) {
      const slot = freeSlot({ extranonce1: own.next(), extranonce2Size: 4 }, { extranonce1: 'aa', size }, taken)!;
      taken.add(keyOf(slot));
      for (let job = 0; job < Math.min(3, 256 ** slot.numberBytes); job += 1)
        places.add(placeOf(slot, 'aa', job).fixed);
    }
    expect(places.size).toBe(Math.min(slots, 1000) * (size === 5 ? 1 : 3));
    if (slots < 1000)
      expect(freeSlot({ extranonce1: '07', extranonce2Size: 4 }, { extranonce1: 'aa', size }, taken)).toBeNull();
  });

  it('whose bytes the miner rolls all has one slot, of the miner whose own byte is before them', () => {
    const extranonce = { extranonce1: 'aabb', size: 4 };
    const slot = freeSlot({ extranonce1: 'bb', extranonce2Size: 4 }, extranonce, new Set())!;
    expect(placeOf(slot, 'aabb', 7)).toEqual({ head: 'aa', fixed: '' });
    expect(freeSlot({ extranonce1: 'bb', extranonce2Size: 4 }, extranonce, new Set([keyOf(slot)]))).toBeNull();
    expect(freeSlot({ extranonce1: '00', extranonce2Size: 4 }, extranonce, new Set())).toBeNull();
    expect(freeSlot({ extranonce1: 'bb', extranonce2Size: 4 }, { ...extranonce, size: 3 }, new Set())).toBeNull();
    expect([rolledAt(4, true), rolledAt(3, false)]).toEqual([4, 3]);
  });
});

describe('layouts', () => {
  const layouts = new Layouts();
  const bytes = (kind: string): number => layouts.next(kind, 4).extranonce2Size;

  it('are by what such miners rolled before, and by the account that has the most', () => {
    expect(bytes('a')).toBe(4);
    layouts.uses('a', 1, { extranonce1: '00', extranonce2Size: 3 });
    expect([bytes('a'), bytes('b')]).toEqual([3, 4]);
    layouts.uses('a', 2, { extranonce1: '00', extranonce2Size: 4 });
    expect(bytes('a')).toBe(4);
  });

  it('of a miner of a new kind are by the default upstream', () =>
    expect(layouts.next('d', 3).extranonce2Size).toBe(3));

  it('that somebody is sent away for are given once', () => {
    layouts.await('c', { extranonce1: 'ab', extranonce2Size: 4 });
    expect(layouts.next('c', 4)).toEqual({ extranonce1: 'ab', extranonce2Size: 4 });
    expect(layouts.next('c', 4)).not.toEqual(layouts.next('c', 4));
  });
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
    expect([bans.banned('a', 999), bans.banned('b', 1), bans.banned('a', 1000)]).toEqual([true, false, false]);
    // The window begins anew.
    const again = Array.from({ length: 100 }, () => bans.note('a', true, 1000));
    expect(again.indexOf(true)).toBe(99);
    expect(bans.banned('a', 1999)).toBe(true);
  });
  it('ignore older shares', () => {
    const bans = new Bans(limits);
    for (let i = 0; i < 49; i += 1) bans.note('a', true, 0);
    for (let i = 0; i < 100; i += 1) bans.note('a', false, 0);
    expect(bans.banned('a', 0)).toBe(false);
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
    expect(parseUpstream('SCRYPT', 'stratum+tcp://u:100%@pool.example:3333')).toMatchObject({ password: '100%' });
    expect(parseUpstream('SCRYPT', 'stratum+tcp://u@[::1]:3333')).toMatchObject({
      host: '::1',
      url: 'stratum+tcp://[::1]:3333',
      tls: false,
      password: 'x',
    });
    expect(parseUpstream('SCRYPT', ' stratum+tcp://u@pool.example:3333/#xnsub\t')).toMatchObject({
      url: 'stratum+tcp://pool.example:3333',
      port: 3333,
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
    const isFull = (subAccountId: number) => slots.isFull({ subAccountId, algorithm: 'SHA256_ASICBOOST' });
    expect([1, 2, 3].map(isFull)).toEqual([true, false, false]);
    b?.mined(TINY);
    expect([b?.release(), a?.release(), claim(slots, 'c'), again?.release()]).toEqual([0, 1, null, 0]);
    expect([claim(slots, 'c'), claim(slots, 'd'), claim(slots, 'b')]).toEqual([
      expect.anything(),
      null,
      expect.anything(),
    ]);
  });

  it('a name expires an hour after its last share', () => {
    const slots = slotsOf(1);
    now = 10;
    const a = claim(slots, 'a');
    a?.mined(TINY);
    a?.release();
    now += HOUR;
    // A name that works keeps the only place from every newcomer.
    for (const address of ['192.0.2.1', '198.51.100.9']) expect(claim(slots, 'b', address)).toBeNull();
    now += 1;
    expect(claim(slots, 'b')).not.toBeNull();
  });

  it("names of the owner's take no places of strangers", () => {
    const slots = slotsOf(2);
    own = new Set(['rig']);
    const places = ['rig', 'a', 'b', 'c'].map((name) => claim(slots, name));
    expect(places.map(Boolean)).toEqual([true, true, true, false]);
    expect(evicted).toEqual([]);
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

  it.each([
    [3, 'before'],
    [5, 'now'],
  ])(
    'half of what was mined is forgotten in an hour: of %d before it and 2 after, what was mined %s gives way',
    (then, given) => {
      const slots = slotsOf(3);
      claim(slots, 'before', '198.51.100.1')?.mined(then);
      now = HOUR;
      claim(slots, 'now', '198.51.100.1')?.mined(2);
      claim(slots, 'most', '198.51.100.1')?.mined(100);
      claim(slots, 'fresh', '192.0.2.1');
      expect(evicted).toEqual([given]);
    },
  );

  it('one that is as crowded as the newcomer keeps its places', () => {
    const slots = slotsOf(2);
    for (const name of ['a', 'b']) claim(slots, name, '198.51.100.1')?.mined(TINY);
    expect(claim(slots, 'c', '192.0.2.1')).toBeNull();
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
    // Nor does it free the place of a later one of its name.
    own = new Set(['a']);
    claim(slots, 'a');
    expect(old?.release()).toBe(1);
  });

  it('a dismissed name loses its connections and its place', () => {
    const slots = slotsOf(1);
    claim(slots, 'a')?.mined(TINY);
    for (const [subAccountId, name] of [
      [1, 'b'],
      [1, 'a'],
      [2, 'a'],
    ] as const)
      slots.dismiss({ subAccountId, algorithm: 'SHA256_ASICBOOST' }, name);
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
