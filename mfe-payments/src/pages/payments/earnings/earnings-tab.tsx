import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import { dayText, shortText, useUrlState } from '@pool/shared/router';
import { Btc, Facts, Usd, useFormat } from '@pool/shared/ui/core';
import { PagedRows } from '@pool/shared/ui/table';
import { useCallback } from 'react';
import { isAlgorithm } from '@pool/shared';
import type { EarningKey } from '../../../api/earning-math';
import { useHistory, type Days } from '../../../api/history';
import { useMonthly } from '../../../api/monthly';
import { EarningsList } from './earnings-list';
import styles from '../totals.module.css';
import { daysOf, sumOf, usdAtPrices, type Day } from './ledger';
import { MonthlyBars } from './monthly-bars';

const MathDrawer = lazyPart('payments-math', async () => (await import('../math/math-drawer')).MathDrawer, null);

const NoEarnings = lazyPart('payments-empty', async () => (await import('./no-earnings')).NoEarnings, null);

/** The earning whose computation is open: `?math=2026-11-19.SHA256_ASICBOOST.northfield`. */
const PLACE = { math: shortText };
function earningOf(math: string | undefined): EarningKey | null {
  const [day = '', algorithm = '', account = ''] = math?.split('.') ?? [];
  return dayText(day) && isAlgorithm(algorithm) && account ? { day, account, algorithm } : null;
}

export function EarningsTab({ days, onShowAll }: { days: Days; onShowAll: () => void }) {
  const earnings = useHistory('earnings', days);
  const { data: months } = useMonthly();
  const [{ math }, set] = useUrlState(PLACE);
  const show = useCallback(
    ({ day, algorithm, account }: EarningKey) => set({ math: [day, algorithm, account].join('.') }),
    [set],
  );
  const shown = earningOf(math);
  const everEarned = months?.some((month) => month.netSat !== 0) ?? true;
  const empty = <NoEarnings ever={everEarned && days.from !== undefined} onShowAll={onShowAll} />;
  return (
    <>
      {everEarned && <MonthlyBars />}
      <PagedRows query={earnings}>
        {(rows, loading) => {
          const ledger = daysOf(rows, !earnings.hasNextPage);
          return (
            <>
              {ledger.length > 1 && <Total days={ledger} complete={!earnings.hasNextPage} />}
              <EarningsList days={ledger} loading={loading} empty={empty} onMath={show} />
            </>
          );
        }}
      </PagedRows>
      {shown && <MathDrawer earning={shown} onClose={() => set({ math: undefined })} />}
    </>
  );
}

/** Sums of the shown days; of the whole range once all its pages are there. */
function Total({ days, complete }: { days: readonly Day[]; complete: boolean }) {
  const { t } = useTranslation();
  const { currency } = useFormat();
  const { grossSat, feeSat, referralSat, netSat } = sumOf(days);
  return (
    <section
      className={styles.total}
      aria-label={t(complete ? 'payments.total' : 'payments.total-shown', { count: days.length })}
    >
      <h2>{t(complete ? 'payments.total' : 'payments.total-shown', { count: days.length })}</h2>
      <Facts
        className={styles.sums}
        rows={[
          { label: t('payments.col.gross'), value: <Btc sats={grossSat} /> },
          { label: t('payments.col.fee'), value: <Btc sats={feeSat} /> },
          ...(referralSat === 0 ? [] : [{ label: t('payments.col.referral'), value: <Btc sats={referralSat} /> }]),
          { label: t('payments.total-net'), value: <Btc sats={netSat} /> },
          ...(currency === 'none' ? [] : [{ label: t('payments.total-usd'), value: <Usd usd={usdAtPrices(days)} /> }]),
        ]}
      />
    </section>
  );
}
