import type { SubAccount } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { subAccountFactsQuery, useApi } from '@pool/shared/remote';
import { useNavigate } from '@pool/shared/router';
import { accountPath } from '@pool/shared/shell-pages';
import { AllAccounts, ChevronsUpDown, Dropdown } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import { PlaceName, type Place } from '../../session/place';
import styles from './app-bar.module.css';

export type AccountPickerProps = {
  account: string;
  userName: string;
  subAccounts: readonly Pick<SubAccount, 'name'>[];
  chooseAccount(name: string): void;
  /** The organization that the user acts in, and as what. */
  place?: Place | null;
  /** Name of the user alone. */
  personName?: string;
  /** What the user may switch to. */
  organizations?: readonly { id: string; name: string; accounts: readonly string[] }[];
  /** The one that the user acts in. */
  organizationId?: string | null;
  /** Goes on in another one, or alone (null). */
  actIn?(organizationId: string | null): void;
};
type Props = AccountPickerProps & {
  /** Whether the figures of all sub-accounts together stand first, and lead to their page. */
  withAll?: boolean;
};

/** No sub-account has this name. */
const ALL = '';
/** Keys of organizations, which no name of an account is like. */
const ORGANIZATION = 'org:';
const ALONE = `${ORGANIZATION}`;
const NONE: NonNullable<AccountPickerProps['organizations']> = [];

export function AccountPicker({
  account,
  userName,
  subAccounts,
  chooseAccount,
  place = null,
  personName,
  organizations = NONE,
  organizationId = null,
  actIn,
  withAll = false,
}: Props) {
  const { t, i18n } = useTranslation();
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
  const others = organizations.filter(({ id }) => id !== organizationId);
  const group = (label: string, children: { key: string; label: ReactNode }[]) =>
    children.length > 0 ? [{ type: 'group' as const, label, children }] : [];
  const switches = [
    ...group(
      t('account.organizations'),
      others.map(({ id, name, accounts }) => ({
        key: `${ORGANIZATION}${id}`,
        label: (
          <>
            <bdi className={styles.accountName}>{name}</bdi>
            <bdi className={styles.all}>{new Intl.ListFormat(i18n.resolvedLanguage).format(accounts.slice(0, 4))}</bdi>
          </>
        ),
      })),
    ),
    ...group(t('account.alone'), place ? [{ key: ALONE, label: <bdi>{personName}</bdi> }] : []),
  ];
  const here = place?.organization ?? t(switches.length > 0 ? 'account.alone' : 'account.choose');
  const isGrouped = (withAll && items.length > 1) || switches.length > 0;
  const choose = (key: string) => {
    if (key === ALL) void navigate(accountPath('sub-accounts'));
    else if (key.startsWith(ORGANIZATION)) actIn?.(key === ALONE ? null : key.slice(ORGANIZATION.length));
    else chooseAccount(key);
  };
  return (
    <Dropdown
      menu={{
        items: isGrouped ? [...(withAll && items.length > 1 ? [all] : []), ...group(here, items), ...switches] : items,
        selectedKeys: [account],
        onClick: ({ key }) => choose(key),
      }}
    >
      <button
        type="button"
        className={styles.account}
        aria-haspopup="menu"
        aria-label={`${t('account.choose')}: ${account}${account === userName ? ` ${t('account.primary')}` : ''}`}
      >
        <span className={styles.names}>
          <span className={styles.chosen}>{label(account)}</span>
          {place && (
            <span className={styles.place}>
              <PlaceName place={place} />
            </span>
          )}
        </span>
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
