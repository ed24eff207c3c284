import { memo, useCallback, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import { scaled } from '../core/theme/rem';
import { ownDirection } from '../core/pieces/own-direction';
import { VisuallyHidden } from '../core/pieces/visually-hidden';
import type { DataColumn } from './columns';
import type { ListProps } from './props';
import s from './data-table.module.css';
import { nameIdOf, SelectAll, SelectRow, useSelection, type Selection } from './selection';
import { SortHeader } from './sort-header';
import { useVisibleRows } from './use-visible-rows';

export const ROW = 50;
const HEADER = scaled(54);
/** The app bar, which stays on screen above the header. */
const APP_BAR = 64;
export const SELECTION = 44;

const classes = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ') || undefined;
const cellClass = <Row,>({ numeric, wraps, className }: DataColumn<Row>) =>
  classes(numeric && s.numeric, wraps && s.wraps, className);

/** A real table. Only the rows near the screen are in the document; `aria-rowcount` is the number of all. */
function RowsOf<Row extends object>({ paper, ...props }: ListProps<Row>) {
  const { ref, label, columns, rows, rowKey, sort, onSort, groupOf, onOpen, activeKey, rowHeight: usual = ROW } = props;
  const rowHeight = scaled(usual);
  const keyOf = useCallback((index: number) => rowKey(rows[index]!), [rows, rowKey]);
  const { list, items, height, measure, onFocus, onBlur } = useVisibleRows({
    ref,
    rows,
    keyOf,
    height: rowHeight,
    varies: columns.some((column) => column.wraps),
    covered: APP_BAR + HEADER,
    above: props.above,
    paper,
  });
  const selection = useSelection(props);
  const template = columns.map(({ width }) => `minmax(${scaled(width)}px, ${width}fr)`).join(' ');
  const open = onOpen && {
    onClick: (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest('a, button:not([data-opener]), input, label')) return;
      const row = rowOf(event.target);
      if (row) onOpen(rows[indexOf(row)]!);
    },
    onKeyDown: walk,
  };
  return (
    <table
      role="table"
      className={s.table}
      style={
        {
          '--columns': selection ? `${SELECTION}px ${template}` : template,
          '--row-height': `${rowHeight}px`,
        } as React.CSSProperties
      }
      aria-label={label}
      aria-rowcount={rows.length + 1}
    >
      <thead role="rowgroup" className={s.head}>
        <tr role="row" aria-rowindex={1} className={s.grid}>
          {selection && (
            <th role="columnheader" scope="col">
              <SelectAll selection={selection} rows={rows} />
            </th>
          )}
          {columns.map((column) => (
            <SortHeader key={column.key} column={column} sort={sort} onSort={onSort} className={cellClass(column)} />
          ))}
        </tr>
      </thead>
      <tbody
        role="rowgroup"
        ref={list as Ref<HTMLTableSectionElement>}
        className={s.body}
        style={{ blockSize: height }}
        onFocus={onFocus}
        onBlur={onBlur}
        {...open}
      >
        {items.map(({ index, key, space }) => {
          const row = rows[index]!;
          const group = groupOf?.(row);
          const next = rows[index + 1];
          const before = rows[index - 1];
          return (
            <TableRow
              key={key}
              ref={measure}
              row={row}
              index={index}
              space={space}
              columns={columns}
              opens={onOpen !== undefined}
              active={activeKey !== undefined && rowKey(row) === activeKey}
              continues={group !== undefined && before !== undefined && groupOf?.(before) === group}
              together={group !== undefined && next !== undefined && groupOf?.(next) === group}
              selection={selection}
            />
          );
        })}
      </tbody>
    </table>
  );
}

// Memoised: unrelated state (a letter typed, the address) must not re-render rows. `memo` forgets that it is generic.
export const Rows = memo(RowsOf) as typeof RowsOf;

type TableRowProps<Row> = {
  ref: Ref<HTMLTableRowElement> | undefined;
  row: Row;
  index: number;
  /** What is left out of the document before it, px. */
  space: number;
  columns: readonly DataColumn<Row>[];
  opens: boolean;
  active: boolean;
  /** Whether it is in the same group as the row before it. */
  continues: boolean;
  /** Whether it is in the same group as the row after it. */
  together: boolean;
  selection: Selection<Row> | undefined;
};

function RowOf<Row>(props: TableRowProps<Row>) {
  const { ref, row, index, space, columns, opens, active, continues, together, selection } = props;
  return (
    <tr
      ref={ref}
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      aria-current={active || undefined}
      aria-selected={selection?.isChosen(row)}
      style={space > 0 ? { marginBlockStart: space } : undefined}
      className={classes(s.grid, s.row, opens && s.opens, together && s.together)}
    >
      {selection && (
        <td role="cell">
          <SelectRow selection={selection} row={row} index={index} />
        </td>
      )}
      {columns.map((column) => cell(column, row, continues, opens, selection && nameIdOf(selection, index)))}
    </tr>
  );
}
// Scrolling draws only the rows that come.
const TableRow = memo(RowOf) as typeof RowOf;

/** Not a component: hundreds of them are drawn at once. */
function cell<Row>(column: DataColumn<Row>, row: Row, continues: boolean, opens: boolean, nameId: string | undefined) {
  const content = ownDirection(column.render(row));
  const shown = column.once && continues ? <VisuallyHidden>{content}</VisuallyHidden> : content;
  const className = cellClass(column);
  return column.names ? (
    <th key={column.key} id={nameId} role="rowheader" scope="row" className={className}>
      {opens ? (
        <button type="button" data-opener="" className={s.opener}>
          {shown}
        </button>
      ) : (
        shown
      )}
    </th>
  ) : (
    <td key={column.key} role="cell" className={className}>
      {shown}
    </td>
  );
}

const rowOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
const indexOf = (row: HTMLElement): number => Number(row.dataset.index);

/** Arrows walk the buttons that open rows. */
function walk(event: KeyboardEvent): void {
  if (!(event.target instanceof HTMLElement) || event.target.dataset.opener === undefined) return;
  const row = rowOf(event.target);
  const to =
    event.key === 'ArrowDown' ? row?.nextElementSibling : event.key === 'ArrowUp' ? row?.previousElementSibling : null;
  const next = to?.querySelector<HTMLElement>('[data-opener]');
  if (!next) return;
  next.focus();
  event.preventDefault();
}
