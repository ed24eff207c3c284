import type { SubAccount } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { subAccountFactsQuery, useApi } from '@pool/shared/remote';
import { useNavigate } from '@pool/shared/router';
import { accountPath } from '@pool/shared/shell-pages';
import { AllAccounts, ChevronsUpDown, Dropdown } from '@pool/shared/ui/core';
import styles from './app-bar.module.css';

export type AccountPickerProps = {
  account: string;
  userName: string;
  subAccounts: readonly Pick<SubAccount, 'name'>[];
  chooseAccount(name: string): void;
};
type Props = AccountPickerProps & {
  /** Whether the figures of all sub-accounts together stand first, and lead to their page. */
  withAll?: boolean;
};

/** No sub-account has this name. */
const ALL = '';

export function AccountPicker({ account, userName, subAccounts, chooseAccount, withAll = false }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
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
  const all = { key: ALL, label: <All /> };
  return (
    <Dropdown
      menu={{
        items:
          withAll && items.length > 1 ? [all, { type: 'group', label: t('account.choose'), children: items }] : items,
        selectedKeys: [account],
        onClick: ({ key }) => (key === ALL ? void navigate(accountPath('sub-accounts')) : chooseAccount(key)),
      }}
    >
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

/** Asks when the menu opens. */
function All() {
  const { t } = useTranslation();
  const { data } = useQuery(subAccountFactsQuery(useApi()));
  return (
    <>
      {t('ui.allAccounts')}
      <span className={styles.all}>{data && <AllAccounts facts={data} />}</span>
    </>
  );
}
