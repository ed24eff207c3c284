import { use, useMemo } from 'react';
import { useWidth } from '../core/measure';
import { SkeletonRows } from '../core/pieces/states';
import { useMediaQuery, useNarrow } from '../core/use-media-query';
import { Viewport } from '../core/viewport';
import { Cards } from './cards';
import { columnsFitting } from './columns';
import s from './data-table.module.css';
import { ROW, Rows, SELECTION } from './rows';
import type { DataTableProps } from './props';

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
