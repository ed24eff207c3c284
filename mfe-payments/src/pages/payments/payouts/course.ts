/** The life of a payout as steps: what was, where it is now, what comes next. */
import type { Payment } from '@pool/shared';

export type Step = {
  state: Payment['status'];
  when: 'past' | 'now' | 'next';
  /** ISO 8601; null: not yet, or not recorded. */
  at: string | null;
};

const USUAL = ['pending', 'queued', 'sent', 'confirmed'] as const;

export function courseOf({ status, createdAt, sentAt, confirmedAt }: Payment): Step[] {
  const times: Partial<Record<Payment['status'], string | null>> = {
    pending: createdAt,
    sent: sentAt,
    confirmed: confirmedAt,
  };
  const step = (state: Payment['status'], when: Step['when']): Step => ({
    state,
    when,
    at: when === 'next' ? null : (times[state] ?? null),
  });
  const at = USUAL.findIndex((state) => state === status);
  if (at >= 0) return USUAL.map((state, index) => step(state, index < at ? 'past' : index === at ? 'now' : 'next'));
  // It left the usual way: cancelled before it was sent, failed or being checked after it was queued.
  const past = USUAL.filter(
    (state) => state === 'pending' || (status !== 'cancelled' && state === 'queued') || (state === 'sent' && sentAt),
  );
  return [...past.map((state) => step(state, 'past')), step(status, 'now')];
}
