import { Comparison, LEAST_MOUNTS } from './canary';
import type { ClientReport } from './figures';

const SINCE = Date.parse('2026-11-25T00:00:00Z');
const MINUTE = 60_000;
const [CURRENT, CANARY] = ['1.0.0', '1.1.0'];

type Told = { mounts?: (number | null)[]; faulty?: number };
const report = (version: string, { mounts = [], faulty }: Told): ClientReport => {
  const about = { remote: 'map', version };
  const error = { kind: 'crash' as const, ...about, message: 'x', stack: '', count: 1 };
  return {
    shell: '',
    mounts: mounts.map((ms) => ({ ...about, ms })),
    errors: faulty === undefined ? [] : [{ ...error, faultyMounts: faulty }],
  };
};

/** Reports of some users. By default each of 20 mounts twice, with a report for each mount. */
type Side = { users?: number; told?: (user: number) => Told[] };
const mount = (faulty?: number, ms: number | null = 300): Told => ({ mounts: [ms], faulty });
const good: Side = {};
/** So many users have an error in each of their two mounts. */
const faulty = (some: number, users = 20): Side => ({
  users,
  told: (user) => (user < some ? [mount(1), mount(1)] : [mount(), mount()]),
});
const timed = (ms: number | null, users = 20): Side => ({
  told: (user) => [mount(undefined, user < users ? ms : 300), mount(undefined, user < users ? ms : 300)],
});

function compared(current: Side, canary: Side, { auto, percent = 50 }: { auto?: number; percent?: number } = {}) {
  const comparison = new Comparison({ version: CURRENT, canary: { version: CANARY, percent, auto } }, SINCE);
  for (const [version, { users = 20, told = () => [mount(), mount()] }, first] of [
    [CURRENT, current, 0],
    [CANARY, canary, 1_000],
  ] as const)
    for (let user = 0; user < users; user += 1)
      for (const each of told(user))
        comparison.take({ site: `${first + user}`, account: first + user }, 'map', version, report(version, each));
  return comparison;
}

const ALL = 'errors in 100 % of 40 mounts, at 100 % of 20 users; 1.0.0: in 0 % of 40 mounts, at 0 % of 20 users';
const bad = (): Told[] => [{ faulty: 1000 }, mount()];

test.each<[string, Side, Side, string | null]>([
  ['crashes always', good, faulty(20), ALL],
  ['has errors long after the mount', good, { told: () => [mount(), { faulty: 1 }, mount(), { faulty: 1 }] }, ALL],
  [
    'has errors that are told before the mount',
    good,
    { told: () => [{ faulty: 1 }, mount(), { faulty: 1 }, mount()] },
    ALL,
  ],
  ['hangs, so that no time is known', good, { told: () => [mount(1, null), mount(1, null)] }, ALL],
  [
    'fails at half of its users',
    good,
    faulty(10),
    'errors in 50 % of 40 mounts, at 50 % of 20 users; 1.0.0: in 0 % of 40 mounts, at 0 % of 20 users',
  ],
  [
    'fails in every mount where the other fails once at each user',
    { told: () => [{ mounts: Array<number>(40).fill(300), faulty: 1 }] },
    faulty(20),
    'errors in 100 % of 40 mounts, at 100 % of 20 users; 1.0.0: in 2 % of 60 mounts, at 100 % of 20 users',
  ],
  ['is slow', good, timed(4_000), '95 % of 40 mounts within 4000 ms; 1.0.0: 300 ms of 40'],
  ['fails as often as the other', faulty(10), faulty(11), null],
  ['fails more often than the other, as chance explains', faulty(10), faulty(18), null],
  [
    'fails more often than chance explains',
    faulty(10),
    faulty(19),
    'errors in 95 % of 40 mounts, at 95 % of 20 users; 1.0.0: in 50 % of 40 mounts, at 50 % of 20 users',
  ],
  ['is slower by a second', good, timed(1_300), null],
  ['takes less than twice as long', timed(2_000), timed(3_900), null],
  [
    'takes more than twice as long',
    timed(2_000),
    timed(4_100),
    '95 % of 40 mounts within 4100 ms; 1.0.0: 2000 ms of 40',
  ],
  [
    'is slow at ten users',
    good,
    { users: 10, told: () => Array<Told>(3).fill(mount(undefined, 9_000)) },
    '95 % of 30 mounts within 9000 ms; 1.0.0: 300 ms of 40',
  ],
  [
    'is slow at four users, however often they load it again',
    { users: 900 },
    { told: (user) => (user < 4 ? Array<Told>(99).fill(mount(undefined, 9_000)) : [mount()]) },
    null,
  ],
  ['is slow at four users', { users: 900 }, timed(9_000, 4), null],
  ['crashes at nine users, who are all', good, { users: 9, told: () => [mount(1), mount(1), mount(1)] }, null],
  ['crashes, but of the other version nothing is known', { users: 0 }, faulty(20), null],
  [
    'crashes at four users, however often they load it again',
    { users: 900 },
    { told: (user) => (user < 4 ? Array.from({ length: 99 }, bad).flat() : [mount()]) },
    null,
  ],
])('a canary that %s', (_, current, canary, why) => {
  const expected = why === null ? null : { what: 'rollback', why };
  // However late it is: without `auto` nothing is promoted.
  expect(compared(current, canary).verdict(SINCE + 10_000 * MINUTE)).toEqual(expected);
});

test('the tenth user is enough, where it crashes at each', () => {
  const told = (): Told[] => [mount(1)];
  expect(compared(good, { users: 10, told }).verdict(SINCE)?.why).toMatch(
    /^errors in 100 % of 10 mounts, at 100 % of 10/,
  );
  expect(LEAST_MOUNTS).toBeGreaterThan(10);
});

test('as good after its time it is promoted, if that was asked for', () => {
  const verdict = compared(good, good, { auto: 60 });
  expect(verdict.verdict(SINCE + 59 * MINUTE)).toBeNull();
  expect(verdict.verdict(SINCE + 60 * MINUTE)).toEqual({
    what: 'promote',
    why: 'as good as 1.0.0 after 60 min: errors in 0 % of 40 mounts, at 0 % of 20 users; 1.0.0: in 0 % of 40 mounts, at 0 % of 20 users',
  });
});

/** One user loads it again without end, with an error each time. */
const oneLoops: Side = {
  users: 200,
  told: (user) => (user === 0 ? Array.from({ length: 500 }, () => mount(1)) : [mount(), mount(), mount()]),
};

test.each<[string, Side, Side, boolean]>([
  ['one user has errors without end', { users: 200 }, oneLoops, true],
  [
    'one user tells of errors of the other version without end, and it has three bad mounts of forty',
    { told: (user) => (user === 0 ? bad() : [mount(), mount()]) },
    { told: (user) => (user < 3 ? [mount(1), mount()] : [mount(), mount()]) },
    false,
  ],
  [
    'it is used by nine, of eighteen',
    { users: 10, told: () => [mount(), mount(), mount()] },
    { users: 9, told: () => [mount(), mount(), mount(), mount()] },
    false,
  ],
  ['it fails at one user more of eleven', faulty(10), faulty(11), true],
  ['it fails at one per cent more, which is more than chance', faulty(45, 900), faulty(53, 900), true],
  ['it fails at two per cent more', faulty(45, 900), faulty(65, 900), false],
  [
    'a third of its mounts does not end, which is told by nobody as an error',
    good,
    { told: () => [mount(), mount(), mount(undefined, null)] },
    false,
  ],
  [
    'one mount of sixty does not end',
    { users: 60, told: () => [mount(), mount(), mount()] },
    { users: 60, told: (user) => [mount(), mount(), mount(undefined, user ? 300 : null)] },
    true,
  ],
  [
    'somebody tells of errors without a mount',
    good,
    { users: 21, told: (user) => (user ? [mount(), mount()] : [{ faulty: 9 }]) },
    true,
  ],
  ['half of the users who have it tell nothing', { users: 40 }, good, false],
  ['a quarter of them tells nothing', { users: 40 }, { users: 30 }, true],
])('%s: whether it is promoted', (_, current, canary, isPromoted) => {
  expect(compared(current, canary, { auto: 60 }).verdict(SINCE + 999 * MINUTE)?.what).toBe(
    isPromoted ? 'promote' : undefined,
  );
});

describe('a comparison', () => {
  const pointer = (version: string, canary: string, percent: number, auto?: number) => ({
    version,
    canary: { version: canary, percent, auto },
  });

  test.each([
    ['the same, promoted at another time', pointer(CURRENT, CANARY, 50, 60), true],
    ['another canary', pointer(CURRENT, '1.2.0', 50), false],
    ['a canary beside another version', pointer('1.0.1', CANARY, 50), false],
    ['a canary for more users', pointer(CURRENT, CANARY, 60), false],
  ])('is of %s: %s', (_, other, same) => expect(compared(good, good).isOf(other)).toBe(same));

  test('counts nothing of other remotes and versions', () => {
    const others = compared(good, faulty(0));
    for (let user = 0; user < 20; user += 1)
      for (const [remote, version] of [
        ['map', '0.9.0'],
        ['power', CANARY],
      ] as const) {
        const bad = report(version, { mounts: [9_000], faulty: 9 });
        const about = { remote, version };
        others.take({ site: `${1_000 + user}`, account: 1_000 + user }, 'map', CANARY, {
          ...bad,
          mounts: bad.mounts.map((each) => ({ ...each, ...about })),
          errors: bad.errors.map((each) => ({ ...each, ...about })),
        });
      }
    expect(others.state()).toContain('canary 1.1.0: in 0 % of 40 mounts, at 0 % of 20 users; 1.0.0: in 0 % of 40');
  });

  test('says what its verdict waits for', () => {
    const waits = (current: Side, canary: Side) =>
      compared(current, canary)
        .state()
        .replace(/.*?; 1\.0\.0: /, '');
    const few =
      'no verdict before 10 users of each version, and those of one network are one: is the proxy in TRUSTED_PROXIES?';
    const told = (users: number) => `in 0 % of ${2 * users} mounts, at 0 % of ${users} users`;
    expect([waits(good, { users: 10 }), waits(good, { users: 9 }), waits({ users: 9 }, good)]).toEqual([
      `${told(20)}; no clear difference`,
      `${told(20)}; ${few}`,
      `${told(9)}; ${few}`,
    ]);
    expect(waits({ users: 0 }, good)).toBe(`nobody told; ${few}`);
  });

  test('says how many accounts are one user, for they are at one network', () => {
    const atOne = compared(good, { users: 0 });
    const take = (account: number, site: string) =>
      atOne.take({ site, account }, 'map', CANARY, report(CANARY, mount()));
    for (let account = 0; account < 2; account += 1) take(2_000 + account, 'home');
    expect(atOne.state()).toContain('at 0 % of 1 users, 2 accounts at 1 networks; 1.0.0: ');
    // One account at two networks is one user too.
    take(2_000, 'away');
    expect(atOne.state()).toContain('in 0 % of 3 mounts, at 0 % of 1 users; 1.0.0: ');
  });
});
