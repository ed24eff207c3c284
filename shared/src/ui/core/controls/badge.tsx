import type { ReactNode } from 'react';
import s from './badge.module.css';

const MOST = 99;

/** A count at the corner of `children`; none for zero. Say the count in the label of what it marks. */
export function Badge({ count, children }: { count: number; children: ReactNode }) {
  return (
    <span className={s.place}>
      {children}
      {count > 0 && (
        <span className={s.count} aria-hidden>
          {count > MOST ? `${MOST}+` : count}
        </span>
      )}
    </span>
  );
}
