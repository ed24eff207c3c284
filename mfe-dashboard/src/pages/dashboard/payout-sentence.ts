/** When the unpaid balance will be paid, or why not: a key of `dashboard.payout.*` and what it needs. */
import type { Answer } from '@pool/shared';

type Balance = Answer<'GET /payment/'>;
export type PayoutSentence =
  | { key: 'dated' | 'address_hold_until'; at: string }
  | { key: 'reaches'; at: string; closing: string }
  | { key: 'queued' | 'far' | 'idle' | 'no_address' | 'address_hold' | 'paused' | 'review' };

const DAY_MS = 86_400_000;

export function payoutSentence({
  nextPayout: { at, reason },
  todayEstimateSat,
  yesterdaySat,
}: Balance): PayoutSentence {
  switch (reason) {
    case null:
      return at ? { key: 'dated', at } : { key: 'queued' };
    case 'below_threshold':
      // The day that ends in the night of the payout is the one that reaches the threshold.
      if (at) return { key: 'reaches', at, closing: new Date(Date.parse(at) - DAY_MS).toISOString() };
      return { key: todayEstimateSat > 0 || yesterdaySat > 0 ? 'far' : 'idle' };
    case 'address_hold':
      return at ? { key: 'address_hold_until', at } : { key: 'address_hold' };
    default:
      return { key: reason };
  }
}
