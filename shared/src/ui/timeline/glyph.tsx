import type { TimelineKind } from '../../contract/timeline';
import styles from './glyph.module.css';

const SHAPES: Record<TimelineKind, string> = {
  outage: 'M1 1H9V9H1Z',
  off: 'M0 .5H10L5 9.5Z',
  dip: 'M.5 2H3L5 8L7 2H9.5',
  switch: 'M5 0L10 5L5 10L0 5Z',
  price: 'M5 .5L10 9.5H0Z',
  payout: 'M5 .5A4.5 4.5 0 1 0 5 9.5A4.5 4.5 0 1 0 5 .5Z',
  address: 'M1 3H9V7H1Z',
  member: 'M5 .5A2 2 0 1 0 5 4.5A2 2 0 1 0 5 .5ZM1 9.5C1 4.5 9 4.5 9 9.5Z',
};

/** The shape of a kind, on charts and in lists; the word must be beside it. */
export const TimelineGlyph = ({ kind }: { kind: TimelineKind }) => (
  <svg className={styles.glyph} width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" data-kind={kind}>
    <path d={SHAPES[kind]} />
  </svg>
);
