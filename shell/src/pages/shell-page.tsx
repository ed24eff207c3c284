/** The shell's own pages (shared/src/routes/shell-pages.ts): code and texts of each are loaded with it. */
import type { NavEntry } from '@pool/shared';
import { isPublicPage } from '@pool/shared/public-pages';
import { ACCESS_PATH, ACCOUNT_PATH, INVITATION_PATH, SETTINGS_PATH } from '@pool/shared/shell-pages';
import { lazyPart } from '@pool/shared/remote';
import { ShellPart } from './shell-part';

/** Links in the navigation beside the remotes' own. */
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

const Account = lazyPart(
  ['account', 'errors', 'roles'],
  () => import(/* webpackChunkName: "account" */ './account/account-page'),
);
const Settings = lazyPart('settings', () => import(/* webpackChunkName: "settings" */ './settings/settings-form'));
const Access = lazyPart('access', () => import(/* webpackChunkName: "account" */ './access/access-page'));
const Invitation = lazyPart(
  ['account', 'errors', 'roles'],
  () => import(/* webpackChunkName: "account" */ './invitation/invitation-page'),
);
const Public = lazyPart('public', () => import(/* webpackChunkName: "public" */ '../public/public-page'));

/** `path` is one of `isShellPage`. */
export function ShellPage({ path }: { path: string }) {
  const [key, Page] = isPublicPage(path)
    ? (['public', Public] as const)
    : path.startsWith(SETTINGS_PATH)
      ? (['settings', Settings] as const)
      : path.startsWith(ACCESS_PATH)
        ? (['access', Access] as const)
        : path.startsWith(INVITATION_PATH)
          ? (['invitation', Invitation] as const)
          : (['account', Account] as const);
  return (
    <ShellPart key={key}>
      <Page />
    </ShellPart>
  );
}
