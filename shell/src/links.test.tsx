/** Links and commands of the shell lead to existing pages, for each kind of user and each set of channels of a pool. */
import { createAbility, mayOpen, type Answer, type PublicConfig, type RemoteManifest } from '@pool/shared';
import { rulesFor, type AbilityFacts, type PoolAbility } from '@pool/shared/ability';
import { Slot } from '@pool/shared/remote';
import { useNavigate } from '@pool/shared/router';
import { isPublicPage } from '@pool/shared/public-pages';
import { isShellPage } from '@pool/shared/shell-pages';
import { fakeApi, jsonResponse, renderPage } from '@pool/shared/testing';
import { act, screen, waitFor } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { REMOTES } from '../../scripts/build/names';
import WatchPage from './public/watch/watch-page';
import { AuthContext, type IdentityConfig } from './auth/auth-provider';
import type { IdleFeaturesProps } from './commands/idle-features';
import { useCommands } from './commands/use-commands';
import { ANSWERS, identity, INFO } from './pages/account/testing/account';
import { remoteAt } from './remotes/registry';
import { SettingsProvider } from './settings/settings-context';
import { SignedIn } from './signed-in';

// Pages of remotes have their own links.
jest.mock('./remotes/remote-outlet', () => ({
  RemoteOutlet: () => (
    <>
      <h1>A remote</h1>
      <Slot place="worker" id={1} />
    </>
  ),
}));
globalThis.IntersectionObserver = class {
  observe() {}
  disconnect() {}
} as unknown as typeof IntersectionObserver;
// The federation runtime needs a page that was built.
jest.mock('./remotes/federation', () => ({ runningModule: () => null }));
jest.mock('./remotes/prefetch/use-press-remote', () => ({ usePressRemote: () => undefined }));
jest.mock('./live/use-live-events', () => ({ useLiveEvents: () => undefined }));
let go: (path: string) => void;
// The palette's pages, all as links.
jest.mock('./commands/idle-features', () => ({
  __esModule: true,
  default: function Pages(props: IdleFeaturesProps) {
    go = useNavigate();
    return useCommands('', { ...props, shown: 'palette', onShow: () => undefined })
      .filter(({ group }) => group === 'pages')
      .map(({ id }) => (
        <a key={id} href={id}>
          {id}
        </a>
      ));
  },
}));

const remotes = REMOTES.map((name) => ({
  ...(JSON.parse(readFileSync(`mfe-${name}/remote.json`, 'utf8')) as RemoteManifest),
  version: '1.0.0',
}));

/** Pages of the server. */
const SERVED = ['/', '/api/docs'];
const bare = (path: string) => path.replace(/\/$/, '');
/** Whether the shell shows something else than "Page not found" at an address of its own. */
function isPage(href: string, ability: PoolAbility): boolean {
  const { pathname, searchParams } = new URL(href, location.origin);
  const tab = searchParams.get('tab');
  const remote = remoteAt(pathname, remotes, ability);
  return (
    SERVED.includes(pathname) ||
    isShellPage(pathname, ability) ||
    (remote !== null && mayOpen(ability, remote, tab ? `${bare(pathname)}/?tab=${tab}` : pathname))
  );
}
const links = (): string[] => [
  ...new Set([...document.querySelectorAll('a[href^="/"]')].map((link) => link.getAttribute('href') ?? '')),
];

type Case = Partial<AbilityFacts> & { mail?: boolean; hosted?: boolean; twoStepRequired?: boolean; viewing?: string };
const member = (role: NonNullable<AbilityFacts['member']>['role'], more = {}) => ({
  member: { role, money: false, limited: false, ...more },
});
const CASES: Record<string, Case> = {
  'a miner': { mail: true },
  'without Telegram and mail, at the hosted sign-in service': { hasBot: false, hosted: true },
  'a legacy miner': { isLegacyUser: true },
  'an admin': { role: 'admin' },
  'an admin without two-step sign-in': { twoStepRequired: true },
  'a user whom an admin looks at': { readOnly: true, viewing: 'northfield' },
  'a manager': member('manager'),
  'a technician': member('technician'),
  'an accountant of one account': member('accountant', { limited: true }),
  'a viewer with money': member('viewer', { money: true }),
};

globalThis.reportError = (error) => {
  throw error;
};

test.each(Object.entries(CASES))('%s', async (_, { mail, hosted, twoStepRequired = false, viewing, ...facts }) => {
  const rules = rulesFor({ role: 'miner', isLegacyUser: false, ...facts }) as Answer<'GET /getUserInfo/'>['rules'];
  const ability = createAbility(rules as Parameters<typeof createAbility>[0]);
  const config = {
    identity: { signInUrl: '/sign-in', signUpUrl: '/sign-up', sendsMail: mail, proxyUrl: hosted ? undefined : '/x' },
    userId: 'user_1',
    remotes,
    supportEmail: 'help@pool.example',
  } as PublicConfig;
  const api = fakeApi({
    ...ANSWERS,
    'GET /getUserInfo/': { ...INFO, rules, twoStepRequired },
    'GET /notifications': { notifications: [], unread: 0 },
  } as Parameters<typeof fakeApi>[0]);
  const { user } = await renderPage(
    <AuthContext value={{ store: identity(), config: config.identity as IdentityConfig }}>
      <SettingsProvider>
        <SignedIn
          api={api}
          config={config}
          userId="user_1"
          viewing={viewing}
          onSignOut={viewing ? undefined : () => undefined}
        />
      </SettingsProvider>
    </AuthContext>,
    { path: '/dashboard/', api },
  );
  await screen.findByRole('heading', { name: 'A remote' });
  await waitFor(() => expect(links()).toContain('/pages/calculator'));
  await user.click(screen.getByRole('button', { name: /^Notifications/ }));
  await screen.findByText('Nothing yet');
  await user.click(screen.getByRole('button', { name: /User menu/ }));
  const inMenu = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(inMenu).toContain('Settings');
  const pages = links();
  for (const path of pages) {
    expect([path, isPage(path, ability)]).toEqual([path, true]);
    // Anybody's, with links to one another.
    if (isPublicPage(path) || SERVED.includes(path)) continue;
    await act(async () => go(path));
    expect([path, screen.queryByText('Page not found')]).toEqual([path, null]);
    for (const next of links()) if (!pages.includes(next)) pages.push(next);
  }
});

test('a watcher', async () => {
  for (const scopes of [['workers'], ['payments'], ['workers', 'payments']]) {
    const subjects = scopes.flatMap((scope) => (scope === 'workers' ? ['dashboard', 'workers'] : ['payments']));
    const rules = subjects.map((subject) => ({ action: 'read', subject }));
    const ability = createAbility(rules as Parameters<typeof createAbility>[0]);
    const shown = { userName: 'northfield', isLegacyUser: false, subAccounts: [], remotes, rules, expiresAt: null };
    globalThis.fetch = async () => jsonResponse(shown);
    const { unmount } = await renderPage(
      <SettingsProvider>
        <WatchPage config={{ supportEmail: 'help@pool.example' } as PublicConfig} />
      </SettingsProvider>,
      { path: scopes.includes('workers') ? '/workers/' : '/payments/' },
    );
    await waitFor(() => expect(links().length).toBeGreaterThan(3));
    expect(links().filter((path) => !isPage(path, ability))).toEqual([]);
    // Parts of remotes in its pages, as for everybody else.
    expect(screen.queryAllByRole('region', { name: 'Events' })).toHaveLength(scopes.includes('workers') ? 1 : 0);
    unmount();
  }
});
