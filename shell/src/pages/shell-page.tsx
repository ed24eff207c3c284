/** The shell's own pages (shared/src/shell-pages.ts): code and texts of each are loaded with it. */
import type { NavEntry, Picker } from '@pool/shared';
import type { i18n } from '@pool/shared/i18n';
import { useTranslation } from '@pool/shared/i18n';
import { isPublicPage } from '@pool/shared/public-pages';
import { ACCESS_PATH, ACCOUNT_PATH, SETTINGS_PATH } from '@pool/shared/shell-pages';
import type { ComponentType } from 'react';
import { LazyPart } from './lazy-part';

/** In the navigation beside the remotes' links. */
export const SHELL_NAV: NavEntry[] = [
  {
    path: `${ACCOUNT_PATH}/`,
    label: 'account.nav',
    icon: 'account',
    order: 5,
    requires: { action: 'read', subject: 'account' },
  },
  {
    path: ACCESS_PATH,
    label: 'access.nav',
    icon: 'users',
    order: 6,
    requires: { action: 'read', subject: 'acl-page' },
  },
];

/** Of the app bar's pickers, those that mean something: payout addresses are of one account. */
export const shellPickers = (path: string): Picker[] => (path.includes('/wallets') ? ['account'] : []);

type Page = { texts: string[]; load(): Promise<{ default: ComponentType }> };
const ACCOUNT: Page = {
  texts: ['account', 'errors'],
  load: () => import(/* webpackChunkName: "account" */ './account/account-page'),
};
const SETTINGS: Page = {
  texts: ['settings'],
  load: () => import(/* webpackChunkName: "settings" */ './settings/settings-page'),
};
const ACCESS: Page = {
  texts: ['access'],
  load: () => import(/* webpackChunkName: "account" */ './access/access-page'),
};
const PUBLIC: Page = {
  texts: ['public'],
  load: () => import(/* webpackChunkName: "public" */ '../public/public-page'),
};

async function load({ texts, load: code }: Page, instance: i18n): Promise<{ default: ComponentType }> {
  const [page] = await Promise.all([code(), instance.loadNamespaces(texts)]);
  return page;
}

/** `path` is one of `isShellPage`. */
export function ShellPage({ path }: { path: string }) {
  const { i18n: instance } = useTranslation();
  const page = isPublicPage(path)
    ? PUBLIC
    : path.startsWith(SETTINGS_PATH)
      ? SETTINGS
      : path.startsWith(ACCESS_PATH)
        ? ACCESS
        : ACCOUNT;
  return <LazyPart key={page.texts[0]} load={() => load(page, instance)} />;
}
