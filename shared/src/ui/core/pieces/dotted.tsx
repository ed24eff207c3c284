import type { ReactNode } from 'react';
import s from './dotted.module.css';

/** Facts on one line, an element each, which wraps where they do not fit. All but the first begin with a `Dot`. */
export const Dotted = ({ children }: { children: ReactNode }) => <span className={s.dotted}>{children}</span>;

export const Dot = () => <span className={s.dot}>{' · '}</span>;
