/** The shell's pages behind sign-in, with the permission each needs; other paths are 404. */
import { allows, partsAt, type PoolAbility, type Rule } from '../contract/ability';
import type { RemoteManifest, SlotOffer } from '../contract';
import { isPublicPage } from './public-pages';

const account: Rule = { action: 'read', subject: 'account' };
const signedIn: Rule = { action: 'manage', subject: 'person' };

/** Tabs of `/account/`, in their order; the first is the page itself. */
export const ACCOUNT_TABS = {
  profile: account,
  'sub-accounts': { action: 'read', subject: 'sub-account-list' },
  alerts: { action: 'read', subject: 'person' },
  watchers: { action: 'read', subject: 'access' },
  'api-keys': { action: 'read', subject: 'webhooks' },
  telegram: { action: 'read', subject: 'telegram' },
  // The sign-in service has this only for who is signed in.
  security: signedIn,
  organization: { action: 'read', subject: 'organization' },
  log: { action: 'read', subject: 'log' },
} as const satisfies Record<string, Rule>;
export type AccountTab = keyof typeof ACCOUNT_TABS;

export const ACCOUNT_PATH = '/account';
export const accountPath = (tab: AccountTab): string =>
  tab === 'profile' ? `${ACCOUNT_PATH}/` : `${ACCOUNT_PATH}/${tab}`;

/** Where the tab of a remote's part is. */
export const partPath = (remote: string): string => `${ACCOUNT_PATH}/with/${remote}`;

/** What a remote brings to the account's page: a tab of its own. */
export type AccountPart = { manifest: RemoteManifest; offer: SlotOffer; path: string };

export const accountParts = (remotes: readonly RemoteManifest[], ability: PoolAbility): AccountPart[] =>
  partsAt('account', remotes, ability).map((part) => ({ ...part, path: partPath(part.manifest.name) }));

/** Where the tabs of earlier releases are now: bookmarks and mails name them. */
export const MOVED_PAGES: Readonly<Record<string, string>> = {
  '/account/wallets': '/payments/?tab=settings',
  '/account/webhooks': accountPath('api-keys'),
  '/account/sessions': accountPath('security'),
};

export const SETTINGS_PATH = '/pages/account-settings/account';
/** Where an invitation into an organization is accepted. */
export const INVITATION_PATH = '/invitation';
export const ACCESS_PATH = '/pages/access-control';

/** Pages beside the tabs of the account. */
const PAGES: Readonly<Record<string, Rule>> = {
  [SETTINGS_PATH]: { action: 'read', subject: 'settings' },
  [INVITATION_PATH]: signedIn,
  [ACCESS_PATH]: { action: 'read', subject: 'acl-page' },
  '/account/wallets': account,
  '/account/webhooks': account,
  '/account/sessions': signedIn,
};

const VIEW = /^\/view-as\/([a-z][a-z0-9_-]{2,31}(?:~[a-z][a-z0-9_-]{2,31})?)(?=\/|$)/;

/** `/view-as/<userName>`, of an organization's member `/view-as/<account>~<userName>`; null elsewhere. */
export function viewAt(path: string): { base: string; userName: string } | null {
  const [base, userName] = VIEW.exec(path) ?? [];
  return base && userName ? { base, userName } : null;
}
export const viewPath = (userName: string): string => `/view-as/${userName}/`;

/** Whether the shell has a page at `path`, with or without a slash at its end, that this user may see. */
export function isShellPage(path: string, ability: PoolAbility, remotes: readonly RemoteManifest[] = []): boolean {
  const bare = path.replace(/\/$/, '');
  if (isPublicPage(bare)) return true;
  const rule = PAGES[bare];
  if (rule) return allows(ability, rule);
  const tab = (Object.keys(ACCOUNT_TABS) as AccountTab[]).find((name) => accountPath(name).replace(/\/$/, '') === bare);
  if (tab) return allows(ability, ACCOUNT_TABS[tab]);
  return accountParts(remotes, ability).some((part) => part.path === bare);
}
