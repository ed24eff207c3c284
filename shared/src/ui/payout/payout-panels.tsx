import { useTranslation } from 'react-i18next';
import { useApi } from '../../react/services';
import common from '../common.module.css';
import { accountWallet } from './queries';
import { RulesPanel } from './rules-panel';
import { WalletPanel } from './wallet-panel';

export function PayoutPanels({ account, onAddress }: { account: string; onAddress?(): void }) {
  const { t } = useTranslation();
  const calls = accountWallet(useApi(), account);
  // What was typed for one account is not another's.
  return (
    <div key={account} className={common.panels}>
      <WalletPanel title={t('payout.title', { name: account })} calls={calls} onAddress={onAddress} />
      <RulesPanel account={account} />
    </div>
  );
}
