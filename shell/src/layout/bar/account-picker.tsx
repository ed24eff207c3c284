import { ALL_ACCOUNTS, type SubAccount } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { ChevronsUpDown, Dropdown } from '@pool/shared/ui/core';
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
}: AccountPickerProps) {
  const { t, i18n } = useTranslation();
  const textOf = (name: string) => (name === ALL_ACCOUNTS ? t('ui.allAccounts') : name);
  const label = (name: string) => (
    <>
      <bdi className={styles.accountName}>{textOf(name)}</bdi>{' '}
      {name === userName && <span className={styles.primary}>{t('account.primary')}</span>}
    </>
  );
  const itemOf = (name: string) => ({
    key: name,
    label: <span style={{ display: 'flex', gap: 8, alignItems: 'center' }}>{label(name)}</span>,
  });
  const items = subAccounts.map(({ name }) => itemOf(name));
  if (items.length > 1) items.unshift(itemOf(ALL_ACCOUNTS));
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
  const choose = (key: string) => {
    if (key.startsWith(ORGANIZATION)) actIn?.(key === ALONE ? null : key.slice(ORGANIZATION.length));
    else chooseAccount(key);
  };
  return (
    <Dropdown
      menu={{
        items: switches.length > 0 ? [...group(here, items), ...switches] : items,
        selectedKeys: [account],
        onClick: ({ key }) => choose(key),
      }}
    >
      <button
        type="button"
        className={styles.account}
        aria-label={`${t('account.choose')}: ${textOf(account)}${account === userName ? ` ${t('account.primary')}` : ''}`}
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
