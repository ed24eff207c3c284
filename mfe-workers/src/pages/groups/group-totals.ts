import { countWorkers, type Worker, type WorkerCounts, type WorkerGroup } from '@pool/shared';
import type { Sort } from '@pool/shared/ui/table';
import { expectedOf, lostOf, nowOf, sumOf, totalOf } from '../workers/list/losses';

/**
 * `name` null: the workers of no group. `lost`: H/s that its workers make less than they could. `expected`: H/s of their
 * usual hours. `share`: the part of it that they make now; null: nothing is expected. `muted`: workers without alerts.
 * `group`: the group itself. `cost`: US dollars a day for the power of those that are on; null: not known.
 */
export type GroupTotals = WorkerCounts & {
  name: string | null;
  m5: number;
  h1: number;
  h24: number;
  lost: number;
  expected: number;
  share: number | null;
  muted: number;
  group: WorkerGroup | undefined;
  cost: number | null;
  margin: Margin | null;
};
/** What a kWh earns and what it costs, US dollars. */
type Margin = { earns: number; costs: number };
export const isLoss = ({ margin }: GroupTotals): boolean => margin !== null && margin.earns < margin.costs;

const names = new Intl.Collator('en', { numeric: true });

export const GROUP_SORTS = [
  'name',
  'online',
  'low',
  'offline',
  'inactive',
  'disconnected',
  'm5',
  'h1',
  'h24',
  'expected',
  'share',
  'muted',
  'lost',
  'cost',
  'margin',
] as const;
function valueOf(group: GroupTotals, key: Exclude<(typeof GROUP_SORTS)[number], 'name'>): number {
  if (key === 'online') return group.online / Math.max(1, group.total);
  if (key === 'margin') return group.margin ? group.margin.earns - group.margin.costs : Infinity;
  return group[key] ?? (key === 'share' ? Infinity : 0);
}

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

/** An hour that was partly silent says nothing of a worker that runs as ever. */
const earningOf = (worker: Worker): number => (worker.state === 'low' ? worker.h1 : expectedOf(worker));

/** Cost and margin of a group; workers that have just come back are not judged yet. `usdPerHs`: what an H/s earns a day. */
function moneyOf(workers: readonly Worker[], group: WorkerGroup | undefined, usdPerHs: number | undefined) {
  const { machines = 0, draws = null, usdPerKwh = 0 } = group?.power ?? {};
  if (machines === 0 || draws === null) return { cost: null, margin: null };
  const on = workers.filter((worker) => nowOf(worker) > 0);
  const steady = on.filter(({ backSince }) => backSince === undefined);
  const kilowattHours = (some: readonly Worker[]) => (draws * 24 * some.length) / machines;
  const margin =
    steady.length > 0 && usdPerHs !== undefined
      ? { earns: (sumOf(steady, earningOf) * usdPerHs) / kilowattHours(steady), costs: usdPerKwh }
      : null;
  return { cost: kilowattHours(on) * usdPerKwh, margin };
}

/** All of `groups`, empty ones too: those that lose most first, then by name; workers of no group last. */
export function groupTotals(
  workers: readonly Worker[],
  groups: readonly WorkerGroup[],
  usdPerHs?: number,
): GroupTotals[] {
  const members = new Map(groups.map(({ name }): [string | null, Worker[]] => [name, []]));
  for (const worker of workers) {
    const others = members.get(worker.group);
    if (others) others.push(worker);
    else members.set(worker.group, [worker]);
  }
  const totals = [...members].map(([name, all]): GroupTotals => {
    const expected = sumOf(all, expectedOf);
    const active = all.filter(({ state }) => state !== 'inactive');
    const group = groups.find((one) => one.name === name);
    return {
      name,
      ...countWorkers(all),
      m5: totalOf(active, 'm5'),
      h1: totalOf(active, 'h1'),
      h24: totalOf(active, 'h24'),
      lost: sumOf(all, lostOf),
      expected,
      share: expected > 0 ? sumOf(all, nowOf) / expected : null,
      muted: all.filter(({ muted }) => muted).length,
      group,
      ...moneyOf(all, group, usdPerHs),
    };
  });
  return totals.sort(
    (a, b) =>
      Number(a.name === null) - Number(b.name === null) || b.lost - a.lost || names.compare(a.name ?? '', b.name ?? ''),
  );
}
