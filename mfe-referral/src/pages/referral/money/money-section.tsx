import { AccrualsList } from './accruals-list';
import { PaymentsList } from './payments-list';
import { WalletPanel } from './wallet-panel';

/** Referral money: where it goes, what was paid, what came of each day (a row for each, so last). */
export function MoneySection() {
  return (
    <>
      <WalletPanel />
      <PaymentsList />
      <AccrualsList />
    </>
  );
}
