import { useTranslation } from 'react-i18next';
import { ALL_ACCOUNTS } from '../../domain';
import { useApi } from '../../react/services';
import common from '../common.module.css';
import { ChooseAccount } from '../core';
import { accountWallet } from './queries';
import { RulesPanel } from './rules-panel';
import { WalletPanel } from './wallet-panel';

type Props = { account: string; onAddress?(): void };

export const PayoutPanels = (props: Props) =>
  props.account === ALL_ACCOUNTS ? <ChooseAccount /> : <Panels {...props} />;

function Panels({ account, onAddress }: Props) {
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
