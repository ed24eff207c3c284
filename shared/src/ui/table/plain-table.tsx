import type { Key, ReactNode } from 'react';
import s from './plain-table.module.css';

type PlainColumn<Row> = { key: string; title: ReactNode; numeric?: boolean; render: (row: Row) => ReactNode };

/**
 * A few rows without sort, selection or cards; scrolls sideways where it does not fit. The first column names the row.
 * `sums`: a last row. `padded`: it has the padding of the panel that it fills.
 */
export function PlainTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  sums,
  padded = false,
  className = '',
}: {
  label: string;
  columns: readonly PlainColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  sums?: Row;
  padded?: boolean;
  className?: string;
}) {
  const cells = (row: Row) =>
    columns.map(({ key, numeric, render }, index) => {
      const Cell = index === 0 ? 'th' : 'td';
      return (
        <Cell key={key} scope={index === 0 ? 'row' : undefined} data-numeric={numeric}>
          {render(row)}
        </Cell>
      );
    });
  return (
    <div className={s.scroll}>
      <table className={`${s.table} ${className}`} data-padded={padded} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ key, title, numeric }) => (
              <th key={key} scope="col" data-numeric={numeric}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>{cells(row)}</tr>
          ))}
        </tbody>
        {sums && (
          <tfoot>
            <tr>{cells(sums)}</tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
