import { useId, type ReactNode } from 'react';
import styles from './form.module.css';

/** A heading above a table, which has a frame of its own. `extra`: a control at the end of the heading's line. */
export function ListSection({ title, extra, children }: { title: string; extra?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.list} aria-labelledby={id}>
      <header className={styles.cardHead}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {extra}
      </header>
      {children}
    </section>
  );
}
