import { useTranslation } from '@pool/shared/i18n';
import { StackedDays } from '@pool/shared/ui/chart';
import { Panel, QueryError, useFormat } from '@pool/shared/ui/core';
import { useMemo } from 'react';
import { useAccruals } from '../../api/lists';
import { incomeByDay } from './income';

/** What the referred miners brought per day. Without any, there is nothing to show. */
export function IncomePanel() {
  const { t } = useTranslation();
  const { sats } = useFormat();
  const accruals = useAccruals();
  const { data } = accruals;
  const income = useMemo(() => data && incomeByDay(data, t('referral.income-others')), [data, t]);
  if (!income) return <QueryError query={accruals} />;
  if (income.parts.length === 0) return null;
  return (
    <Panel title={t('referral.income')} extra={sats(income.totalSat)}>
      <StackedDays label={t('referral.income')} parts={income.parts} measure="sat" />
    </Panel>
  );
}
