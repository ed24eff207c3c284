import { allows, type PoolAbility } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { LinkTabs } from '@pool/shared/link-tabs';
import { useAbility, usePageTitle } from '@pool/shared/remote';
import { useLocation } from '@pool/shared/router';
import { ACCOUNT_TABS, accountPath, type AccountTab } from '@pool/shared/shell-pages';
import { PageHeader } from '@pool/shared/ui/core';
import type { ComponentType } from 'react';
import { LazyPart } from '../lazy-part';
import { carriedSearch } from '../../session/carried-params';
import styles from './account-page.module.css';

const TABS: Record<AccountTab, () => Promise<{ default: ComponentType }>> = {
  profile: () => import(/* webpackChunkName: "account" */ './profile/profile-tab'),
  'sub-accounts': () => import(/* webpackChunkName: "account" */ './sub-accounts/sub-accounts-tab'),
  wallets: () => import(/* webpackChunkName: "account" */ './wallets/wallets-tab'),
  watchers: () => import(/* webpackChunkName: "account" */ './tokens/watchers-tab'),
  'api-keys': () => import(/* webpackChunkName: "account" */ './tokens/api-keys-tab'),
  telegram: () => import(/* webpackChunkName: "account" */ './telegram/telegram-tab'),
  security: () => import(/* webpackChunkName: "account" */ './security/security-tab'),
  sessions: () => import(/* webpackChunkName: "account" */ './sessions/sessions-tab'),
  log: () => import(/* webpackChunkName: "account" */ './log/log-tab'),
};
const NAMES = Object.keys(TABS) as AccountTab[];

const tabAt = (pathname: string): AccountTab =>
  NAMES.find((name) => accountPath(name).replace(/\/$/, '') === pathname.replace(/\/$/, '')) ?? 'profile';

/** `/account/`: each tab is a path. One chunk for all of them: each further one adds its hash to the first page. */
export default function AccountPage() {
  const { t } = useTranslation();
  const ability = useAbility<PoolAbility>();
  const { pathname, search } = useLocation();
  const shown = tabAt(pathname);
  usePageTitle(shown === 'profile' ? undefined : `${t(`account.tab.${shown}`)} · ${t('account.nav')}`);
  return (
    <>
      <PageHeader title={t('account.nav')} />
      <LinkTabs
        label={t('account.tabs')}
        tabs={NAMES.filter((name) => allows(ability, ACCOUNT_TABS[name])).map((name) => ({
          name,
          to: `${accountPath(name)}${carriedSearch(search)}`,
          text: t(`account.tab.${name}`),
        }))}
        shown={shown}
      />
      <div className={styles.page}>
        <LazyPart key={shown} load={TABS[shown]} />
      </div>
    </>
  );
}
