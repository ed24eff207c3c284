import type { ReactNode } from 'react';
import { StateGlyph, type StateName } from './state-mark';
import s from './notice.module.css';

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
        <span className={s.glyph}>
          <StateGlyph state={state} />
        </span>
      )}
      <div className={s.text}>{children}</div>
      {action}
    </div>
  );
}
