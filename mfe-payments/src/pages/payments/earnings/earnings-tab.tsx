import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import { dayText, shortText, useUrlState } from '@pool/shared/router';
import { Btc, Facts, Usd, useFormat } from '@pool/shared/ui/core';
import { Suspense, useCallback } from 'react';
import { isAlgorithm } from '@pool/shared';
import type { EarningKey } from '../../../api/earning-math';
import { useHistory, type Days } from '../../../api/history';
import { useMonthly } from '../../../api/monthly';
import { EarningsList } from './earnings-list';
import styles from '../range/history-frame.module.css';
import { HistoryFrame } from '../range/history-frame';
import type { MathDrawerProps } from '../math/math-drawer';
import { daysOf, sumOf, usdAtPrices, type Day } from './ledger';
import { MonthlyBars } from './monthly-bars';
import type { NoEarningsProps } from './no-earnings';

const MathDrawer = lazyPart<MathDrawerProps>(
  'payments-math',
  async () => (await import('../math/math-drawer')).MathDrawer,
);

const NoEarnings = lazyPart<NoEarningsProps>('payments-empty', async () => (await import('./no-earnings')).NoEarnings);

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
  const empty = (
    <Suspense>
      <NoEarnings ever={everEarned && days.from !== undefined} onShowAll={onShowAll} />
    </Suspense>
  );
  return (
    <>
      {everEarned && <MonthlyBars />}
      <HistoryFrame query={earnings}>
        {(rows, loading) => {
          const ledger = daysOf(rows, !earnings.hasNextPage);
          return (
            <>
              {ledger.length > 1 && <Total days={ledger} complete={!earnings.hasNextPage} />}
              <EarningsList days={ledger} loading={loading} empty={empty} onMath={show} />
            </>
          );
        }}
      </HistoryFrame>
      {shown && (
        <Suspense>
          <MathDrawer earning={shown} onClose={() => set({ math: undefined })} />
        </Suspense>
      )}
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
