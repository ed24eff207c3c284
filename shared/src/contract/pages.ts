/** Lists that the server pages. */
export type Page<Row> = { rows: Row[]; total: number; nextCursor: string | null };
export type Ask<P> = (page: { cursor: string | undefined; limit: number; signal?: AbortSignal }) => Promise<P>;

/** Rows of a page. */
export const PAGE_ROWS = 100;
/** Options of `useInfiniteQuery`. */
export const pagedQuery = <P extends Page<unknown>>(queryKey: readonly unknown[], ask: Ask<P>) => ({
  queryKey,
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    ask({ cursor: pageParam ?? undefined, limit: PAGE_ROWS, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (last: P) => last.nextCursor,
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
