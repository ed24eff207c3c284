import type { ReactNode } from 'react';
import s from './page-header.module.css';

/**
 * The page's only h1, which receives the focus after a route change. `meta`: time or age at the end. `actions`:
 * controls.
 */
export function PageHeader({
  title,
  sub,
  meta,
  actions,
}: {
  title: ReactNode;
  sub?: ReactNode;
  meta?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className={s.header}>
      <div className={s.words}>
        <h1 className={s.title} tabIndex={-1}>
          {title}
        </h1>
        {sub !== undefined && <p className={s.sub}>{sub}</p>}
      </div>
      {meta !== undefined && <div className={s.meta}>{meta}</div>}
      {actions !== undefined && <div className={s.actions}>{actions}</div>}
    </header>
  );
}
