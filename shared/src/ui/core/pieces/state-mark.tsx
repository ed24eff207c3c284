import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import s from './state-mark.module.css';
import { VisuallyHidden } from './visually-hidden';

/** Variables of the theme. */
type Tone = '--ok-g' | '--warn-g' | '--bad-g' | '--idle' | '--blue';
type Shape =
  | 'disc'
  | 'triangle'
  | 'cross'
  | 'dashedRing'
  | 'ring'
  | 'bar'
  | 'slash'
  | 'check'
  | 'clock'
  | 'key'
  | 'pencil'
  | 'list'
  | 'arrow';

/** Shape and colour of each state; the word comes from the texts. */
export const STATES = {
  online: ['disc', '--ok-g'],
  low: ['triangle', '--warn-g'],
  offline: ['cross', '--bad-g'],
  inactive: ['dashedRing', '--idle'],
  pending: ['clock', '--idle'],
  review: ['clock', '--warn-g'],
  queued: ['list', '--blue'],
  unknown: ['clock', '--warn-g'],
  sent: ['arrow', '--blue'],
  confirmed: ['check', '--ok-g'],
  failed: ['cross', '--bad-g'],
  cancelled: ['slash', '--idle'],
  estimated: ['dashedRing', '--idle'],
  final: ['check', '--ok-g'],
  adjusted: ['pencil', '--warn-g'],
  active: ['disc', '--ok-g'],
  standby: ['ring', '--idle'],
  down: ['cross', '--bad-g'],
  auth_failed: ['key', '--warn-g'],
  unreadable: ['key', '--bad-g'],
  disabled: ['bar', '--idle'],
} as const satisfies Record<string, readonly [Shape, Tone]>;
export type StateName = keyof typeof STATES;

const SHAPES: Record<Shape, ReactNode> = {
  disc: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  triangle: (
    <path d="M1 1.75h10L6 11z" fill="currentColor" stroke="currentColor" strokeWidth="1" strokeLinejoin="round" />
  ),
  cross: <path d="m2 2 8 8m0-8-8 8" strokeWidth="2.5" />,
  dashedRing: <circle cx="6" cy="6" r="5" strokeWidth="1.5" strokeLinecap="butt" strokeDasharray="2.2 1.727" />,
  ring: <circle cx="6" cy="6" r="4.25" strokeWidth="2" />,
  bar: <path d="M1.5 6h9" strokeWidth="2.25" />,
  slash: (
    <>
      <circle cx="6" cy="6" r="5" strokeWidth="1.4" />
      <path d="m2.7 9.3 6.6-6.6" strokeWidth="1.4" />
    </>
  ),
  check: <path d="m1.5 6.5 3 3 6-7" strokeWidth="1.75" />,
  clock: (
    <>
      <circle cx="6" cy="6" r="5.25" strokeWidth="1.3" />
      <path d="M6 3v3.2L7.8 7.4" strokeWidth="1.3" />
    </>
  ),
  key: (
    <>
      <circle cx="8" cy="4" r="3" strokeWidth="1.4" />
      <path d="m5.7 6.3-4.5 4.5M2.6 9.4l1.4 1.4" strokeWidth="1.4" />
    </>
  ),
  pencil: <path d="m1.5 10.5.6-2.6 6.3-6.3a1.4 1.4 0 0 1 2 2L4.1 9.9z" strokeWidth="1.4" />,
  list: <path d="M1.5 2.5h9M1.5 6h9M1.5 9.5h9" strokeWidth="1.6" />,
  arrow: <path d="M1.5 6h9M7 2.5 10.5 6 7 9.5" strokeWidth="1.6" />,
};

/** Only the shape, for places with the word beside it or in a heading. Hidden from screen readers. */
export function StateGlyph({ state }: { state: StateName }) {
  const [shape, tone] = STATES[state];
  return (
    <svg
      className={s.glyph}
      style={{ color: `var(${tone})` }}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      fill="none"
      stroke={shape === 'disc' ? 'none' : 'currentColor'}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {SHAPES[shape]}
    </svg>
  );
}

/** A state with its shape and word. `children`: a less prominent reason or count after the word. `brief`: the word is a tip. */
export function StateMark({ state, children, brief }: { state: StateName; children?: ReactNode; brief?: boolean }) {
  const { t } = useTranslation();
  const word = t(`ui.state.${state}`);
  return (
    <span className={s.mark} title={brief ? word : undefined}>
      <StateGlyph state={state} />
      <span>
        {brief ? <VisuallyHidden>{word}</VisuallyHidden> : word}
        {children !== undefined && <span className={s.reason}> {children}</span>}
      </span>
    </span>
  );
}
