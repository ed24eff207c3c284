import type { Key, ReactNode, Ref } from 'react';
import type { DataColumn, Sort } from './columns';
import type { TableHandle } from './use-visible-rows';

export type DataTableProps<Row> = {
  ref?: Ref<TableHandle>;
  /** Names the table to screen readers. */
  label: string;
  /** Keep them out of the render (`useMemo`), or every row is drawn anew. */
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  /**
   * The same row under 640 px, and where the columns that must stay do not fit; not on paper. Without it, it is made of
   * the columns.
   */
  card?: (row: Row) => ReactNode;
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
  /** Content that is shown in place of rows in an empty list. */
  empty?: ReactNode;
  /** Least height of a row of columns, px; 50. */
  rowHeight?: number;
  /** Usual height of a card, px; 92. */
  cardHeight?: number;
  /** What is above the first row at every width at least, px; 160. A first view has no rows below the window. */
  above?: number;
};

/** `paper`: all rows are printed, with all columns. Read here and not while scrolling: the browser computes styles to answer. */
export type ListProps<Row> = DataTableProps<Row> & { paper: boolean };
