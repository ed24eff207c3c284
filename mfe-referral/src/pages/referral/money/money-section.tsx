import { AccrualsList } from './accruals-list';
import { PaymentsList } from './payments-list';
import { WalletPanel } from './wallet-panel';

/** Referral money: where it goes, what came of each day, what was paid. */
export function MoneySection() {
  return (
    <>
      <WalletPanel />
      <AccrualsList />
      <PaymentsList />
    </>
  );
}
