import { useTranslation } from '@pool/shared/i18n';
import { Btc, Facts, formatDay, Notice, QueryState, Skeleton, useFormat } from '@pool/shared/ui/core';
import { useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import type { ReactNode } from 'react';
import { LIST } from '../../api/payments';
import { useRead } from '../../api/reads';
import parts from '../../parts/parts.module.css';

const NAMED = 6;

/** Closes finished days by hand, after a preview that the same code has made and taken back. */
export function CalculationDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  // Always what it would do now.
  const preview = useRead(['admin', 'calculation'], (api, signal) => api('GET /admin/calculation', { signal }), {
    staleTime: 0,
  });
  const change = useFormMutation({
    send: (api) => api('POST /calculatePayments/', { body: {} }),
    reads: [LIST, ['admin']],
    said: ({ days: closed, payments: made }) => t('admin.calculation.done', { days: closed, payments: made }),
    onDone: onClose,
  });
  const { days, payments, uncounted, waiting } = preview.data ?? {
    days: [],
    payments: { count: 0, totalSat: 0 },
    uncounted: [],
    waiting: null,
  };
  const dayText = (day: string) => formatDay(language, 'utc', day);
  const fact = (name: string, value: ReactNode) => ({ label: t(`admin.calculation.${name}`), value });
  const named = days
    .slice(0, NAMED)
    .map(({ day }) => dayText(day))
    .join(', ');
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
            fact('days', named ? `${days.length} · ${named}` : 0),
            fact('accounts', Math.max(0, ...days.map(({ accounts }) => accounts))),
            fact('gross', <Btc sats={sum(({ grossSat }) => grossSat)} />),
            fact('fee', <Btc sats={sum(({ feeSat }) => feeSat)} />),
            fact('referral', <Btc sats={sum(({ referralSat }) => referralSat)} />),
            fact('net', <Btc sats={sum(({ netSat }) => netSat)} />),
            fact(
              'payments',
              <>
                {payments.count} · <Btc sats={payments.totalSat} />
              </>,
            ),
          ]}
        />
      )}
      {uncounted.length > 0 && (
        <Notice tone="warn" state="review">
          {t('admin.calculation.uncounted')}
          <ul className={parts.notes}>
            {uncounted.slice(0, NAMED).map(({ day, why, shares }) => (
              <li key={`${day} ${why}`}>
                {dayText(day)}: {t(`admin.calculation.${why}`, { n: shares })}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {waiting && (
        <Notice tone="warn" state="review">
          {t('admin.calculation.not-plausible', { day: dayText(waiting.day) })}
        </Notice>
      )}
    </FormDialog>
  );
}
