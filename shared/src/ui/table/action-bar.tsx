import type { ReactNode } from 'react';
import { Button, ErrorPanel, X } from '../core';
import s from './action-bar.module.css';

type Props = {
  label: string;
  /** What is selected. */
  sum: ReactNode;
  /** Names the X. */
  clear: string;
  onClear(): void;
  /** Why nothing was done. */
  error?: Error | null;
  children: ReactNode;
};

/** What can be done with the selected rows, at the end of the screen. */
export const ActionBar = ({ label, sum, clear, onClear, error, children }: Props) => (
  <section className={s.bar} aria-label={label}>
    {error && <ErrorPanel error={error} />}
    <div className={s.sum} role="status">
      {sum}
    </div>
    <div className={s.buttons}>
      {children}
      <Button type="text" aria-label={clear} title={clear} icon={<X />} onClick={onClear} />
    </div>
  </section>
);
