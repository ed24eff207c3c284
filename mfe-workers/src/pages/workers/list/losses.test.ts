import { worker } from '../../../testing/worker';
import { lostOf, totalOf } from './losses';

const NOW = 1_795_184_000;
const spark = (...hours: (number | null)[]) => [...Array<number>(24 - hours.length).fill(90e12), ...hours];
const clean = { rejectRate: 0, staleRate: 0 };

test.each([
  ['as ever, with all of its work paid', clean, 0],
  ['a few percent less', { ...clean, h1: 87e12, spark: spark() }, 0],
  ['at half of its usual hour', { ...clean, state: 'low', h1: 45e12, h24: 70e12, spark: spark(45e12, 45e12) }, 45e12],
  ['offline, after a gap', { ...clean, state: 'offline', h1: 20e12, h24: 80e12, spark: spark(null, 20e12) }, 90e12],
  ['one in ten shares is not paid', { h1: 90e12, h24: 90e12, rejectRate: 0.07, staleRate: 0.03 }, 10e12],
  ['inactive', { ...clean, state: 'inactive', h1: 0, h24: 0 }, 0],
] as const)('what a worker loses: %s', (_, facts, lost) => {
  expect(lostOf(worker({ spark: spark(), ...facts })) / 1e12).toBeCloseTo(lost / 1e12, 6);
});

test('a total of means over different times is the mean over the longest', () => {
  const old = worker({ h1: 80e12, h24: 80e12 });
  const fresh = worker({ h1: 60e12, h24: 60e12, minedSince: NOW - 1800 });
  expect(totalOf([old, fresh], 'h1', NOW)).toBeCloseTo(110e12, -6);
  expect(totalOf([old, fresh], 'h24', NOW)).toBeCloseTo(81.25e12, -6);
  // All of them began together: it is the mean since then.
  expect(totalOf([fresh, fresh], 'h24', NOW)).toBeCloseTo(120e12, -6);
  expect(totalOf([], 'h24', NOW)).toBe(0);
});
