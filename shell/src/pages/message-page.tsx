import common from '@pool/shared/ui/common.module.css';
import type { ReactNode } from 'react';
import styles from './message-page.module.css';

export const MessagePage = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => (
  <section className={styles.page}>
    <h1 className={common.figure} tabIndex={-1}>
      {title}
    </h1>
    <p className={styles.text}>{text}</p>
    <div className={styles.actions}>{children}</div>
  </section>
);
