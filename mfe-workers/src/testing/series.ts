/** A worker's history of a day, for tests. */
import type { WorkerSeries } from '@pool/shared';

export const series = (facts: Partial<WorkerSeries> = {}): WorkerSeries => {
  const accepted = facts.accepted ?? Array.from({ length: 143 }, (_, i) => (i < 100 ? 98e12 : 60e12));
  return {
    from: 1_795_099_200,
    step: 600,
    accepted,
    stale: accepted.map(() => 0),
    rejected: accepted.map(() => 0),
    difficulty: accepted.map((hs) => (hs === null ? null : 65_536)),
    ...facts,
  };
};
