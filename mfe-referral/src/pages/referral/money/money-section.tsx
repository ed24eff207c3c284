import { useTranslation } from '@pool/shared/i18n';
import { useApi } from '@pool/shared/remote';
import { WalletPanel } from '@pool/shared/ui/payout';
import { referralWallet } from '../../../api/wallet';
import { AccrualsList } from './accruals-list';
import { PaymentsList } from './payments-list';

/** Referral money: where it goes, what was paid, what came of each day (a row for each, so last). */
export function MoneySection() {
  const { t } = useTranslation();
  const calls = referralWallet(useApi());
  return (
    <>
      <WalletPanel title={t('referral.wallet')} calls={calls} />
      <PaymentsList />
      <AccrualsList />
    </>
  );
}
