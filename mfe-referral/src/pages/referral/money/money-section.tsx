import { useTranslation } from '@pool/shared/i18n';
import { useApi } from '@pool/shared/remote';
import { oneOf, useUrlState } from '@pool/shared/router';
import { Segmented } from '@pool/shared/ui/core';
import { WalletPanel } from '@pool/shared/ui/payout';
import { referralWallet } from '../../../api/wallet';
import { AccrualsList } from './accruals-list';
import styles from './money.module.css';
import { PaymentsList } from './payments-list';

const LISTS = ['accruals', 'payments'] as const;
const PLACE = { money: oneOf(LISTS) };

/** Referral money: where it goes, and what came of each day or what was paid. */
export function MoneySection() {
  const { t } = useTranslation();
  const calls = referralWallet(useApi());
  const [{ money: list = 'accruals' }, set] = useUrlState(PLACE);
  return (
    <section className={styles.section} aria-labelledby="referral-money">
      <h2 id="referral-money">{t('referral.money')}</h2>
      <WalletPanel title={t('referral.wallet')} calls={calls} />
      <div className={styles.choice}>
        <Segmented
          aria-label={t('referral.money')}
          value={list}
          options={LISTS.map((value) => ({ value, label: t(`referral.${value}`) }))}
          onChange={(value) => set({ money: value })}
        />
      </div>
      {list === 'payments' ? <PaymentsList /> : <AccrualsList />}
    </section>
  );
}
