import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PAGE_ROWS, type Page } from '../../contract/pages';
import { Button, ErrorPanel, QueryError } from '../core';
import s from './lists.module.css';

export type Paged<Row> = UseInfiniteQueryResult<InfiniteData<Page<Row>>>;

export const useRows = <Row,>({ data }: Pick<Paged<Row>, 'data'>): Row[] | undefined =>
  useMemo(() => data?.pages.flatMap((page) => page.rows), [data]);

/** What stands around a list that the server pages: an error, beside which older rows stay, and the button for more. */
export function PagedRows<Row>({
  query,
  children,
}: {
  query: Paged<Row>;
  /** The list of these rows; they may not have come yet. */
  children(rows: Row[], loading: boolean): ReactNode;
}) {
  const { t } = useTranslation();
  const rows = useRows(query);
  const total = query.data?.pages.at(-1)?.total ?? 0;
  const more = () => void query.fetchNextPage();
  return (
    <div className={s.list}>
      {!query.isFetchNextPageError && <QueryError query={query} />}
      {(rows ?? !query.error) && children(rows ?? [], !rows)}
      {query.isFetchNextPageError && (
        <ErrorPanel error={query.error} onRetry={more} retrying={query.isFetchingNextPage} />
      )}
      {rows && query.hasNextPage && (
        <div className={s.more}>
          <span>{t('ui.table.shown', { shown: rows.length, total })}</span>
          <Button onClick={more} loading={query.isFetchingNextPage}>
            {t('ui.table.more', { count: Math.min(PAGE_ROWS, total - rows.length) })}
          </Button>
        </div>
      )}
    </div>
  );
}
