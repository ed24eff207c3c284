import type { Key, ReactNode } from 'react';
import { scaled } from '../core/theme/rem';

export type Sort = { key: string; order: 'ascend' | 'descend' };

/** Least width of a column of bitcoin, px: two digits, eight decimals, as bold as they come. */
export const AMOUNT = 116;

/** The key of a row that has an id. */
export const idOf = ({ id }: { id: Key }): Key => id;

export type DataColumn<Row> = {
  key: string;
  title: ReactNode;
  /** Least width where texts have their usual size, px, padding included; columns share what is left over by their widths. */
  width: number;
  /** Left out where there is no room, the largest number first. Rows whose other columns do not fit are cards. */
  drop?: number;
  /** Cheap to draw: text or a shape of CSS. A tooltip per cell would stutter with 10,000 rows. */
  render: (row: Row) => ReactNode;
  /** Numbers stand at the right in every language, so that decimals meet. */
  numeric?: boolean;
  /** The heading says how the rows are sorted, and asks for another order: who has the rows sorts them. */
  sortable?: boolean;
  /** Which direction the first click gives: numbers are usually wanted largest first. */
  first?: Sort['order'];
  /** This cell names its row. */
  names?: boolean;
  /** Seen in the first row of a group only (`groupOf`). */
  once?: boolean;
  /** What people write may be long: the row grows with it. */
  wraps?: boolean;
  className?: string;
};

/** The columns that fit `room` px; null when even those that must stay do not. */
export function columnsFitting<Row>(
  columns: readonly DataColumn<Row>[],
  room: number,
): readonly DataColumn<Row>[] | null {
  const width = columns.reduce((sum, column) => sum + scaled(column.width), 0);
  if (width <= room) return columns;
  const drop = Math.max(...columns.map((column) => column.drop ?? 0));
  if (drop === 0) return null;
  return columnsFitting(
    columns.filter((column) => column.drop !== drop),
    room,
  );
}

/** What a click on a heading asks for: its first direction, then the other, then no order. */
export function nextSort<Row>({ key, first = 'ascend' }: DataColumn<Row>, now: Sort | undefined): Sort | undefined {
  if (now?.key !== key) return { key, order: first };
  return now.order === first ? { key, order: first === 'ascend' ? 'descend' : 'ascend' } : undefined;
}
