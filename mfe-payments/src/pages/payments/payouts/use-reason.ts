import type { Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';

/** Why a payout is where it is, in words; what a person of the pool wrote stays as it is. */
export function useReason({ reason }: Payment): string | null {
  const { t, i18n } = useTranslation();
  if (reason === null) return null;
  const key = `payments.reason.${reason}`;
  return i18n.exists(key) ? t(key) : reason;
}
