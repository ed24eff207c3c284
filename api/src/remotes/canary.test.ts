import { Comparison, LEAST_MOUNTS } from './canary';
import type { ClientReport } from './figures';

const SINCE = Date.parse('2026-11-25T00:00:00Z');
const MINUTE = 60_000;
const [CURRENT, CANARY] = ['1.0.0', '1.1.0'];

type Side = { mounts?: number; faulty?: number; ms?: number | null; slow?: number; users?: number };

/** A comparison that was told of these mounts; `slow` of them take 9 s. */
function compared(current: Side, canary: Side, auto?: number): Comparison {
  const comparison = new Comparison({ version: CURRENT, canary: { version: CANARY, percent: 10, auto } }, SINCE);
  for (const [version, side] of [
    [CURRENT, current],
    [CANARY, canary],
  ] as const) {
    const { mounts = 40, faulty = 0, ms = 300, slow = 0, users = 8 } = side;
    for (let n = 0; n < mounts; n += 1) {
      const about = { remote: 'map', version };
      const error = { kind: 'crash' as const, ...about, message: 'x', stack: '', count: 1, faultyMounts: 1 };
      const report: ClientReport = {
        shell: '',
        mounts: [{ ...about, ms: n < slow ? 9_000 : ms }],
        errors: n < faulty ? [error] : [],
      };
      comparison.take(n % users, 'map', version, report);
    }
  }
  return comparison;
}

test.each<[string, Side, Side, string | null]>([
  ['crashes always', {}, { faulty: 40 }, 'errors in 100 % of 40 mounts; 1.0.0: 0 % of 40'],
  ['fails in one of three', {}, { faulty: 13 }, 'errors in 33 % of 40 mounts; 1.0.0: 0 % of 40'],
  ['hangs, so that no time is known', {}, { faulty: 40, ms: null }, 'errors in 100 % of 40 mounts; 1.0.0: 0 % of 40'],
  ['is slow', {}, { ms: 4_000 }, '95 % mounted within 4000 ms of 40 mounts; 1.0.0: 300 ms of 40'],
  ['has one error', {}, { faulty: 1 }, null],
  ['fails as often as the other', { faulty: 20 }, { faulty: 22 }, null],
  ['is a little slower', {}, { ms: 700 }, null],
  ['has two slow mounts', {}, { slow: 2 }, null],
  ['is better', { faulty: 30, ms: 4_000 }, {}, null],
  ['crashes, but is hardly used', {}, { mounts: LEAST_MOUNTS - 1, faulty: LEAST_MOUNTS - 1 }, null],
  ['crashes, but of the other version nothing is known', { mounts: 0 }, { faulty: 40 }, null],
  ['crashes at one user only', {}, { mounts: 400, faulty: 400, users: 1 }, null],
])('a canary that %s', (_, current, canary, why) => {
  const expected = why === null ? null : { what: 'rollback', why };
  // However late it is: without `auto` nothing is promoted.
  expect(compared(current, canary).verdict(SINCE + 10_000 * MINUTE)).toEqual(expected);
});

test('as good after its time it is promoted, if that was asked for', () => {
  const good = compared({ faulty: 1 }, { faulty: 1 }, 60);
  expect(good.verdict(SINCE + 59 * MINUTE)).toBeNull();
  expect(good.verdict(SINCE + 60 * MINUTE)).toEqual({
    what: 'promote',
    why: 'as good as 1.0.0 after 60 min and 40 mounts',
  });
  for (const doubtful of [{ faulty: 3 }, { mounts: 20 }, { ms: null }, { slow: 3 }])
    expect(compared({}, doubtful, 60).verdict(SINCE + 999 * MINUTE)).toBeNull();
});
