import { earning } from '../../../testing/answers';
import { closedSums, daysOf, linesOf, sumOf } from './ledger';

const ROWS = [
  earning({ algorithm: 'SCRYPT', netSat: 369_357 }),
  earning(),
  earning({ day: '2026-11-19', status: 'final' }),
  earning({ day: '2026-11-18', status: 'final' }),
  earning({ day: '2026-11-18', status: 'adjusted', algorithm: 'SCRYPT', netSat: -50 }),
];

test('one line per day with the sums of its parts, and what is not final about it', () => {
  const days = daysOf(ROWS, true);
  expect(days.map(({ day, netSat, status }) => [day, netSat, status])).toEqual([
    ['2026-11-20', 1_400_355, 'estimated'],
    ['2026-11-19', 1_030_998, 'final'],
    ['2026-11-18', 1_030_948, 'adjusted'],
  ]);
  expect(days[0]?.parts.map(({ algorithm }) => algorithm)).toEqual(['SHA256_ASICBOOST', 'SCRYPT']);
  expect(sumOf(days)).toEqual(sumOf(ROWS));
  // A corrected day is closed too.
  expect(closedSums(ROWS)).toMatchObject({ days: 2, netSat: 2_061_946 });
});

test('a day that may go on on the next page waits for it', () => {
  expect(daysOf(ROWS, false).map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-19']);
});

test('an opened day is followed by its parts; one part is the day', () => {
  const lines = linesOf(daysOf(ROWS, true), new Set(['2026-11-20', '2026-11-19']));
  expect(lines.map(({ day, part }) => [day.day, part?.algorithm])).toEqual([
    ['2026-11-20', undefined],
    ['2026-11-20', 'SHA256_ASICBOOST'],
    ['2026-11-20', 'SCRYPT'],
    ['2026-11-19', 'SHA256_ASICBOOST'],
    ['2026-11-18', undefined],
  ]);
});
