import type { SubAccount } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { ChevronsUpDown, Dropdown } from '@pool/shared/ui/core';
import styles from './app-bar.module.css';

export type AccountPickerProps = {
  account: string;
  userName: string;
  subAccounts: readonly Pick<SubAccount, 'name'>[];
  chooseAccount(name: string): void;
};

export function AccountPicker({ account, userName, subAccounts, chooseAccount }: AccountPickerProps) {
  const { t } = useTranslation();
  const label = (name: string) => (
    <>
      <bdi className={styles.accountName}>{name}</bdi>{' '}
      {name === userName && <span className={styles.primary}>{t('account.primary')}</span>}
    </>
  );
  const items = subAccounts.map(({ name }) => ({
    key: name,
    label: <span style={{ display: 'flex', gap: 8, alignItems: 'center' }}>{label(name)}</span>,
  }));
  return (
    <Dropdown menu={{ items, selectedKeys: [account], onClick: ({ key }) => chooseAccount(key) }}>
      <button
        type="button"
        className={styles.account}
        aria-haspopup="menu"
        aria-label={`${t('account.choose')}: ${account}${account === userName ? ` ${t('account.primary')}` : ''}`}
      >
        {label(account)}
        <ChevronsUpDown size={14} />
      </button>
    </Dropdown>
  );
}
