import type { Worker } from '@pool/shared';

/** Orders names: "Hall 2" before "Hall 10". */
export const { compare: byName } = new Intl.Collator('en', { numeric: true });

/** The groups of workers, by name. */
export const groupsOf = (workers: readonly Worker[]): string[] =>
  [...new Set(workers.flatMap(({ group }) => group ?? []))].sort(byName);
