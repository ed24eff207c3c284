/** What the list shows, kept in the URL: `?q=north&legacy=false&sort=-unpaidSat`. */
import type { UserSort } from '@pool/shared';
import type { UserFilter } from '../../api/users';

/** Also the order of the phone's sort menu. */
export const SORTS = [
  'userName',
  '-userName',
  '-hashrate24h',
  'hashrate24h',
  '-unpaidSat',
  'unpaidSat',
  '-workersOnline',
  'workersOnline',
  '-createdAt',
  'createdAt',
  '-lastSeenAt',
  'lastSeenAt',
] as const satisfies readonly UserSort[];
export const DEFAULT_SORT: UserSort = 'userName';
const SEARCH_MAX = 64;

export function readFilter(params: URLSearchParams): UserFilter {
  const legacy = params.get('legacy');
  const search = params.get('q')?.trim().slice(0, SEARCH_MAX);
  return {
    search: search || undefined,
    legacy: legacy === 'true' ? true : legacy === 'false' ? false : undefined,
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? DEFAULT_SORT,
  };
}

/** `params` with the filter in it, defaults left out; the rest of the URL stays. */
export function writeFilter(params: URLSearchParams, { search, legacy, sort }: UserFilter): URLSearchParams {
  const next = new URLSearchParams(params);
  const put = (name: string, value: string | undefined) =>
    value === undefined ? next.delete(name) : next.set(name, value);
  put('q', search || undefined);
  put('legacy', legacy === undefined ? undefined : String(legacy));
  put('sort', sort === DEFAULT_SORT ? undefined : sort);
  return next;
}
