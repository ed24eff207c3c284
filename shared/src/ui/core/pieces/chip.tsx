import type { ReactNode } from 'react';
import s from './chip.module.css';

/** A short label beside a name: Primary, demo data. */
export const Chip = ({ children }: { children: ReactNode }) => <span className={s.chip}>{children}</span>;
