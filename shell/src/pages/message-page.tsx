import type { ReactNode } from 'react';
import styles from './message-page.module.css';

export const MessagePage = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => (
  <section className={styles.page}>
    <h1 className={styles.title} tabIndex={-1}>
      {title}
    </h1>
    <p className={styles.text}>{text}</p>
    <div className={styles.actions}>{children}</div>
  </section>
);
