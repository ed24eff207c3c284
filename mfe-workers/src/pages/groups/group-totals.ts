import type { Worker } from '@pool/shared';
import type { Sort } from '@pool/shared/ui/table';
import { lostOf, totalOf } from '../workers/list/losses';

/** `name` null: the workers of no group. `total` is without inactive workers, as in the headline. */
export type GroupTotals = {
  name: string | null;
  online: number;
  low: number;
  offline: number;
  inactive: number;
  total: number;
  m5: number;
  h1: number;
  h24: number;
  /** H/s that its workers make less than they could. */
  lost: number;
};

const nothing = (name: string | null): GroupTotals => ({
  name,
  online: 0,
  low: 0,
  offline: 0,
  inactive: 0,
  total: 0,
  m5: 0,
  h1: 0,
  h24: 0,
  lost: 0,
});

const names = new Intl.Collator('en', { numeric: true });

export const GROUP_SORTS = ['name', 'online', 'low', 'offline', 'inactive', 'm5', 'h1', 'h24', 'lost'] as const;
const valueOf = (group: GroupTotals, key: Exclude<(typeof GROUP_SORTS)[number], 'name'>): number =>
  key === 'online' ? group.online / Math.max(1, group.total) : group[key];

/** Sorted by a column; online ones by their part of the group. Equal groups keep their order. */
export function sortGroups(groups: readonly GroupTotals[], sort: Sort | undefined): readonly GroupTotals[] {
  const key = GROUP_SORTS.find((name) => name === sort?.key);
  if (!key) return groups;
  const sign = sort?.order === 'descend' ? -1 : 1;
  return groups.toSorted((a, b) =>
    key === 'name'
      ? Number(a.name === null) - Number(b.name === null) || sign * names.compare(a.name ?? '', b.name ?? '')
      : sign * (valueOf(a, key) - valueOf(b, key)),
  );
}

/** All of `groups`, empty ones too (`now`: Unix seconds): those that lose most first, then by name; workers of no group last. */
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
    sums.m5 += worker.m5;
    sums.lost += lostOf(worker);
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
      Number(a.name === null) - Number(b.name === null) || b.lost - a.lost || names.compare(a.name ?? '', b.name ?? ''),
  );
}
