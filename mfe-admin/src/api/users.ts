/** `GET /users/`: the server searches, sorts and pages, so that 100,000 users cost the page as much as ten. */
import { useApi } from '@pool/shared/remote';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@pool/shared/query';
import type { AdminUser, ApiClient, UserSort } from '@pool/shared';

export type UserFilter = { search?: string; legacy?: boolean; sort: UserSort };

const PAGE = 100;
const page = (
  api: ApiClient,
  { legacy, ...filter }: UserFilter,
  cursor: string | null,
  limit: number,
  signal?: AbortSignal,
) =>
  // A query parameter is text; the contract parses `true` and `false`.
  api('GET /users/', {
    query: { ...filter, legacy: legacy === undefined ? undefined : String(legacy), limit, cursor: cursor ?? undefined },
    signal,
  });

const usersQuery = (api: ApiClient, filter: UserFilter) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'users', filter],
    queryFn: ({ pageParam, signal }) => page(api, filter, pageParam, PAGE, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    // Keep the rows of the previous search until the next ones are loaded.
    placeholderData: keepPreviousData,
  });

export const useUsers = (filter: UserFilter) => useInfiniteQuery(usersQuery(useApi(), filter));

const EXPORT_PAGE = 500;
/** All users of the filter, from as many pages as needed. */
export async function allUsers(
  api: ApiClient,
  filter: UserFilter,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void } = {},
): Promise<AdminUser[]> {
  const rows: AdminUser[] = [];
  let cursor: string | null = null;
  do {
    const part: Awaited<ReturnType<typeof page>> = await page(api, filter, cursor, EXPORT_PAGE, signal);
    rows.push(...part.rows);
    onProgress?.(rows.length, part.total);
    cursor = part.nextCursor;
  } while (cursor !== null);
  return rows;
}
