import Table, { type ColumnType } from 'antd/es/table';
import { useEffect, useMemo, type HTMLAttributes, type Key, type KeyboardEvent, type ReactNode } from 'react';
import { useWidth } from '../core/measure';
import { SkeletonRows } from '../core/pieces/states';
import { useNarrow } from '../core/use-media-query';
import { Cards } from './cards';
import s from './data-table.module.css';

export type Sort = { key: string; order: 'ascend' | 'descend' };

export type DataColumn<Row> = {
  key: string;
  title: ReactNode;
  /** Pixels; the column named in `grow` takes the remaining width. */
  width: number;
  /** Must be cheap to render: text or a CSS shape. A tooltip per cell would be slow with 10,000 rows. */
  render: (row: Row, index: number) => ReactNode;
  /** Numbers align right in every language, so that decimals align. */
  numeric?: boolean;
  /** Compares for ascending order; without it the table does not sort by this column. */
  compare?: (a: Row, b: Row) => number;
  /** The server sorts the rows: the heading only displays and requests the order. */
  sortable?: boolean;
  /** Direction of the first click; usually `descend` for numbers. */
  first?: Sort['order'];
  className?: string;
};

export type DataTableProps<Row> = {
  /** Name for screen readers. */
  label: string;
  /** Memoise them (`useMemo`), else every render renders all rows again. */
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  /** Renders a row as a card below 640 px. */
  card: (row: Row) => ReactNode;
  /** Key of the column that takes the remaining width; by default all share it in proportion to their widths. */
  grow?: string;
  sort?: Sort;
  onSort?: (sort: Sort | undefined) => void;
  /** Group of a row (a day): lines show only between groups. */
  groupOf?: (row: Row) => Key;
  selection?: { keys: readonly Key[]; onChange: (keys: Key[]) => void; canSelect?: (row: Row) => boolean };
  /** Called for a click on a row, or Enter on the focused row. */
  onOpen?: (row: Row) => void;
  /** Key of the opened row. */
  activeKey?: Key;
  /** Height of the scrolling part of a long table, px. */
  height?: number;
  /** Height of sticky elements at the top of the page, px; the table's header stays below. */
  stickyTop?: number;
  loading?: boolean;
  empty: ReactNode;
};

/** With more rows the table is virtual and renders only visible rows (10,000 rows: 30 ms; not virtual: 10 s). */
const VIRTUAL_OVER = 100;
const ROW = 50;
const SELECTION = 44;

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, columns, sort, loading, empty } = props;
  const narrow = useNarrow();
  const compare = columns.find((column) => column.key === sort?.key)?.compare;
  const sorted = useMemo(() => {
    if (!compare) return rows;
    const sign = sort?.order === 'descend' ? -1 : 1;
    return [...rows].sort((a, b) => sign * compare(a, b));
  }, [rows, compare, sort?.order]);
  if (loading && rows.length === 0)
    return (
      <div className={s.frame}>
        <SkeletonRows rows={8} height={ROW} />
      </div>
    );
  if (rows.length === 0) return <div className={s.frame}>{empty}</div>;
  return narrow ? <Cards {...props} rows={sorted} /> : <Rows {...props} rows={sorted} />;
}

function Rows<Row extends object>({
  label,
  columns,
  rows,
  rowKey,
  grow,
  sort,
  onSort,
  groupOf,
  selection,
  onOpen,
  activeKey,
  height = 640,
  stickyTop = 64,
}: DataTableProps<Row>) {
  const [box, width] = useWidth<HTMLDivElement>(960);
  // antd measures columns in a hidden row with copies of the headings; remove these from keyboard navigation.
  useEffect(() => {
    box.current?.querySelector('.ant-table-measure-row')?.setAttribute('inert', '');
  });
  const virtual = rows.length > VIRTUAL_OVER;
  const fixed = columns.reduce((sum, column) => sum + column.width, selection ? SELECTION : 0);
  const canSelect = selection?.canSelect;
  const spare = Math.max(0, width - fixed);
  const wide = fixed - (selection ? SELECTION : 0);
  const antColumns = useMemo(
    () =>
      columns.map((column): ColumnType<Row> => ({
        key: column.key,
        title: column.title,
        width: column.width + (grow ? (column.key === grow ? spare : 0) : Math.floor((spare * column.width) / wide)),
        className: [column.numeric && s.numeric, column.className].filter(Boolean).join(' '),
        render: (_: unknown, row: Row, index: number) => column.render(row, index),
        // `sorter: true` only shows the arrows; the rows are sorted already.
        sorter: column.compare !== undefined || column.sortable === true,
        sortOrder: sort?.key === column.key ? sort.order : null,
        sortDirections: column.first === 'descend' ? ['descend', 'ascend'] : ['ascend', 'descend'],
        showSorterTooltip: false,
      })),
    [columns, grow, spare, wide, sort],
  );
  const open = (row: Row) => (): HTMLAttributes<HTMLElement> => ({
    tabIndex: 0,
    'aria-current': activeKey !== undefined && activeKey === rowKey(row) ? 'true' : undefined,
    onClick: (event) => {
      const { target } = event;
      if (target instanceof Element && target.closest('a, button, input, label')) return;
      onOpen?.(row);
    },
    onKeyDown: (event) => keys(event, () => onOpen?.(row)),
  });
  return (
    <div ref={box} className={s.frame} role="region" aria-label={label}>
      <Table<Row>
        rowKey={rowKey}
        columns={antColumns}
        dataSource={rows}
        pagination={false}
        virtual={virtual}
        tableLayout="fixed"
        scroll={virtual ? { x: Math.max(fixed, width), y: height } : { x: fixed > width ? fixed : undefined }}
        sticky={virtual ? false : { offsetHeader: stickyTop }}
        onChange={(_pages, _filters, sorter) => {
          const { columnKey, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter;
          onSort?.(order && typeof columnKey === 'string' ? { key: columnKey, order } : undefined);
        }}
        onRow={onOpen ? (row) => open(row)() : undefined}
        rowClassName={(row, index) => {
          const next = rows[index + 1];
          return [
            onOpen && s.opens,
            activeKey !== undefined && rowKey(row) === activeKey && s.active,
            groupOf && next && groupOf(next) === groupOf(row) && s.together,
          ]
            .filter(Boolean)
            .join(' ');
        }}
        rowSelection={
          selection && {
            columnWidth: SELECTION,
            selectedRowKeys: [...selection.keys],
            onChange: (keysNow) => selection.onChange(keysNow),
            // antd calls this for all rows, also invisible ones: set it only when the result can differ.
            getCheckboxProps: canSelect && ((row) => ({ disabled: !canSelect(row) })),
          }
        }
      />
    </div>
  );
}

/** Enter opens a row, arrow keys move between rows. */
function keys(event: KeyboardEvent<HTMLElement>, open: () => void): void {
  if (event.target !== event.currentTarget) return;
  const row = event.currentTarget;
  const to =
    event.key === 'ArrowDown' ? row.nextElementSibling : event.key === 'ArrowUp' ? row.previousElementSibling : null;
  if (event.key === 'Enter') open();
  else if (to instanceof HTMLElement) to.focus();
  else return;
  event.preventDefault();
}
