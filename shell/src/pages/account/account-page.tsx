import { allows, type PoolAbility } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { LinkTabs } from '@pool/shared/link-tabs';
import { lazyPart, useAbility, usePageTitle } from '@pool/shared/remote';
import { Navigate, useLocation } from '@pool/shared/router';
import { ACCOUNT_TABS, accountPath, MOVED_PAGES, type AccountTab } from '@pool/shared/shell-pages';
import { PageHeader } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import type { ComponentType } from 'react';
import { ShellPart } from '../shell-part';
import { carriedSearch, carry } from '../../session/carried-params';

const TABS: Record<AccountTab, ComponentType> = {
  profile: lazyPart([], () => import(/* webpackChunkName: "account" */ './profile/profile-tab')),
  'sub-accounts': lazyPart([], () => import(/* webpackChunkName: "account" */ './sub-accounts/sub-accounts-tab')),
  alerts: lazyPart([], () => import(/* webpackChunkName: "account" */ './alerts/alerts-tab')),
  watchers: lazyPart([], () => import(/* webpackChunkName: "account" */ './tokens/watchers-tab')),
  'api-keys': lazyPart([], () => import(/* webpackChunkName: "account" */ './tokens/api-keys-tab')),
  telegram: lazyPart([], () => import(/* webpackChunkName: "account" */ './telegram/telegram-tab')),
  security: lazyPart([], () => import(/* webpackChunkName: "account" */ './security/security-tab')),
  organization: lazyPart([], () => import(/* webpackChunkName: "account" */ './organization/organization-tab')),
  log: lazyPart([], () => import(/* webpackChunkName: "account" */ './log/log-tab')),
};
const NAMES = Object.keys(TABS) as AccountTab[];
const bare = (path: string) => path.replace(/\/$/, '');

const tabAt = (pathname: string): AccountTab =>
  NAMES.find((name) => bare(accountPath(name)) === bare(pathname)) ?? 'profile';

/** `/account/`: each tab is a path. One chunk for all of them: each further one adds its hash to the first page. */
export default function AccountPage() {
  const { t } = useTranslation();
  const ability = useAbility<PoolAbility>();
  const { pathname, search } = useLocation();
  const shown = tabAt(pathname);
  const Tab = TABS[shown];
  usePageTitle(shown === 'profile' ? undefined : `${t(`account.tab.${shown}`)} · ${t('account.nav')}`);
  const moved = MOVED_PAGES[bare(pathname)];
  if (moved) return <Navigate to={carry<string>(moved, carriedSearch(search))} replace />;
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
      <div className={common.panels}>
        <ShellPart key={shown}>
          <Tab />
        </ShellPart>
      </div>
    </>
  );
}
