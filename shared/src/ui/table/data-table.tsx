import { use, useMemo, type Key, type ReactNode, type Ref } from 'react';
import { useWidth } from '../core/measure';
import { SkeletonRows } from '../core/pieces/states';
import { useMediaQuery, useNarrow } from '../core/use-media-query';
import { Viewport } from '../core/viewport';
import { Cards } from './cards';
import { columnsFitting, type DataColumn, type Sort } from './columns';
import s from './data-table.module.css';
import { ROW, Rows, SELECTION } from './rows';
import type { TableHandle } from './use-visible-rows';

export type DataTableProps<Row> = {
  ref?: Ref<TableHandle>;
  /** Names the table to screen readers. */
  label: string;
  /** Keep them out of the render (`useMemo`), or every row is drawn anew. */
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  /** The same row under 640 px, and where the columns that must stay do not fit; not on paper. */
  card: (row: Row) => ReactNode;
  sort?: Sort;
  onSort?: (sort: Sort | undefined) => void;
  /** Rows that belong together (a day): a line only where the group changes. */
  groupOf?: (row: Row) => Key;
  selection?: { keys: readonly Key[]; onChange: (keys: Key[]) => void };
  /** Opens a row: by a click on it, or the button that its name becomes. */
  onOpen?: (row: Row) => void;
  /** The row that is open. */
  activeKey?: Key;
  loading?: boolean;
  empty: ReactNode;
  /** Least height of a row of columns, px; 50. */
  rowHeight?: number;
  /** Usual height of a card, px; 92. */
  cardHeight?: number;
  /** What is above the first row at every width at least, px; 160. A first view has no rows below the window. */
  above?: number;
};

/** `paper`: all rows are printed, with all columns. Read here and not while scrolling: the browser computes styles to answer. */
export type ListProps<Row> = DataTableProps<Row> & { paper: boolean };

/** Every list of the product: a table that scrolls with the page under a heading that stays, or cards. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, rows, columns, loading, empty } = props;
  const narrow = useNarrow();
  const paper = useMediaQuery('print');
  const [box, width] = useWidth<HTMLDivElement>(use(Viewport)?.content ?? 1440);
  // Paper has all columns, which CSS makes narrower, and nobody selects on it.
  const selection = paper ? undefined : props.selection;
  const room = width - (selection ? SELECTION : 0);
  const fitting = useMemo(
    () => (paper ? columns : narrow ? null : columnsFitting(columns, room)),
    [paper, narrow, columns, room],
  );
  const nothing = rows.length === 0;
  return (
    <div ref={box} className={nothing || fitting ? s.frame : undefined}>
      {nothing ? (
        <div role="group" aria-label={label} aria-busy={loading}>
          {loading ? <SkeletonRows rows={8} height={ROW} /> : empty}
        </div>
      ) : fitting ? (
        <Rows {...props} selection={selection} columns={fitting} paper={paper} />
      ) : (
        <Cards {...props} paper={paper} />
      )}
    </div>
  );
}
