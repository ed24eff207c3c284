/** Kinds of what happened to an account, and what one has to be allowed to read for each. */
import type { Subject } from './ability';

export const TIMELINE_KINDS = {
  outage: 'dashboard',
  off: 'workers',
  dip: 'dashboard',
  switch: 'account',
  payout: 'payments',
  price: 'dashboard',
  address: 'wallet',
  member: 'log',
} as const satisfies Record<string, Subject>;
export type TimelineKind = keyof typeof TIMELINE_KINDS;
/** The same as a list, in the order of its filters. */
export const TIMELINE_ORDER = Object.keys(TIMELINE_KINDS) as [TimelineKind, ...TimelineKind[]];
