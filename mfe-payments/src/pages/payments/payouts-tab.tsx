import { useTranslation } from '@pool/shared/i18n';
import { useBalance } from '@pool/shared/remote';
import { Button, Empty, PayoutSentence } from '@pool/shared/ui/core';
import { useHistory, type Days } from '../../api/history';
import { HistoryFrame } from './history-frame';
import { PayoutsList } from './payouts-list';

export function PayoutsTab({ days, onShowAll }: { days: Days; onShowAll: () => void }) {
  const { t } = useTranslation();
  const payouts = useHistory('payouts', days);
  const empty = days.from ? (
    <Empty title={t('payments.payouts.empty')} action={<Button onClick={onShowAll}>{t('payments.all-time')}</Button>}>
      {t('payments.earnings.empty-hint')}
    </Empty>
  ) : (
    <FirstPayout />
  );
  return (
    <HistoryFrame query={payouts} empty={empty}>
      {(rows) => <PayoutsList rows={rows} />}
    </HistoryFrame>
  );
}

/** Nothing was paid yet: says when the first payout will be, or what stands in its way. */
function FirstPayout() {
  const { t } = useTranslation();
  const { data: balance } = useBalance();
  return <Empty title={t('payments.payouts.first')}>{balance && <PayoutSentence balance={balance} />}</Empty>;
}
