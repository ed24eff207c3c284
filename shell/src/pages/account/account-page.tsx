import { allows, type PoolAbility } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { LinkTabs } from '@pool/shared/link-tabs';
import { useQuery } from '@pool/shared/query';
import { lazyPart, useAbility, usePageTitle, useServices } from '@pool/shared/remote';
import { Navigate, useLocation } from '@pool/shared/router';
import { ACCOUNT_TABS, accountPath, accountParts, MOVED_PAGES, type AccountTab } from '@pool/shared/shell-pages';
import { PageHeader } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import type { ComponentType, ReactNode } from 'react';
import { ShellPart } from '../shell-part';
import { remotesQuery } from '../../remotes/registry';
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
const RemoteTab = lazyPart([], () => import(/* webpackChunkName: "account" */ './remote-tab'));
const NAMES = Object.keys(TABS) as AccountTab[];
const bare = (path: string) => path.replace(/\/$/, '');

type Tab = { name: string; path: string; text: string; page: ReactNode };

/** The tabs that the user may open: the shell's, then one for each part that a remote brings. */
function useTabs(): Tab[] {
  const { t } = useTranslation();
  const { api, session } = useServices();
  const ability = useAbility<PoolAbility>();
  const { data: remotes } = useQuery(remotesQuery(api, session.userId, { userId: null, remotes: [] }));
  return [
    ...NAMES.filter((name) => allows(ability, ACCOUNT_TABS[name])).map((name) => {
      const Page = TABS[name];
      return { name, path: accountPath(name), text: t(`account.tab.${name}`), page: <Page /> };
    }),
    ...accountParts(remotes ?? [], ability).map((part) => ({
      name: part.path,
      path: part.path,
      text: t(part.offer.label),
      page: <RemoteTab {...part} />,
    })),
  ];
}

/** `/account/`: each tab is a path. One chunk for all of the shell's: each further one adds its hash to the first page. */
export default function AccountPage() {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const tabs = useTabs();
  const shown = tabs.find(({ path }) => bare(path) === bare(pathname)) ?? tabs[0];
  usePageTitle(!shown || shown.name === 'profile' ? undefined : `${shown.text} · ${t('account.nav')}`);
  const moved = MOVED_PAGES[bare(pathname)];
  if (moved) return <Navigate to={carry<string>(moved, carriedSearch(search))} replace />;
  if (!shown) return null;
  return (
    <>
      <PageHeader title={t('account.nav')} />
      <LinkTabs
        label={t('account.tabs')}
        tabs={tabs.map(({ name, path, text }) => ({ name, to: `${path}${carriedSearch(search)}`, text }))}
        shown={shown.name}
      />
      <div className={common.panels}>
        <ShellPart key={shown.name}>{shown.page}</ShellPart>
      </div>
    </>
  );
}
