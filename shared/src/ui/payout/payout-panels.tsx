import styles from './payout.module.css';
import { RulesPanel } from './rules-panel';
import { WalletPanel } from './wallet-panel';

export function PayoutPanels({ account, onAddress }: { account: string; onAddress?(): void }) {
  // What was typed for one account is not another's.
  return (
    <div key={account} className={styles.panels}>
      <WalletPanel account={account} onAddress={onAddress} />
      <RulesPanel account={account} />
    </div>
  );
}
