import type { ReactNode } from 'react';
import s from './figure.module.css';
import { ownDirection } from './own-direction';

export type FigureProps = {
  label: ReactNode;
  /** The number: `<Hashrate>`, `<Btc>`, a count. */
  value: ReactNode;
  /** A less prominent line below the number. */
  sub?: ReactNode;
  /** hero: main figure of a page (40/44); key: main figure of a panel (24/32); card: others (18/26). */
  size?: 'hero' | 'key' | 'card';
  className?: string;
};

/** A number with a label. Wrap the value in `<Hint>` to explain it. */
export function Figure({ label, value, sub, size = 'card', className }: FigureProps) {
  return (
    <div className={[s.figure, className].filter(Boolean).join(' ')}>
      <div className={s.label}>{label}</div>
      <div className={`${s.value} ${s[size]}`}>{value}</div>
      {sub !== undefined && sub !== false && <div className={s.sub}>{sub}</div>}
    </div>
  );
}

type Fact = { label: ReactNode; value: ReactNode; key?: string };

/** A list of labels and values, at the two ends of each line. A row that is not one is left out. */
export function Facts({ rows, className }: { rows: readonly (Fact | false | null | undefined)[]; className?: string }) {
  return (
    <dl className={className}>
      {rows.map(
        (row, index) =>
          row && (
            <div key={row.key ?? index} className={s.fact}>
              <dt>{row.label}</dt>
              <dd>{ownDirection(row.value)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
