import { ALL_ACCOUNTS, type Answer, type NavEntry, type Session } from '@pool/shared';
import { Address, fakeApi, renderPage, textsIn } from '@pool/shared/testing';
import { downloadCsv } from '@pool/shared/ui/core';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { SearchButton } from '../layout/bar/search-button';
import { remoteManifest } from '../remotes/testing/manifest';
import { SettingsProvider } from '../settings/settings-context';
import IdleFeatures from './idle-features';
import { found, rank } from './fuzzy';

jest.mock('../remotes/slots', () => ({ Slots: () => null }));
jest.mock('../auth', () => ({ useAuthState: () => ({}) }));
jest.mock('../live/use-live-events', () => ({ useLiveEvents: () => undefined }));
jest.mock('../client-errors/use-reporter', () => ({ useReporter: () => undefined }));
jest.mock('../remotes/prefetch/use-press-remote', () => ({ usePressRemote: () => () => Promise.resolve() }));

const LINKS: NavEntry[] = [
  { path: '/dashboard/', label: 'dashboard.nav', icon: 'dashboard', order: 1 },
  { path: '/workers/', label: 'workers.nav', icon: 'workers', order: 2 },
];
const REMOTE = remoteManifest('workers', {
  nav: LINKS.slice(1),
  opens: {
    worker: '/workers/{id}',
    group: '/workers/?group={id}',
    payout: '/payments/?payout={id}',
    user: '/admin/users?q={id}',
  },
  commands: [
    { path: '/workers/pools', label: 'workers.tab.pools' },
    { path: '/workers/x', label: 'workers.tab.connection', requires: { action: 'manage', subject: 'admin' } },
  ],
});
const WORKER = {
  id: 7,
  name: 'north.rig-7',
  group: 'Hall A',
  state: 'low',
} as Answer<'GET /liveWorkers/'>['workers'][number];

const ANNA = { id: 5, userName: 'anna', email: 'anna@example.com' } as Answer<'GET /users/'>['rows'][number];
const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

const place = () => screen.getByRole('status').textContent;

async function open(session: Partial<Session> = {}) {
  const chooseAccount = jest.fn();
  const page = await renderPage(
    <SettingsProvider>
      <Address />
      <input aria-label="field" />
      <SearchButton short={false} />
      <IdleFeatures
        links={LINKS}
        remotes={[REMOTE]}
        carried="?account=barn"
        subAccounts={['barn', 'northfield'].map((name, id) => ({ id, name, ports: {}, proxyPort: null }))}
        chooseAccount={chooseAccount}
        onSignOut={() => undefined}
        logsExports
      />
    </SettingsProvider>,
    {
      path: '/dashboard/',
      session,
      api: fakeApi({
        'POST /exports': { logged: true },
        'GET /getWorkerCount/': { online: 1, low: 0, offline: 1, inactive: 0, total: 2 },
        'GET /liveWorkers/': ({ query }) => ({
          workers: ['rig', 'hall -off'].includes(String(query?.search)) ? [WORKER] : [],
          counts: { online: 1, low: 0, offline: 0, inactive: 0, total: 1 },
          total: 1,
          nextCursor: null,
        }),
        'GET /workerGroups/': [
          { id: 3, name: 'Hall A', subAccountId: 1, workers: 4 },
          { id: 4, name: 'Hall B', subAccountId: 0, workers: 4 },
        ],
        'GET /users/': ({ query }) => ({
          rows: query?.search === 'anna' ? [ANNA] : [],
          total: 1,
          nextCursor: null,
        }),
        'GET /payoutSettings': { thresholdSat: 5_000_000 } as Answer<'GET /payoutSettings'>,
        'GET /wallet/': { btcAddress: ADDRESS, history: [] },
        'GET /paymentsHistory/': { kind: 'payouts', rows: [], total: 0, nextCursor: null, explorer: null },
      }),
    },
  );
  return { ...page, chooseAccount };
}
const options = () => textsIn(screen.getAllByRole('option'));

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
  Element.prototype.scrollIntoView = () => undefined;
});
beforeEach(() => localStorage.clear());

test('the palette opens with Ctrl+K, also in a field, and goes to a page by keyboard alone', async () => {
  const { user } = await open();
  await user.click(screen.getByLabelText('field'));
  await user.keyboard('{Control>}k{/Control}');
  const search = await screen.findByRole('combobox', { name: 'Command palette' });
  expect(search).toHaveFocus();
  expect(options().slice(0, 2)).toEqual(['Dashboard', 'Workers']);
  await user.keyboard('{ArrowDown}');
  // langflow-ai/langflow#1552
  fireEvent.keyDown(search, { key: 'Enter', isComposing: true });
  expect(search).toBeVisible();
  await user.keyboard('{Enter}');
  expect(place()).toBe('/workers/?account=barn');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test("the organization's log is told of a file that a page made", async () => {
  const { api } = await open();
  // The page gives the URL back after ten seconds, which is during another test.
  Object.assign(URL, { createObjectURL: () => 'blob:made', revokeObjectURL: () => undefined });
  downloadCsv('workers.csv', ['name'], [['rig']]);
  await waitFor(() => expect(api.sent('POST /exports')).toEqual([{ body: { file: 'workers.csv' } }]));
});

test('what was used last comes first; nothing of the user is remembered', async () => {
  const { user, chooseAccount } = await open();
  for (const typed of ['light', 'barn']) {
    await user.keyboard('{Meta>}k{/Meta}');
    await user.type(await screen.findByRole('combobox'), `${typed}{Enter}`);
  }
  expect(chooseAccount).toHaveBeenCalledWith('barn');
  expect(localStorage.getItem('user.recentCommands')).toBe('mode light');
  await user.keyboard('/');
  expect(within(await screen.findByRole('listbox')).getAllByRole('presentation')[0]).toHaveTextContent('Recent');
  expect(options()[0]).toBe('Theme: Light');
});

test.each<[string, RegExp, string[], string]>([
  ['rig', /north\.rig-7/, ['north.rig-7Hall A · Low · Workers'], '/workers/7'],
  ['hall -off', /north\.rig-7/, ['north.rig-7Hall A · Low · Workers'], '/workers/7'],
  ['down', /Offline/, ['Workers › Offline1 · Pages'], '/workers/?state=offline'],
  ['minimum payout', /BTC/, ['Payout threshold0.05 BTC · Settings'], '/payments/?tab=settings'],
  ['invite', /Organization/, ['Account › OrganizationPages'], '/account/organization'],
  ['gtzzwf5', new RegExp(ADDRESS), [`northfield · ${ADDRESS}Sub-accounts`], '/payments/?tab=settings'],
  ['hall', /^Hall [AB]/, ['Hall AGroups'], '/workers/?group=Hall+A'],
  ['pools', /Pools/, ['Workers › PoolsPages'], '/workers/pools'],
  ['anna', /anna@/, ['anna · anna@example.comUsers'], '/admin/users?q=anna'],
])('finds what the server and the manifests of remotes have: %s', async (typed, name, found, path) => {
  const { user } = await open();
  await user.keyboard('/');
  await user.type(await screen.findByRole('combobox'), typed);
  const option = await screen.findByRole('option', { name });
  expect(textsIn(screen.getAllByRole('option', { name }))).toEqual(found);
  await user.click(option);
  expect(place()?.replace(/[?&]account=barn/, '')).toBe(path);
});

test('while all sub-accounts are chosen, the groups of each are found', async () => {
  const { user } = await open({ account: ALL_ACCOUNTS });
  await user.keyboard('/');
  await user.type(await screen.findByRole('combobox'), 'hall');
  expect(await screen.findAllByRole('option', { name: /^Hall [AB]/ })).toHaveLength(2);
});

test('a page that a remote adds for admins alone is not offered to others', async () => {
  const { user } = await open();
  await user.keyboard('/');
  await user.type(await screen.findByRole('combobox'), 'connection');
  expect(screen.queryByRole('option', { name: /Workers › Connection/ })).toBeNull();
});

test('a Ctrl+K from before the palette was loaded opens it', async () => {
  document.documentElement.dataset.palette = 'wanted';
  const { user } = await open();
  expect(await screen.findByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await user.keyboard('{Escape}');
  expect(document.documentElement.dataset.palette).toBe('ready');
});

// silverbulletmd/silverbullet#1911, RocketChat/Rocket.Chat#25037
test.each([
  ['Russian', 'л', 'е'],
  ['Arabic', 'ن', 'ف'],
])('keys are found on a %s layout', async (_, k, t) => {
  await open();
  fireEvent.keyDown(document.body, { key: t, code: 'KeyT' });
  expect(localStorage.getItem('settings')).toContain('"mode":"light"');
  fireEvent.keyDown(document.body, { key: k, code: 'KeyK', ctrlKey: true });
  expect(await screen.findByRole('dialog')).toBeVisible();
});

test('a form that the browser fills in has keys without a name', async () => {
  await open();
  const failed = jest.fn();
  window.addEventListener('error', failed);
  fireEvent(document.body, new Event('keydown', { bubbles: true }));
  window.removeEventListener('error', failed);
  expect(failed).not.toHaveBeenCalled();
});

test('single keys: not while typing, and not when they are turned off in the list of shortcuts', async () => {
  const { user } = await open();
  await user.type(screen.getByLabelText('field'), '2?/');
  expect(screen.getByLabelText('field')).toHaveValue('2?/');
  expect(screen.queryByRole('dialog')).toBeNull();
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('2');
  expect(place()).toBe('/workers/?account=barn');
  await user.keyboard('?');
  await user.click(await screen.findByRole('switch', { name: 'Single-key shortcuts' }));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.keyboard('1?');
  expect(place()).toBe('/workers/?account=barn');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('dialog')).toBeVisible();
  await waitFor(() => expect(JSON.parse(localStorage.getItem('settings') ?? '')).toMatchObject({ singleKeys: false }));
});

const labels = (items: string[], search: string) =>
  found(
    items.map((label) => ({ label })),
    search,
  ).map(({ label }) => label);

test('letters in their order match; words that start with them come first', () => {
  expect(labels(['Sign out', 'Settings', 'Dashboard'], 'st')).toEqual(['Settings', 'Sign out']);
  expect(labels(['Workers', 'Dark', 'Dashboard'], 'da')).toEqual(['Dark', 'Dashboard']);
  expect(labels(['north.rig-12', 'north.rig-1', 'south.rig-1'], 'rig1')).toEqual([
    'north.rig-1',
    'south.rig-1',
    'north.rig-12',
  ]);
});

test('case and accents do not matter; what has not all letters is left out', () => {
  expect(labels(['Réglages', 'Paiements'], 'REG')).toEqual(['Réglages']);
  expect(rank('Workers', 'xyz')).toBeNull();
});

test('what people call it is found before letters that are far apart, in any order of words', () => {
  const items = [
    { label: 'Status of an exchange' },
    { label: 'Statement', words: 'yearly income tax' },
    { label: 'rig-7', found: true },
  ];
  const of = (search: string) => found(items, search).map(({ label }) => label);
  expect(of('tax')).toEqual(['Statement', 'Status of an exchange', 'rig-7']);
  expect(of('tax income')).toEqual(['Statement', 'rig-7']);
});

test('nothing typed: everything, in its order', () => {
  expect(labels(['b', 'a'], ' ')).toEqual(['b', 'a']);
});
