import { useTranslation } from '@pool/shared/i18n';
import { Btc, Facts, formatDay, Notice, QueryState, Skeleton, useFormat } from '@pool/shared/ui/core';
import { FormDialog } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import { useCalculate, useCalculationPreview } from '../../api/payments';
import parts from '../../parts/parts.module.css';

const NAMED = 6;

/** Closes finished days by hand, after a preview that the same code has made and taken back. */
export function CalculationDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const preview = useCalculationPreview();
  const change = useCalculate({
    said: ({ days: closed, payments: made }) => t('admin.calculation.done', { days: closed, payments: made }),
    onDone: onClose,
  });
  const { days, payments, uncounted, waiting } = preview.data ?? {
    days: [],
    payments: { count: 0, totalSat: 0 },
    uncounted: [],
    waiting: null,
  };
  const nothing = days.length === 0 && payments.count === 0;
  const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + of(day), 0);
  return (
    <FormDialog
      title={t('admin.calculation.title')}
      okText={t('admin.calculation.run')}
      ready={preview.data !== undefined && !nothing}
      change={change}
      onSubmit={change.mutate}
      onCancel={onClose}
    >
      <p className={common.quiet}>{t('admin.calculation.what')}</p>
      <QueryState query={preview}>
        <Skeleton height={150} />
      </QueryState>
      {preview.data && nothing && <p>{t('admin.calculation.nothing')}</p>}
      {preview.data && !nothing && (
        <Facts
          rows={[
            {
              label: t('admin.calculation.days'),
              value:
                days.length === 0
                  ? 0
                  : `${days.length} · ${days
                      .slice(0, NAMED)
                      .map(({ day }) => formatDay(language, 'utc', day))
                      .join(', ')}`,
            },
            { label: t('admin.calculation.accounts'), value: Math.max(0, ...days.map(({ accounts }) => accounts)) },
            { label: t('admin.calculation.gross'), value: <Btc sats={sum(({ grossSat }) => grossSat)} /> },
            { label: t('admin.calculation.fee'), value: <Btc sats={sum(({ feeSat }) => feeSat)} /> },
            { label: t('admin.calculation.referral'), value: <Btc sats={sum(({ referralSat }) => referralSat)} /> },
            { label: t('admin.calculation.net'), value: <Btc sats={sum(({ netSat }) => netSat)} /> },
            {
              label: t('admin.calculation.payments'),
              value: (
                <>
                  {payments.count} · <Btc sats={payments.totalSat} />
                </>
              ),
            },
          ]}
        />
      )}
      {uncounted.length > 0 && (
        <Notice tone="warn" state="review">
          {t('admin.calculation.uncounted')}
          <ul className={parts.notes}>
            {uncounted.slice(0, NAMED).map(({ day, why, shares }) => (
              <li key={`${day} ${why}`}>
                {formatDay(language, 'utc', day)}: {t(`admin.calculation.${why}`, { n: shares })}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {waiting && (
        <Notice tone="warn" state="review">
          {t('admin.calculation.not-plausible', { day: formatDay(language, 'utc', waiting.day) })}
        </Notice>
      )}
    </FormDialog>
  );
}
