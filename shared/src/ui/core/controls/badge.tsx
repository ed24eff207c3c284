import type { ReactNode } from 'react';
import s from './badge.module.css';

/** A count at the corner of `children`; none for zero. Say the count in the label of what it marks. */
export function Badge({
  count,
  overflowCount = 99,
  children,
}: {
  count: number;
  overflowCount?: number;
  children: ReactNode;
}) {
  return (
    <span className={s.place}>
      {children}
      {count > 0 && (
        <span className={s.count} aria-hidden>
          {count > overflowCount ? `${overflowCount}+` : count}
        </span>
      )}
    </span>
  );
}
