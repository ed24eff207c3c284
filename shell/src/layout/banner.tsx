import type { ReactNode } from 'react';
import styles from './banner.module.css';

/** A line above the page about the whole of it. */
export const Banner = ({ tone, children }: { tone: 'warn' | 'info'; children: ReactNode }) => (
  <div className={styles.banner} data-tone={tone} role="status">
    {children}
  </div>
);
