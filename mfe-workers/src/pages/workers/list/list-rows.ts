/** Filters, counts and sorts the list, which is in name order, fast enough for 10,000 workers on each key press. */
import { byTrouble, searchedText, searchTest, serverTime, type Worker, type WorkerState } from '@pool/shared';
import { byName, groupsOf } from './group-names';
import type { Direction, ListPlace } from './list-place';
import { lostOf } from './losses';

/** Compares a number; unknown values come last in both directions. */
function byNumber(valueOf: (worker: Worker) => number | null, direction: Direction) {
  const sign = direction === 'asc' ? 1 : -1;
  return (a: Worker, b: Worker) => {
    const x = valueOf(a);
    const y = valueOf(b);
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return (x - y) * sign;
  };
}

/** Sorts by the group's name; workers of no group come last in both directions. */
function byGroup(workers: readonly Worker[], direction: Direction) {
  const places = new Map(groupsOf(workers).map((group, place) => [group, place]));
  const sign = direction === 'asc' ? 1 : -1;
  return ({ group: a }: Worker, { group: b }: Worker) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return ((places.get(a) ?? 0) - (places.get(b) ?? 0)) * sign;
  };
}

const byAccount =
  (direction: Direction) =>
  ({ account: a = '' }: Worker, { account: b = '' }: Worker) =>
    byName(a, b) * (direction === 'asc' ? 1 : -1);

export function sortWorkers(
  named: readonly Worker[],
  { sort, direction }: Pick<ListPlace, 'sort' | 'direction'>,
): Worker[] {
  if (sort === 'name') return direction === 'asc' ? [...named] : [...named].reverse();
  if (sort === 'trouble') return [...named].sort((a, b) => (direction === 'asc' ? byTrouble(a, b) : byTrouble(b, a)));
  if (sort === 'account') return [...named].sort(byAccount(direction));
  if (sort === 'group') return [...named].sort(byGroup(named, direction));
  if (sort !== 'lost') return [...named].sort(byNumber((worker) => worker[sort], direction));
  const losses = new Map(named.map((worker) => [worker, lostOf(worker)]));
  return [...named].sort(byNumber((worker) => losses.get(worker) ?? 0, direction));
}

export type StateWords = Readonly<Record<WorkerState, string>>;

/** Made once for a worker, not for each letter typed. */
const texts = new WeakMap<Worker, { word: string; text: string }>();
function textOf(worker: Worker, words: StateWords): string {
  const word = words[worker.state];
  const known = texts.get(worker);
  if (known?.word === word) return known.text;
  const text = searchedText(worker, word);
  texts.set(worker, { word, text });
  return text;
}

/** Workers of a group that a search finds, those among these numbers. `words`: names of the states in the user's language. */
export function matchingWorkers(
  workers: readonly Worker[],
  { group, search, among = null }: Pick<ListPlace, 'group' | 'search'> & { among?: ReadonlySet<number> | null },
  words: StateWords,
): Worker[] {
  const finds = search.trim() === '' ? null : searchTest(search, serverTime() / 1000);
  return workers.filter(
    (worker) =>
      (group === null || (worker.group ?? '') === group) &&
      (!among || among.has(worker.id)) &&
      (!finds || finds(textOf(worker, words), worker.lastShareAt)),
  );
}

/** Workers of a tab; the first one has all but inactive ones. */
export const inTab = (workers: readonly Worker[], tab: ListPlace['tab']): Worker[] =>
  workers.filter(({ state }) => (tab === 'all' ? state !== 'inactive' : state === tab));
