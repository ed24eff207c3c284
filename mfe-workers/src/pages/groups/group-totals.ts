/** Totals of groups, from the workers of the list. */
import type { Worker } from '@pool/shared';
import { totalOf } from '../workers/list/losses';

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

/** All of `groups`, empty ones too (`now`: Unix seconds): trouble first, then by name; workers of no group last. */
export function groupTotals(workers: readonly Worker[], groups: readonly string[], now: number): GroupTotals[] {
  const totals = new Map(groups.map((name): [string | null, GroupTotals] => [name, nothing(name)]));
  const active = new Map<GroupTotals, Worker[]>();
  for (const worker of workers) {
    const { group, state } = worker;
    const sums = totals.get(group) ?? nothing(group);
    totals.set(group, sums);
    sums[state] += 1;
    if (state === 'inactive') continue;
    sums.total += 1;
    const others = active.get(sums);
    if (others) others.push(worker);
    else active.set(sums, [worker]);
  }
  for (const [sums, own] of active) {
    sums.h1 = totalOf(own, 'h1', now);
    sums.h24 = totalOf(own, 'h24', now);
  }
  return [...totals.values()].sort(
    (a, b) =>
      Number(a.name === null) - Number(b.name === null) ||
      trouble(b) - trouble(a) ||
      names.compare(a.name ?? '', b.name ?? ''),
  );
}
