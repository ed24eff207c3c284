import { nextSort, type DataColumn, type Sort } from './columns';
import s from './data-table.module.css';

type Props<Row> = {
  column: DataColumn<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort | undefined) => void) | undefined;
  className: string | undefined;
};

/** A column's heading; a button when the rows can be sorted by it. */
export function SortHeader<Row>({ column, sort, onSort, className }: Props<Row>) {
  if (!column.sortable)
    return (
      <th role="columnheader" scope="col" className={className}>
        {column.title}
      </th>
    );
  const order = sort?.key === column.key ? sort.order : undefined;
  return (
    <th
      role="columnheader"
      scope="col"
      className={className}
      aria-sort={order === 'ascend' ? 'ascending' : order === 'descend' ? 'descending' : 'none'}
    >
      <button
        type="button"
        className={s.sort}
        data-active={order !== undefined || undefined}
        onClick={() => onSort?.(nextSort(column, sort))}
      >
        <span>{column.title}</span>
        <svg className={s.arrows} width="8" height="12" viewBox="0 0 8 12" aria-hidden="true">
          <path d="M4 0 7.5 5h-7z" data-on={order === 'ascend' || undefined} />
          <path d="M4 12 .5 7h7z" data-on={order === 'descend' || undefined} />
        </svg>
      </button>
    </th>
  );
}
