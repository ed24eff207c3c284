import { useTranslation } from '@pool/shared/i18n';
import { Button, Empty, useFormat } from '@pool/shared/ui/core';
import { useHistory, type Days } from '../../api/history';
import { useBalance } from '../../api/payment';
import { HistoryFrame } from './history-frame';
import { PayoutsList } from './payouts-list';
import { payoutSentence } from './payout-sentence';

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
  const { language } = useFormat();
  const { data: balance } = useBalance();
  return <Empty title={t('payments.payouts.first')}>{balance && payoutSentence(t, language, balance)}</Empty>;
}
