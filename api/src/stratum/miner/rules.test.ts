/** The small rules: names, extranonce, version rolling, bans, limits, upstream addresses. */
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
    expect([bitsAllowed(0x00002000, mask), bitsAllowed(0x01000000, mask), bitsAllowed(0x80000000, mask)]).toEqual([
      true,
      false,
      false,
    ]);
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
    expect([0, 10, 20, 59, 60, 61, 70].map((at) => window.take(at))).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
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
