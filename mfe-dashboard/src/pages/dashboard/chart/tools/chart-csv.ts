/** The points of the chart as CSV: UTC times, whole H/s; a gap is empty. */
import type { Series } from '@pool/shared';
import { wholeHs, type CsvValue } from '@pool/shared/ui/core';

export function chartCsv({ from, step, accepted, stale, rejected }: Series): [header: string[], rows: CsvValue[][]] {
  return [
    ['time_utc', 'accepted_hs', 'stale_hs', 'rejected_hs'],
    accepted.map((hs, i) => [new Date((from + i * step) * 1000), ...[hs, stale[i], rejected[i]].map(wholeHs)]),
  ];
}
