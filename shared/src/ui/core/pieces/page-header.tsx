import type { ReactNode } from 'react';
import s from './page-header.module.css';

/** The page's only h1, which receives the focus after a route change. */
export function PageHeader({ title, sub, actions }: { title: ReactNode; sub?: ReactNode; actions?: ReactNode }) {
  return (
    <header className={s.header}>
      <div className={s.words}>
        <h1 className={s.title} tabIndex={-1}>
          {title}
        </h1>
        {sub !== undefined && <p className={s.sub}>{sub}</p>}
      </div>
      {actions !== undefined && <div className={s.actions}>{actions}</div>}
    </header>
  );
}
