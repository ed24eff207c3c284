import { useTranslation } from '@pool/shared/i18n';
import { Btc, Notice, useFormat, useNow } from '@pool/shared/ui/core';
import { ActionButton } from '@pool/shared/ui/form';
import { LIST, SETTINGS, usePaymentSettings } from '../../api/payments';

/** The payout run above the operator's bound, until it may be sent; any admin can stop it. */
export function WaitingRun() {
  const { t } = useTranslation();
  const { duration, moment } = useFormat();
  const now = useNow();
  const run = usePaymentSettings().data?.waiting;
  const seconds = run ? Date.parse(run.until) / 1000 - now : 0;
  if (!run || seconds <= 0) return null;
  return (
    <Notice
      tone="warn"
      state="review"
      action={
        <ActionButton
          danger
          text={t('admin.payments.run-stop')}
          send={(api) => api('POST /admin/stopPayoutRun', {})}
          said={({ changed }) => t('admin.payments.run-stopped', { n: changed })}
          reads={[LIST, SETTINGS]}
        />
      }
    >
      <strong>
        {t('admin.payments.run-waits', { n: run.count })} · <Btc sats={run.totalSat} />
      </strong>{' '}
      {t('admin.payments.run-until', { duration: duration(seconds, 2), until: moment(run.until) })}
    </Notice>
  );
}
