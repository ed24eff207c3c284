import type { ReactNode } from 'react';
import s from './figure.module.css';

export type FigureProps = {
  label: ReactNode;
  /** The number: `<Hashrate>`, `<Btc>`, a count. */
  value: ReactNode;
  /** A quieter line under the number. */
  sub?: ReactNode;
  /** hero leads a page (40/44), key leads a panel (24/32), card is the rest (18/26). */
  size?: 'hero' | 'key' | 'card';
  className?: string;
};

/** A labelled number. Wrap the value in `<Hint>` when it has something to explain. */
export function Figure({ label, value, sub, size = 'card', className }: FigureProps) {
  return (
    <div className={[s.figure, className].filter(Boolean).join(' ')}>
      <div className={s.label}>{label}</div>
      <div className={`${s.value} ${s[size]}`}>{value}</div>
      {sub !== undefined && sub !== false && <div className={s.sub}>{sub}</div>}
    </div>
  );
}

/** A label and its value at the two ends of a line, in a list. */
export function Facts({
  rows,
  className,
}: {
  rows: readonly { label: ReactNode; value: ReactNode; key?: string }[];
  className?: string;
}) {
  return (
    <dl className={[s.facts, className].filter(Boolean).join(' ')}>
      {rows.map(({ label, value, key }, index) => (
        <div key={key ?? index} className={s.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
