import { formatBtcShort } from '@pool/shared';
import type { TFunction } from '@pool/shared/i18n';
import { formatClock, formatDay } from '@pool/shared/ui/core';
import type { Balance } from '../../api/payment';

/** When the unpaid balance will be paid out, or why not, in one sentence. Payouts keep UTC, so the sentence does too. */
export function payoutSentence(
  t: TFunction,
  language: string,
  { unpaidSat, thresholdSat, nextPayout }: Balance,
): string {
  const { at, reason } = nextPayout;
  const otherYear = at !== null && !at.startsWith(new Date().toISOString().slice(0, 4));
  const when = at && { date: formatDay(language, 'utc', at, otherYear), time: formatClock(language, 'utc', at) };
  if (reason === 'address_hold' && when) return t('payments.next.address_hold_until', when);
  if (reason !== null && reason !== 'below_threshold') return t(`payments.next.${reason}`);
  if (when) return t('payments.next.at', when);
  if (reason === 'below_threshold')
    return t('payments.next.below_threshold', { left: formatBtcShort(Math.max(0, thresholdSat - unpaidSat)) });
  return t('payments.next.queued');
}
