import { useTranslation } from '@pool/shared/i18n';
import { Btc, Button, ErrorPanel, Notice, useFormat, useNow } from '@pool/shared/ui/core';
import { useFormMutation } from '@pool/shared/ui/form';
import common from '@pool/shared/ui/common.module.css';
import { LIST, SETTINGS, usePaymentSettings } from '../../api/payments';

/** The payout run above the operator's bound, until it may be sent; any admin can stop it. */
export function WaitingRun() {
  const { t } = useTranslation();
  const { duration, moment } = useFormat();
  const now = useNow();
  const run = usePaymentSettings().data?.waiting;
  const stop = useFormMutation({
    send: (api) => api('POST /admin/stopPayoutRun', {}),
    reads: [LIST, SETTINGS],
    said: ({ changed }) => t('admin.payments.run-stopped', { n: changed }),
  });
  const seconds = run ? Date.parse(run.until) / 1000 - now : 0;
  if (!run || seconds <= 0) return null;
  return (
    <div className={common.stack}>
      <Notice
        tone="warn"
        state="review"
        action={
          <Button danger loading={stop.isPending} onClick={() => stop.mutate()}>
            {t('admin.payments.run-stop')}
          </Button>
        }
      >
        <strong>
          {t('admin.payments.run-waits', { n: run.count })} · <Btc sats={run.totalSat} />
        </strong>{' '}
        {t('admin.payments.run-until', { duration: duration(seconds, 2), until: moment(run.until) })}
      </Notice>
      {stop.error && <ErrorPanel error={stop.error} />}
    </div>
  );
}
