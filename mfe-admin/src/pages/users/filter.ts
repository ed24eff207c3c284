/** Search, filter and sort of the list in the URL: `?q=north&legacy=false&sort=-unpaidSat`. */
import type { UserSort } from '@pool/shared';
import type { UserFilter } from '../../api/users';

/** In the order of the phone's sort menu. */
export const SORTS = [
  '-hashrate24h',
  'hashrate24h',
  'userName',
  '-userName',
  '-unpaidSat',
  'unpaidSat',
  '-workersOnline',
  'workersOnline',
  '-createdAt',
  'createdAt',
  '-lastSeenAt',
  'lastSeenAt',
] as const satisfies readonly UserSort[];
export const DEFAULT_SORT: UserSort = '-hashrate24h';
const MAX_SEARCH_LENGTH = 64;

export function readFilter(params: URLSearchParams): UserFilter {
  const legacy = params.get('legacy');
  const search = params.get('q')?.trim().slice(0, MAX_SEARCH_LENGTH);
  return {
    search: search || undefined,
    legacy: legacy === 'true' ? true : legacy === 'false' ? false : undefined,
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? DEFAULT_SORT,
  };
}

/** A copy of `params` with the filter, without defaults; other parameters stay. */
export function writeFilter(params: URLSearchParams, { search, legacy, sort }: UserFilter): URLSearchParams {
  const next = new URLSearchParams(params);
  const put = (name: string, value: string | undefined) =>
    value === undefined ? next.delete(name) : next.set(name, value);
  put('q', search || undefined);
  put('legacy', legacy === undefined ? undefined : String(legacy));
  put('sort', sort === DEFAULT_SORT ? undefined : sort);
  return next;
}
