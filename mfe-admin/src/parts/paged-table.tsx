import { DataTable, idOf, PagedRows, type DataTableProps, type Paged, type Sort } from '@pool/shared/ui/table';

/** The table's sort of a server's: keys of sortable columns are names of the server's fields. */
export const sortOf = (sort: string): Sort =>
  sort.startsWith('-') ? { key: sort.slice(1), order: 'descend' } : { key: sort, order: 'ascend' };
/** The other way round; undefined: the server has no such sort. */
export const serverSort = <T extends string>(sorts: readonly T[], sort: Sort | undefined): T | undefined =>
  sorts.find((name) => sort && name === `${sort.order === 'descend' ? '-' : ''}${sort.key}`);

/** A list that the server searches, sorts and pages: its rows, its states, and the button for more. */
export function PagedTable<Row extends { id: number }>({
  query,
  fold,
  ...table
}: {
  query: Paged<Row>;
  fold?: (rows: Row[]) => Row[];
} & Omit<DataTableProps<Row>, 'rows' | 'rowKey' | 'loading'>) {
  return (
    <PagedRows query={query}>
      {(rows, loading) => <DataTable {...table} rows={fold?.(rows) ?? rows} rowKey={idOf} loading={loading} />}
    </PagedRows>
  );
}
