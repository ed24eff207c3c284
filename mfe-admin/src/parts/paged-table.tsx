import { ApiError } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, ErrorPanel, QueryError } from '@pool/shared/ui/core';
import { DataTable, type DataTableProps, type Sort } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import styles from './parts.module.css';

type Page<Row> = { rows: Row[]; total: number; nextCursor: string | null };
/** What is used of an infinite query of pages. */
export type Paged<Row> = {
  data: { pages: Page<Row>[] } | undefined;
  error: Error | null;
  isPending: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  hasNextPage: boolean;
  dataUpdatedAt: number;
  fetchNextPage(): Promise<unknown>;
  refetch(): Promise<unknown>;
};

/** The server returns the same for a missing permission as for a missing page. */
export const isDenied = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);

/** The rows that are loaded. */
export const useRows = <Row,>({ data }: Pick<Paged<Row>, 'data'>): Row[] | undefined =>
  useMemo(() => data?.pages.flatMap((page) => page.rows), [data]);

/** The table's sort of a server's: keys of sortable columns are names of the server's fields. */
export const sortOf = (sort: string): Sort =>
  sort.startsWith('-') ? { key: sort.slice(1), order: 'descend' } : { key: sort, order: 'ascend' };
/** The other way round; undefined: the server has no such sort. */
export const serverSort = <T extends string>(sorts: readonly T[], sort: Sort | undefined): T | undefined =>
  sorts.find((name) => sort && name === `${sort.order === 'descend' ? '-' : ''}${sort.key}`);

const same = <Rows,>(rows: Rows): Rows => rows;

/** A list that the server searches, sorts and pages: its rows, its states, and the button for more. */
export function PagedTable<Row extends object>({
  query,
  fold = same,
  ...table
}: {
  query: Paged<Row>;
  /** What is shown of the loaded rows. */
  fold?: (rows: Row[]) => Row[];
} & Omit<DataTableProps<Row>, 'rows' | 'loading'>) {
  const { t } = useTranslation();
  const rows = useRows(query);
  const total = query.data?.pages.at(-1)?.total ?? 0;
  const more = () => void query.fetchNextPage();
  return (
    <div className={styles.list}>
      {!query.isFetchNextPageError && <QueryError query={query} />}
      {(rows ?? !query.error) && <DataTable {...table} rows={fold(rows ?? [])} loading={query.isPending} />}
      {query.isFetchNextPageError && (
        <ErrorPanel error={query.error} onRetry={more} retrying={query.isFetchingNextPage} />
      )}
      {query.hasNextPage && rows && (
        <div className={styles.more}>
          <span>{t('admin.shown', { shown: rows.length, total })}</span>
          <Button onClick={more} loading={query.isFetchingNextPage}>
            {t('admin.more')}
          </Button>
        </div>
      )}
    </div>
  );
}
