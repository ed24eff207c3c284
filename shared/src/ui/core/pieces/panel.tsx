import { useId, type ReactNode } from 'react';
import { ownDirection } from './own-direction';
import s from './panel.module.css';

export type PanelProps = {
  title?: ReactNode;
  /** A link, total or control at the end of the title's line. */
  extra?: ReactNode;
  /** False when the content has lines from edge to edge (tables, strips). */
  padded?: boolean;
  /** Its parts stand below each other, as far apart as in a form. */
  stacked?: boolean;
  className?: string;
  children?: ReactNode;
};

/** A surface with a thin border. Do not nest panels. */
export function Panel({ title, extra, padded = true, stacked, className, children }: PanelProps) {
  const id = useId();
  return (
    <section
      className={[s.panel, padded && s.padded, stacked && s.stacked, className].filter(Boolean).join(' ')}
      aria-labelledby={title ? id : undefined}
    >
      {(title || extra) && (
        <header className={s.header}>
          <h2 id={id} className={s.title}>
            {ownDirection(title)}
          </h2>
          {extra && <div className={s.extra}>{extra}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** Figures side by side in one panel with thin lines between them; they wrap on narrow screens. */
export function Strip({ children, className, label }: { children: ReactNode; className?: string; label?: string }) {
  return (
    <section className={[s.panel, s.strip, className].filter(Boolean).join(' ')} aria-label={label}>
      {children}
    </section>
  );
}
