import type { Key, ReactNode } from 'react';
import { ownDirection } from '../core/pieces/own-direction';
import s from './plain-table.module.css';

type PlainColumn<Row> = { key: string; title: ReactNode; numeric?: boolean; render: (row: Row) => ReactNode };

/** A few rows; the first column names each, and one that is `false` is left out. `padded`: fills its panel, and on a phone a row is a list. */
export function PlainTable<Row>({
  label,
  columns: given,
  rows,
  rowKey,
  sums,
  padded = false,
  className = '',
}: {
  label: string;
  columns: readonly (PlainColumn<Row> | false)[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  sums?: Row;
  padded?: boolean;
  className?: string;
}) {
  const columns = given.filter((column) => column !== false);
  const cells = (row: Row) =>
    columns.map(({ key, title, numeric, render }, index) => {
      const Cell = index === 0 ? 'th' : 'td';
      return (
        <Cell
          key={key}
          role={index === 0 ? 'rowheader' : 'cell'}
          scope={index === 0 ? 'row' : undefined}
          data-numeric={numeric}
          data-title={typeof title === 'string' ? title : undefined}
        >
          {ownDirection(render(row))}
        </Cell>
      );
    });
  return (
    <div className={s.scroll}>
      <table role="table" className={`${s.table} ${className}`} data-padded={padded} aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ key, title, numeric }) => (
              <th key={key} role="columnheader" scope="col" data-numeric={numeric}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {cells(row)}
            </tr>
          ))}
        </tbody>
        {sums && (
          <tfoot role="rowgroup">
            <tr role="row">{cells(sums)}</tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
