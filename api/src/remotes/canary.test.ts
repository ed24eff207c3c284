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
/** So many of 20 users have an error in each of their two mounts. */
const faulty = (users: number): Side => ({
  told: (user) => (user < users ? [mount(1), mount(1)] : [mount(), mount()]),
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
  ['is a little slower', good, timed(700), null],
  ['is slow at four users', { users: 900 }, timed(9_000, 4), null],
  ['crashes at nine users, who are all', good, { users: 9, told: bad }, null],
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
  ['it is used by nine', good, { users: 9, told: () => [mount(), mount(), mount(), mount()] }, false],
  ['its mounts often do not end, which is told by nobody as an error', good, timed(null, 8), false],
  ['half of the users who have it tell nothing', { users: 40 }, good, false],
])('%s: whether it is promoted', (_, current, canary, isPromoted) => {
  expect(compared(current, canary, { auto: 60 }).verdict(SINCE + 999 * MINUTE)?.what).toBe(
    isPromoted ? 'promote' : undefined,
  );
});
