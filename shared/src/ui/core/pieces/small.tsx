import type { ReactNode } from 'react';
import { StateGlyph, type StateName } from './state-mark';
import s from './small.module.css';

/** A short label beside a name: Primary, demo data. */
export const Chip = ({ children }: { children: ReactNode }) => <span className={s.chip}>{children}</span>;

/** For screen readers only. */
export const VisuallyHidden = ({ children }: { children: ReactNode }) => <span className={s.hidden}>{children}</span>;

/** A notice, such as a verdict on a worker or a hold on an address. */
export function Notice({
  tone,
  state,
  children,
  action,
}: {
  tone: 'info' | 'warn' | 'bad';
  state?: StateName;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={`${s.notice} ${s[tone]}`} role={tone === 'info' ? undefined : 'status'}>
      {state && (
        <span className={s.noticeGlyph}>
          <StateGlyph state={state} />
        </span>
      )}
      <div className={s.noticeText}>{children}</div>
      {action}
    </div>
  );
}
