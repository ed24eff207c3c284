import { QueryError } from '../core';
import { DataTable } from './data-table';
import type { DataTableProps } from './props';
import s from './lists.module.css';

type Query<Row> = {
  data: readonly Row[] | undefined;
  error: Error | null;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch(): Promise<unknown>;
};

/** The table of a query's rows; its error, beside which older rows stay. */
export const QueryTable = <Row extends object>({
  query,
  ...table
}: { query: Query<Row> } & Omit<DataTableProps<Row>, 'rows' | 'loading'>) => (
  <div className={s.list}>
    <QueryError query={query} />
    {(query.data ?? !query.error) && <DataTable {...table} rows={query.data ?? []} loading={!query.data} />}
  </div>
);
