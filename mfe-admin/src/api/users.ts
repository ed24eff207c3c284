/** `GET /users/`: searched, sorted and paged by the server, so that 100,000 users are as light as ten. */
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
  // The query travels as text; the contract reads `true` and `false` back.
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
    // The rows of the last search stay until those of the next have come.
    placeholderData: keepPreviousData,
  });

export const useUsers = (filter: UserFilter) => useInfiniteQuery(usersQuery(useApi(), filter));

const EXPORT_PAGE = 500;
/** Every user of the filter, however many pages that takes. */
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
