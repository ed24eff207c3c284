import { Pace } from './pace';

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
