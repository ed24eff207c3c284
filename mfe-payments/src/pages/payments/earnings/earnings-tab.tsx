import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { Btc, Button, Empty, Facts } from '@pool/shared/ui/core';
import { useHistory, type Days } from '../../../api/history';
import { useMonthly } from '../../../api/monthly';
import { EarningsList } from './earnings-list';
import styles from '../range/history-frame.module.css';
import { HistoryFrame } from '../range/history-frame';
import { daysOf, sumOf, type Day } from './ledger';
import { MonthlyBars } from './monthly-bars';

export function EarningsTab({ days, onShowAll }: { days: Days; onShowAll: () => void }) {
  const { t } = useTranslation();
  const earnings = useHistory('earnings', days);
  const { data: months } = useMonthly();
  const everEarned = months?.some((month) => month.netSat !== 0) ?? true;
  const empty =
    everEarned && days.from ? (
      <Empty
        title={t('payments.earnings.empty')}
        action={<Button onClick={onShowAll}>{t('payments.all-time')}</Button>}
      >
        {t('payments.earnings.empty-hint')}
      </Empty>
    ) : (
      <Empty title={t('payments.earnings.first')} action={<Link to="/dashboard/">{t('payments.connect')}</Link>}>
        {t('payments.earnings.first-hint')}
      </Empty>
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
              <EarningsList days={ledger} loading={loading} empty={empty} />
            </>
          );
        }}
      </HistoryFrame>
    </>
  );
}

/** Sums of the shown days; of the whole range once all its pages are there. */
function Total({ days, complete }: { days: readonly Day[]; complete: boolean }) {
  const { t } = useTranslation();
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
        ]}
      />
    </section>
  );
}
