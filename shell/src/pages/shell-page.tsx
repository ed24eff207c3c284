/** The shell's own pages (shared/src/shell-pages.ts): code and texts of each are loaded with it. */
import type { NavEntry, Picker } from '@pool/shared';
import { CALCULATOR_PATH, FAQ_PATH, isPublicPage } from '@pool/shared/public-pages';
import { ACCESS_PATH, ACCOUNT_PATH, SETTINGS_PATH } from '@pool/shared/shell-pages';
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
  {
    path: CALCULATOR_PATH,
    label: 'public.calculator',
    icon: 'M6 2h12a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM8 6h8M16 14v4M8 10h0M12 10h0M16 10h0M8 14h0M12 14h0M8 18h0M12 18h0',
    order: 8,
  },
  {
    path: FAQ_PATH,
    label: 'public.faq',
    icon: 'M22 12a10 10 0 1 1-20 0a10 10 0 0 1 20 0zM9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3M12 17h0',
    order: 9,
  },
];

/** Pickers of the app bar that mean something on the page: payout addresses belong to one account. */
export const shellPickers = (path: string): Picker[] => (path.includes('/wallets') ? ['account'] : []);

const Account = lazyPart(
  ['account', 'errors'],
  () => import(/* webpackChunkName: "account" */ './account/account-page'),
);
const Settings = lazyPart('settings', () => import(/* webpackChunkName: "settings" */ './settings/settings-page'));
const Access = lazyPart('access', () => import(/* webpackChunkName: "account" */ './access/access-page'));
const Public = lazyPart('public', () => import(/* webpackChunkName: "public" */ '../public/public-page'));

/** `path` is one of `isShellPage`. */
export function ShellPage({ path }: { path: string }) {
  const [key, Page] = isPublicPage(path)
    ? (['public', Public] as const)
    : path.startsWith(SETTINGS_PATH)
      ? (['settings', Settings] as const)
      : path.startsWith(ACCESS_PATH)
        ? (['access', Access] as const)
        : (['account', Account] as const);
  return (
    <ShellPart key={key}>
      <Page />
    </ShellPart>
  );
}
