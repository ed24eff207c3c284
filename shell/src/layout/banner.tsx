import type { ReactNode } from 'react';
import styles from './banner.module.css';

/** A line above the page about the whole of it. */
export const Banner = ({ children }: { children: ReactNode }) => (
  <div className={styles.banner} role="status">
    {children}
  </div>
);
