/** What the list shows, as it stands in the URL: `?state=&q=&sort=&dir=`. What is the default is left out. */
import { WORKER_STATES, type WorkerState } from '@pool/shared';

/** `all` leaves out the inactive: they are asked for by their own tab. */
export type StateTab = 'all' | WorkerState;
export const STATE_TABS: readonly StateTab[] = ['all', ...WORKER_STATES];

const SORT_KEYS = [
  'trouble',
  'name',
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

export type ListPlace = { tab: StateTab; search: string; sort: SortKey; direction: Direction };

/** The direction a column starts with: numbers from the largest, names from A, trouble from the worst. */
export const firstDirection = (sort: SortKey): Direction => (sort === 'name' || sort === 'trouble' ? 'asc' : 'desc');

const oneOf = <T extends string>(allowed: readonly T[], value: string | null, otherwise: T): T =>
  allowed.find((item) => item === value) ?? otherwise;

export function readPlace(params: URLSearchParams): ListPlace {
  const sort = oneOf(SORT_KEYS, params.get('sort'), 'trouble');
  return {
    tab: oneOf(STATE_TABS, params.get('state'), 'all'),
    search: (params.get('q') ?? '').slice(0, 64),
    sort,
    direction: oneOf(['asc', 'desc'], params.get('dir'), firstDirection(sort)),
  };
}

/** The same parameters with `change` in them; everything that is not the list's (account, algorithm) stays. */
export function writePlace(params: URLSearchParams, change: Partial<ListPlace>): URLSearchParams {
  const place = { ...readPlace(params), ...change };
  const next = new URLSearchParams(params);
  const put = (name: string, value: string, usual: string) =>
    value === usual ? next.delete(name) : next.set(name, value);
  put('state', place.tab, 'all');
  put('q', place.search, '');
  put('sort', place.sort, 'trouble');
  put('dir', place.direction, firstDirection(place.sort));
  return next;
}

/** What a click on a column's header does: sorts by it, then turns it round, then back to trouble first. */
export function nextSort(place: ListPlace, sort: SortKey): Pick<ListPlace, 'sort' | 'direction'> {
  if (place.sort !== sort) return { sort, direction: firstDirection(sort) };
  const turned = firstDirection(sort) === 'asc' ? 'desc' : 'asc';
  if (place.direction !== turned) return { sort, direction: turned };
  return { sort: 'trouble', direction: 'asc' };
}
