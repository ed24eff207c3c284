import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { Button, Empty } from '@pool/shared/ui/core';
import { useHistory, type Days } from '../../api/history';
import { useMonthly } from '../../api/monthly';
import { EarningsList } from './earnings-list';
import { HistoryFrame } from './history-frame';
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
        {(rows, loading) => <EarningsList rows={rows} loading={loading} empty={empty} />}
      </HistoryFrame>
    </>
  );
}
