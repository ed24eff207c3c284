/** Filter, search and sort of the list in the URL: `?state=&group=&q=&sort=&dir=`, without defaults. */
import { WORKER_STATES, type WorkerState } from '@pool/shared';
import type { Sort } from '@pool/shared/ui/table';

/** `all` does not include inactive workers; they have their own tab. */
export type StateTab = 'all' | WorkerState;
export const STATE_TABS: readonly StateTab[] = ['all', ...WORKER_STATES];

const SORT_KEYS = [
  'trouble',
  'name',
  'group',
  'm5',
  'h1',
  'h24',
  'rejectRate',
  'staleRate',
  'difficulty',
  'lastShareAt',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];
export type Direction = 'asc' | 'desc';

/** `group`: only workers of this group; empty: of no group; null: all. */
export type ListPlace = {
  tab: StateTab;
  group: string | null;
  search: string;
  sort: SortKey;
  direction: Direction;
};

const LARGEST_FIRST: readonly SortKey[] = ['rejectRate', 'staleRate', 'difficulty', 'lastShareAt'];

/** The first direction of a sort: hashrates from the worst, as `trouble`; losses from the largest; names from A. */
const firstDirection = (sort: SortKey): Direction => (LARGEST_FIRST.includes(sort) ? 'desc' : 'asc');

const oneOf = <T extends string>(allowed: readonly T[], value: string | null, otherwise: T): T =>
  allowed.find((item) => item === value) ?? otherwise;

/** The order a heading asks for; none is trouble first. */
export const placeOf = (sort: Sort | undefined): Pick<ListPlace, 'sort' | 'direction'> => ({
  sort: oneOf(SORT_KEYS, sort?.key ?? null, 'trouble'),
  direction: sort?.order === 'descend' ? 'desc' : 'asc',
});

export function readPlace(params: URLSearchParams): ListPlace {
  const sort = oneOf(SORT_KEYS, params.get('sort'), 'trouble');
  return {
    tab: oneOf(STATE_TABS, params.get('state'), 'all'),
    group: params.get('group')?.slice(0, 64) ?? null,
    search: (params.get('q') ?? '').slice(0, 64),
    sort,
    direction: oneOf(['asc', 'desc'], params.get('dir'), firstDirection(sort)),
  };
}

/** A copy of the parameters with `change`; other parameters (account, algorithm) stay. */
export function writePlace(params: URLSearchParams, change: Partial<ListPlace>): URLSearchParams {
  const place = { ...readPlace(params), ...change };
  const next = new URLSearchParams(params);
  const put = (name: string, value: string, usual: string) =>
    value === usual ? next.delete(name) : next.set(name, value);
  put('state', place.tab, 'all');
  if (place.group === null) next.delete('group');
  else next.set('group', place.group);
  put('q', place.search, '');
  put('sort', place.sort, 'trouble');
  put('dir', place.direction, firstDirection(place.sort));
  return next;
}

/** The sort after a click on a column's heading: by the column, then reversed, then the default (`trouble`). */
export function nextSort(place: ListPlace, sort: SortKey): Pick<ListPlace, 'sort' | 'direction'> {
  if (place.sort !== sort) return { sort, direction: firstDirection(sort) };
  const reversed = firstDirection(sort) === 'asc' ? 'desc' : 'asc';
  if (place.direction !== reversed) return { sort, direction: reversed };
  return { sort: 'trouble', direction: 'asc' };
}
