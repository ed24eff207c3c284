/** Totals of groups, from the workers of the list. */
import type { Worker } from '@pool/shared';

/** `name` null: the workers of no group. `total` is without inactive workers, as in the headline. */
export type GroupTotals = {
  name: string | null;
  online: number;
  low: number;
  offline: number;
  inactive: number;
  total: number;
  h1: number;
  h24: number;
};

const nothing = (name: string | null): GroupTotals => ({
  name,
  online: 0,
  low: 0,
  offline: 0,
  inactive: 0,
  total: 0,
  h1: 0,
  h24: 0,
});

const names = new Intl.Collator('en', { numeric: true });
const trouble = ({ offline, low }: GroupTotals) => Number(offline > 0) * 2 + Number(low > 0);

/** All of `groups`, empty ones too: trouble first, then by name; workers of no group last. */
export function groupTotals(workers: readonly Worker[], groups: readonly string[]): GroupTotals[] {
  const totals = new Map(groups.map((name): [string | null, GroupTotals] => [name, nothing(name)]));
  for (const { group, state, h1, h24 } of workers) {
    const sums = totals.get(group) ?? nothing(group);
    totals.set(group, sums);
    sums[state] += 1;
    if (state === 'inactive') continue;
    sums.total += 1;
    sums.h1 += h1;
    sums.h24 += h24;
  }
  return [...totals.values()].sort(
    (a, b) =>
      Number(a.name === null) - Number(b.name === null) ||
      trouble(b) - trouble(a) ||
      names.compare(a.name ?? '', b.name ?? ''),
  );
}
