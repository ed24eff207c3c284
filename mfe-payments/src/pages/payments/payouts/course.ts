/** The life of a payout as steps: what was, where it is now, what comes next. */
import type { Payment } from '@pool/shared';

export type Step = {
  state: 'earned' | Payment['status'];
  when: 'past' | 'now' | 'next';
  /** ISO 8601; null: not yet, or not recorded. */
  at: string | null;
};

const USUAL = ['earned', 'pending', 'queued', 'sent', 'confirmed'] as const;

export function courseOf({ status, createdAt, queuedAt, sentAt, confirmedAt }: Payment): Step[] {
  const times: Partial<Record<Step['state'], string | null>> = {
    pending: createdAt,
    queued: queuedAt,
    sent: sentAt,
    confirmed: confirmedAt,
  };
  const step = (state: Step['state'], when: Step['when']): Step => ({
    state,
    when,
    at: when === 'next' ? null : (times[state] ?? null),
  });
  const at = USUAL.findIndex((state) => state === status);
  if (at >= 0) return USUAL.map((state, index) => step(state, index < at ? 'past' : index === at ? 'now' : 'next'));
  // It left the usual way: what was before has a time. One that was sent and failed may have been approved again.
  const isAgain = sentAt !== null && queuedAt !== null && queuedAt > sentAt;
  const past = USUAL.filter((state) => state === 'earned' || (times[state] && !(isAgain && state === 'sent')));
  return [...past.map((state) => step(state, 'past')), step(status, 'now')];
}
