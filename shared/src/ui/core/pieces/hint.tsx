import type { ReactNode } from 'react';
import { Tooltip } from '../controls/tooltip';
import s from './hint.module.css';

const ANY_WAY = ['hover', 'focus', 'click'] as const;

/** Text with a dotted underline and a tooltip: by pointer, keyboard and touch. */
export function Hint({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Tooltip title={text} trigger={ANY_WAY}>
      <span className={s.hint} tabIndex={0}>
        {children}
      </span>
    </Tooltip>
  );
}
