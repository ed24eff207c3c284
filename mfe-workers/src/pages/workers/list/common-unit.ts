import { hashrateUnit, type HashrateUnit, type Worker } from '@pool/shared';

/** The unit that suits most workers: one for the whole column, so that the decimals align. */
export function commonUnit(workers: readonly Worker[]): HashrateUnit {
  // Counted by powers of a thousand: to find the unit of each of 10,000 workers would take longer than to draw them.
  const counts: number[] = [];
  for (const { h24 } of workers) {
    if (h24 < 1) continue;
    const power = Math.floor(Math.log10(h24) / 3);
    counts[power] = (counts[power] ?? 0) + 1;
  }
  const most = Math.max(...Object.values(counts));
  return most > 0 ? hashrateUnit(1000 ** counts.indexOf(most)) : 'T';
}
