import { useTranslation } from '@pool/shared/i18n';
import { StackedDays, type DayPart } from '@pool/shared/ui/chart';
import { Btc, Loading, Panel, QueryError, Skeleton, useFormat, VisuallyHidden } from '@pool/shared/ui/core';
import { Suspense, useMemo } from 'react';
import { useAccruals } from '../../api/accruals';
import { incomeByDay } from './income';
import styles from './income-panel.module.css';

/** What the referred miners brought per day. Without any, there is nothing to show. */
export function IncomePanel() {
  const { t } = useTranslation();
  const accruals = useAccruals();
  const { data } = accruals;
  const income = useMemo(() => data && incomeByDay(data, t('referral.income-others')), [data, t]);
  if (!income) return <QueryError query={accruals} />;
  if (income.parts.length === 0) return null;
  return (
    <Panel title={t('referral.income')} extra={<Btc sats={income.totalSat} />}>
      <div className={styles.chart}>
        <Suspense
          fallback={
            <Loading>
              <Skeleton height={200} />
            </Loading>
          }
        >
          <StackedDays parts={income.parts} />
        </Suspense>
        <VisuallyHidden>
          <DayList parts={income.parts} />
        </VisuallyHidden>
      </div>
    </Panel>
  );
}

/** The chart in words. */
function DayList({ parts }: { parts: readonly DayPart[] }) {
  const { day, btc } = useFormat();
  return parts.map((part) => (
    <span key={`${part.day} ${part.name}`}>{`${day(part.day, true)}, ${part.name}: ${btc(part.sats)}. `}</span>
  ));
}
