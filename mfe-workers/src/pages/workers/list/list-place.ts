/** Filter, search and sort of the list in the URL: `?state=&group=&q=&sort=&dir=`, without defaults. */
import { WORKER_STATES, type WorkerState } from '@pool/shared';
import { oneOf } from '@pool/shared/router';
import type { Sort } from '@pool/shared/ui/table';
import { COLUMN_KEYS } from './view';

/** `all` does not include inactive workers; they have their own tab. */
export type StateTab = 'all' | WorkerState;
export const STATE_TABS: readonly StateTab[] = ['all', ...WORKER_STATES];

const SORT_KEYS = COLUMN_KEYS.filter(
  (key) => key !== 'spark' && key !== 'address' && key !== 'software' && key !== 'port',
);
export type SortKey = (typeof SORT_KEYS)[number];
export type Direction = 'asc' | 'desc';

/** `group`: only workers of this group; empty: of no group; null: all. `event`: only those that went off in it. */
export type ListPlace = {
  tab: StateTab;
  group: string | null;
  event: number | null;
  search: string;
  sort: SortKey;
  direction: Direction;
};

const LARGEST_FIRST: readonly SortKey[] = ['rejectRate', 'staleRate', 'lost', 'difficulty', 'lastShareAt'];

/** The first direction of a sort: hashrates from the worst, as `trouble`; losses from the largest; names from A. */
const firstDirection = (sort: SortKey): Direction => (LARGEST_FIRST.includes(sort) ? 'desc' : 'asc');

export const PLACE = {
  state: oneOf(STATE_TABS, 'all'),
  group: (text: string | null) => text?.slice(0, 64) ?? null,
  event: (text: string | null) => Number(/^\d{1,9}$/.exec(text ?? '')) || null,
  q: (text: string | null) => text?.slice(0, 64) ?? '',
  sort: oneOf(SORT_KEYS, 'trouble'),
  dir: oneOf(['asc', 'desc']),
};
type Written = { [Name in keyof typeof PLACE]: ReturnType<(typeof PLACE)[Name]> };

export const readPlace = ({ state, group, event, q, sort, dir }: Written): ListPlace => ({
  tab: state,
  group,
  event,
  search: q,
  sort,
  direction: dir ?? firstDirection(sort),
});
export const writtenPlace = ({ tab, group, event, search, sort, direction }: ListPlace): Written => ({
  state: tab,
  group,
  event,
  q: search,
  sort,
  dir: direction === firstDirection(sort) ? undefined : direction,
});

/** The order a heading asks for; none is trouble first. */
export const orderOf = (sort: Sort | undefined): Pick<ListPlace, 'sort' | 'direction'> => ({
  sort: PLACE.sort(sort?.key ?? null),
  direction: sort?.order === 'descend' ? 'desc' : 'asc',
});

/** The sort after a click on a column's heading: by the column, then reversed, then the default (`trouble`). */
export function nextSort(place: ListPlace, sort: SortKey): Pick<ListPlace, 'sort' | 'direction'> {
  if (place.sort !== sort) return { sort, direction: firstDirection(sort) };
  const reversed = firstDirection(sort) === 'asc' ? 'desc' : 'asc';
  if (place.direction !== reversed) return { sort, direction: reversed };
  return { sort: 'trouble', direction: 'asc' };
}
