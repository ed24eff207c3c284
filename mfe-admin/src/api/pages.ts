/** Lists that the server pages. */
import { infiniteQueryOptions, keepPreviousData, type QueryKey } from '@pool/shared/query';

type Page<Row> = { rows: Row[]; total: number; nextCursor: string | null };
type Ask<P> = (page: { cursor: string | undefined; limit: number; signal?: AbortSignal }) => Promise<P>;

const PAGE = 100;
/** The rows of the list before stay until those of the next are loaded. */
export const pagedQuery = <P extends Page<unknown>>(queryKey: QueryKey, ask: Ask<P>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask({ cursor: pageParam ?? undefined, limit: PAGE, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
  });

const EXPORT_PAGE = 500;
/** All rows, from as many pages as needed. */
export async function allPages<Row>(
  ask: Ask<Page<Row>>,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void } = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<Row> = await ask({ cursor, limit: EXPORT_PAGE, signal });
    rows.push(...page.rows);
    onProgress?.(rows.length, page.total);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}
