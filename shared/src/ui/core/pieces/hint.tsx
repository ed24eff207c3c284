import type { ReactNode } from 'react';
import { Tooltip } from '../controls/tooltip';
import s from './hint.module.css';

/** Text with a dotted underline and a tooltip on hover and focus. */
export function Hint({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Tooltip title={text}>
      <span className={s.hint} tabIndex={0}>
        {children}
      </span>
    </Tooltip>
  );
}
