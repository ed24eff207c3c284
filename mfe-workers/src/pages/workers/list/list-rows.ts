/** Filters and sorts the list. Pure functions, fast enough to run on each key press with 10,000 workers. */
import { STATE_ORDER, type Worker } from '@pool/shared';
import type { Direction, ListPlace, SortKey } from './list-place';

/** Sort key of a name: digits compare as numbers (rig-2 before rig-10). Names are ASCII, so no collator is needed. */
const nameKey = (name: string) => name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'));

/** Sorts by name. Call it once per list: the sorts below are stable, so equal rows keep this order. */
export function inNameOrder(workers: readonly Worker[]): Worker[] {
  const keyed = workers.map((worker) => ({ worker, key: nameKey(worker.name) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ worker }) => worker);
}

/** Problems first: by state, then offline workers by last share, low workers by hashrate. */
function byTrouble(a: Worker, b: Worker): number {
  const states = STATE_ORDER[a.state] - STATE_ORDER[b.state];
  if (states !== 0) return states;
  if (a.state === 'low') return fraction(a) - fraction(b);
  if (a.state === 'offline') return (a.lastShareAt ?? 0) - (b.lastShareAt ?? 0);
  return 0;
}

/** The 1 h hashrate as a part of the 24 h mean. */
const fraction = (w: Worker) => (w.h24 > 0 ? w.h1 / w.h24 : 0);

/** Compares a number; unknown values come last in both directions. */
function byNumber(key: Exclude<SortKey, 'trouble' | 'name' | 'group'>, direction: Direction) {
  const sign = direction === 'asc' ? 1 : -1;
  return (a: Worker, b: Worker) => {
    const x = a[key];
    const y = b[key];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return (x - y) * sign;
  };
}

/** By the group's name; workers of no group come last in both directions. */
function byGroup(direction: Direction) {
  const keys = new Map<string, string>();
  const keyOf = (group: string) => keys.get(group) ?? (keys.set(group, nameKey(group)), nameKey(group));
  const sign = direction === 'asc' ? 1 : -1;
  return ({ group: a }: Worker, { group: b }: Worker) => {
    if (a === b) return 0;
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return keyOf(a) < keyOf(b) ? -sign : sign;
  };
}

/** Sorts workers that are already in name order. */
export function sortWorkers(
  named: readonly Worker[],
  { sort, direction }: Pick<ListPlace, 'sort' | 'direction'>,
): Worker[] {
  if (sort === 'name') return direction === 'asc' ? [...named] : [...named].reverse();
  if (sort === 'trouble') return [...named].sort((a, b) => (direction === 'asc' ? byTrouble(a, b) : byTrouble(b, a)));
  if (sort === 'group') return [...named].sort(byGroup(direction));
  return [...named].sort(byNumber(sort, direction));
}

export function filterWorkers(
  workers: readonly Worker[],
  { tab, group, search }: Pick<ListPlace, 'tab' | 'group' | 'search'>,
): Worker[] {
  // An expression compares without making 10,000 names small.
  const wanted = new RegExp(search.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
  return workers.filter(
    ({ state, group: own, name }) =>
      (tab === 'all' ? state !== 'inactive' : state === tab) &&
      (group === null || (own ?? '') === group) &&
      wanted.test(name),
  );
}
