import { useTranslation } from '@pool/shared/i18n';
import { Button, ErrorPanel, QueryError } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import { PAGE_ROWS } from '@pool/shared/pages';
import styles from './history-frame.module.css';

type Query<Row> = {
  data: { pages: { rows: Row[]; total: number }[] } | undefined;
  error: Error | null;
  dataUpdatedAt: number;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  hasNextPage: boolean;
  refetch(): Promise<unknown>;
  fetchNextPage(): Promise<unknown>;
};

/** What stands around a paged list: an error (the rows that came before it stay), and Show more. */
export function HistoryFrame<Row>({
  query,
  children,
}: {
  query: Query<Row>;
  /** The list of these rows; they may not have come yet. */
  children: (rows: Row[], loading: boolean) => ReactNode;
}) {
  const { t } = useTranslation();
  const rows = query.data?.pages.flatMap((page) => page.rows);
  const total = query.data?.pages.at(-1)?.total ?? 0;
  return (
    <div className={styles.frame}>
      {!query.isFetchNextPageError && <QueryError query={query} />}
      {(rows || !query.error) && children(rows ?? [], !rows)}
      {query.isFetchNextPageError && (
        <ErrorPanel
          error={query.error}
          onRetry={() => void query.fetchNextPage()}
          retrying={query.isFetchingNextPage}
        />
      )}
      {rows && query.hasNextPage && (
        <div className={styles.more}>
          <span>{t('payments.rows', { shown: rows.length, count: total })}</span>
          <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
            {t('ui.table.more', { count: Math.min(PAGE_ROWS, total - rows.length) })}
          </Button>
        </div>
      )}
    </div>
  );
}
