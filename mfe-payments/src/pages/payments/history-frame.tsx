import { useTranslation } from '@pool/shared/i18n';
import { Button, ErrorPanel, Panel, QueryError, SkeletonRows } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
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

/** The states of a paged list: skeleton, empty, error (rows loaded before stay), and Show more. */
export function HistoryFrame<Row>({
  query,
  empty,
  children,
}: {
  query: Query<Row>;
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}) {
  const { t } = useTranslation();
  const rows = query.data?.pages.flatMap((page) => page.rows);
  const total = query.data?.pages.at(-1)?.total ?? 0;
  return (
    <div className={styles.frame}>
      {!query.isFetchNextPageError && <QueryError query={query} />}
      {!rows && !query.error && (
        <Panel padded={false}>
          <SkeletonRows rows={10} />
        </Panel>
      )}
      {rows?.length === 0 && <Panel padded={false}>{empty}</Panel>}
      {rows && rows.length > 0 && children(rows)}
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
            {t('payments.more')}
          </Button>
        </div>
      )}
    </div>
  );
}
