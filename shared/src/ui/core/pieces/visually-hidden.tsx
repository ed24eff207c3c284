import type { ReactNode } from 'react';
import s from './visually-hidden.module.css';

/** Text for screen readers only. */
export const VisuallyHidden = ({ children }: { children: ReactNode }) => <span className={s.hidden}>{children}</span>;
