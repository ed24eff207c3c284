import type { Worker } from '@pool/shared';

const names = new Intl.Collator('en', { numeric: true });

/** The groups of workers, by name: "Hall 2" before "Hall 10". */
export const groupsOf = (workers: readonly Worker[]): string[] =>
  [...new Set(workers.flatMap(({ group }) => group ?? []))].sort(names.compare);
