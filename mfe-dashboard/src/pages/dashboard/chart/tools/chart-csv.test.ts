import { toCsv } from '@pool/shared/ui/core';
import { chartCsv } from './chart-csv';

test('UTC times and whole H/s; a gap is empty, never zero', () => {
  const csv = toCsv(
    ...chartCsv({
      from: 1_795_132_800,
      step: 600,
      accepted: [21.3e15, null],
      stale: [8e13 + 0.037, null],
      rejected: [4e13, null],
    }),
  );
  expect(csv.split('\r\n')).toEqual([
    'time_utc,accepted_hs,stale_hs,rejected_hs',
    '2026-11-20T00:00:00.000Z,21300000000000000,80000000000000,40000000000000',
    '2026-11-20T00:10:00.000Z,,,',
    '',
  ]);
});
