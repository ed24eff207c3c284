import type { Answer } from '@pool/shared';
import { fakeApi, problem, renderPage, type FakeAnswers, type RenderOptions } from '@pool/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import { AuthContext, type IdentityConfig } from '../../auth/auth-provider';
import { AuthStore, type AuthBackend } from '../../auth/auth-store';
import AccountPage from './account-page';

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const NEW_ADDRESS = 'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297';
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const USER: Answer<'GET /getUserInfo/'>['user'] = {
  id: 1,
  userName: 'northfield',
  email: 'ops@northfield.example',
  role: 'miner',
  isLegacyUser: false,
  createdAt: '2025-03-02T10:00:00.000Z',
};
const FACTS: Answer<'GET /subAccounts/facts'>[number] = {
  id: 1,
  hashrates: { SHA256_ASICBOOST: 21.4e15, SCRYPT: 3.1e12 },
  workersOnline: 40,
  workersOffline: 2,
  unpaidSat: 1_234_567,
  btcAddress: ADDRESS,
  heldUntil: null,
  minerPasswordSet: false,
  obstacle: 'primary_account',
};
const WALLET: Answer<'GET /wallet/'> = { btcAddress: ADDRESS, history: [] };
const ANSWERS: FakeAnswers = {
  'GET /getUserInfo/': { user: USER, role: 'miner', isLegacyUser: false, rules: [], unreadNotifications: 0 },
  'GET /subAccounts/': {
    user: USER,
    subAccounts: [
      { id: 1, name: 'northfield', ports: {}, proxyPort: null },
      { id: 2, name: 'barn', ports: { SHA256_ASICBOOST: 4001 }, proxyPort: null },
      { id: 3, name: 'shed', ports: {}, proxyPort: 4100 },
    ],
  },
  'GET /subAccounts/facts': [
    FACTS,
    {
      ...FACTS,
      id: 2,
      hashrates: {},
      workersOnline: 0,
      workersOffline: 0,
      unpaidSat: 0,
      btcAddress: null,
      obstacle: null,
    },
    { ...FACTS, id: 3, obstacle: 'balance_not_zero', heldUntil: inDays(2) },
  ],
  'GET /poolConnection': [
    { algorithm: 'SHA256_ASICBOOST', host: 'pool.example', port: 3311, tlsPort: null },
    { algorithm: 'SCRYPT', host: 'pool.example', port: 3312, tlsPort: null },
  ],
  'GET /wallet/': WALLET,
  'GET /watchers': [],
  'GET /apiKeys': [],
  'GET /telegram/': [],
  'GET /audit': { rows: [], total: 0, nextCursor: null },
};

function identity(calls: Partial<AuthBackend> = {}): AuthStore {
  const store = new AuthStore('__client_uat=1');
  store.connect('user_1', null, {
    getToken: async () => 'token',
    signOut: async () => undefined,
    devices: async () => [],
    signOutDevice: async () => undefined,
    enterPassword: async () => undefined,
    changePassword: async () => undefined,
    ...calls,
  });
  return store;
}

const open = (tab = '', more: FakeAnswers = {}, calls: Partial<AuthBackend> = {}, options: RenderOptions = {}) =>
  renderPage(
    <AuthContext value={{ store: identity(calls), config: {} as IdentityConfig }}>
      <AccountPage />
    </AuthContext>,
    { path: `/account/${tab}`, api: fakeApi({ ...ANSWERS, ...more }), ...options },
  );
const sent = (api: { calls: { call: string; options: unknown }[] }, call: string) =>
  api.calls.filter((each) => each.call === call).map(({ options }) => options);

test('tabs are links to paths; the shown one is marked', async () => {
  await open('wallets');
  const tabs = within(screen.getByRole('navigation', { name: 'Parts of the account' }));
  expect(tabs.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/account/',
    '/account/sub-accounts',
    '/account/wallets',
    '/account/api-keys',
    '/account/telegram',
    '/account/sessions',
    '/account/log',
  ]);
  expect(tabs.getByRole('link', { current: 'page' })).toHaveTextContent('Wallets');
});

test('a legacy user has no list of sub-accounts', async () => {
  await open('', {}, {}, { session: { isLegacyUser: true } });
  expect(screen.queryByRole('link', { name: 'Sub-accounts' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Wallets' })).toBeVisible();
});

describe('profile', () => {
  test('shows the user, and changes the password at the sign-in service', async () => {
    const changePassword = jest.fn(async () => undefined);
    const { user } = await open('', {}, { changePassword });
    expect(await screen.findByText('ops@northfield.example')).toBeVisible();
    expect(screen.getByText('2 Mar 2025')).toBeVisible();
    await user.type(await screen.findByLabelText('Current password'), 'old one');
    await user.type(screen.getByLabelText('New password'), 'a new one');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    await waitFor(() =>
      expect(changePassword).toHaveBeenCalledWith({ current: 'old one', next: 'a new one', signOutOthers: true }),
    );
    await waitFor(() => expect(screen.getByLabelText('New password')).toHaveValue(''));
  });

  test('a refused password says why and keeps the input', async () => {
    const { user } = await open(
      '',
      {},
      {
        changePassword: () => Promise.reject(problem(422, 'form_password_incorrect')),
      },
    );
    await user.type(await screen.findByLabelText('Current password'), 'x');
    await user.type(screen.getByLabelText('New password'), 'a new one');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This is not the password.');
    expect(screen.getByLabelText('New password')).toHaveValue('a new one');
  });
});

describe('sub-accounts', () => {
  const table = async () => within(await screen.findByRole('table', { name: 'Sub-accounts' }));

  test('lists hashrates, workers, balance and ports, and marks the primary', async () => {
    await open('sub-accounts');
    const rows = await table();
    const primary = within((await rows.findByText('northfield')).closest('tr') as HTMLElement);
    expect(primary.getByText('Primary')).toBeVisible();
    await waitFor(() => expect(primary.getByText(/21\.40/)).toBeVisible());
    expect(primary.getByText(/3\.10/)).toBeVisible();
    const barn = within(rows.getByText('barn').closest('tr') as HTMLElement);
    expect(await barn.findByText('SHA256 4001')).toBeVisible();
    expect(barn.getByText('SCRYPT 3312')).toBeVisible();
    expect(rows.getByText('SHA256 4100')).toBeVisible();
  });

  test('creates one, and refuses a malformed name without asking the server', async () => {
    const { user, api } = await open('sub-accounts', {
      'POST /subAccounts/': ({ body }) => ({ id: 9, name: body.name, ports: {}, proxyPort: null }),
    });
    const name = await screen.findByLabelText('Name');
    await user.type(name, '1barn');
    await user.click(screen.getByRole('button', { name: 'Create sub-account' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('starting with a letter');
    expect(sent(api, 'POST /subAccounts/')).toEqual([]);
    await user.clear(name);
    await user.type(name, 'barn-2');
    await user.click(screen.getByRole('button', { name: 'Create sub-account' }));
    await waitFor(() => expect(sent(api, 'POST /subAccounts/')).toEqual([{ body: { name: 'barn-2' } }]));
    expect(await screen.findByText('Sub-account barn-2 created')).toBeVisible();
    expect(name).toHaveValue('');
  });

  test('a taken name says so and stays in the field', async () => {
    const { user } = await open('sub-accounts', {
      'POST /subAccounts/': () => {
        throw problem(409, 'account_name_taken');
      },
    });
    await user.type(await screen.findByLabelText('Name'), 'taken');
    await user.click(screen.getByRole('button', { name: 'Create sub-account' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('That name is taken.');
    expect(screen.getByLabelText('Name')).toHaveValue('taken');
  });

  test('is deleted after a confirmation; one that has to stay says why', async () => {
    const { user, api } = await open('sub-accounts', { 'DELETE /subAccounts/{id}': { deleted: true } });
    const rows = await table();
    await user.hover(await rows.findByText('Cannot be deleted'));
    expect(await screen.findByRole('tooltip')).toHaveTextContent('There is money to be paid out first.');
    await user.click(rows.getByRole('button', { name: 'Delete: barn' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(sent(api, 'DELETE /subAccounts/{id}')).toEqual([{ params: { id: 2 } }]));
    expect(rows.queryByRole('button', { name: 'Delete: northfield' })).toBeNull();
  });

  test('sets a miner password', async () => {
    const { user, api } = await open('sub-accounts', { 'PUT /minerPassword/': { passwordSet: true } });
    await user.click(await screen.findByRole('button', { name: 'Miner password: barn' }));
    const field = await screen.findByLabelText('New password');
    await user.type(field, 'short');
    expect(await screen.findByRole('alert')).toHaveTextContent('12 to 64');
    await user.click(screen.getByRole('button', { name: 'Make a random one' }));
    expect((field as HTMLInputElement).value).toMatch(/^[A-Za-z2-9]{20}$/);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent(api, 'PUT /minerPassword/')).toEqual([
        { query: { accountName: 'barn' }, body: { password: (field as HTMLInputElement).value } },
      ]),
    );
  });
});

describe('wallet', () => {
  const HELD: Answer<'GET /wallet/'> = {
    btcAddress: NEW_ADDRESS,
    hold: { until: inDays(3), oldAddress: ADDRESS },
    history: [
      { id: 2, at: inDays(0), oldAddress: ADDRESS, newAddress: NEW_ADDRESS, effectiveAt: inDays(3), status: 'held' },
    ],
  };
  const type = async (user: Awaited<ReturnType<typeof open>>['user'], address: string) => {
    await user.click(await screen.findByRole('button', { name: 'Change address' }));
    await user.type(await screen.findByLabelText('New bitcoin address'), address);
    await user.click(screen.getByRole('button', { name: 'Change address' }));
  };

  test('a change asks for the password in place, keeps what was typed, and shows the hold', async () => {
    let recent = false;
    const enterPassword = jest.fn(async (password: string) => {
      if (password !== 'right') throw problem(422, 'form_password_incorrect');
      recent = true;
    });
    const { user, api } = await open(
      'wallets',
      {
        'PUT /wallet/': () => {
          if (!recent) throw problem(403, 'reverification_required');
          return HELD;
        },
      },
      { enterPassword },
    );
    await type(user, NEW_ADDRESS);
    const password = await screen.findByLabelText('Password');
    await user.type(password, 'wrong{Enter}');
    expect(await screen.findByText('This is not the password.')).toBeVisible();
    expect(screen.getByLabelText('New bitcoin address')).toHaveValue(NEW_ADDRESS);
    await user.clear(password);
    await user.type(password, 'right{Enter}');
    expect(await screen.findByText(/Nothing is paid out until .* \(2 d 23 h left\)/)).toBeVisible();
    expect(sent(api, 'PUT /wallet/')).toEqual([
      { query: { accountName: 'northfield' }, body: { btcAddress: NEW_ADDRESS } },
      { query: { accountName: 'northfield' }, body: { btcAddress: NEW_ADDRESS } },
    ]);
    expect(screen.queryByLabelText('New bitcoin address')).toBeNull();
  });

  test('cancelling the password changes nothing and says so', async () => {
    const { user } = await open('wallets', {
      'PUT /wallet/': () => {
        throw problem(403, 'reverification_required');
      },
    });
    await type(user, NEW_ADDRESS);
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Nothing was changed: it needs your password.')).toBeVisible();
    expect(screen.getByLabelText('New bitcoin address')).toHaveValue(NEW_ADDRESS);
  });

  test.each([
    ['address_checksum', /Its checksum does not match/],
    ['address_wrong_network', /not an address of the bitcoin main network/],
  ])('%s', async (code, text) => {
    const { user } = await open('wallets', {
      'PUT /wallet/': () => {
        throw problem(400, code);
      },
    });
    await type(user, 'bc1qwrong');
    expect(await screen.findByText(text)).toBeVisible();
  });

  test('a held change is counted down and can be cancelled; the history stays', async () => {
    const { user, api } = await open('wallets', {
      'GET /wallet/': HELD,
      'DELETE /wallet/change': { ...WALLET, history: [{ ...HELD.history[0]!, status: 'cancelled' }] },
    });
    await user.click(await screen.findByRole('button', { name: 'Cancel the change' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel the change' }));
    await waitFor(() => expect(screen.queryByText(/Nothing is paid out until/)).toBeNull());
    expect(sent(api, 'DELETE /wallet/change')).toEqual([{ query: { accountName: 'northfield' } }]);
    await user.click(screen.getByText('1 change'));
    expect(await screen.findByText('Cancelled')).toBeVisible();
  });

  test('the first address is set without a hold', async () => {
    const { user, api } = await open('wallets', {
      'GET /wallet/': { btcAddress: null, history: [] },
      'PUT /wallet/': WALLET,
    });
    await user.click(await screen.findByRole('button', { name: 'Set address' }));
    await user.type(await screen.findByLabelText('Bitcoin address'), ` ${ADDRESS} `);
    await user.click(screen.getByRole('button', { name: 'Set address' }));
    expect(await screen.findByText('Address saved')).toBeVisible();
    expect(sent(api, 'PUT /wallet/')).toEqual([
      { query: { accountName: 'northfield' }, body: { btcAddress: ADDRESS } },
    ]);
  });
});

describe('watcher links and API keys', () => {
  const TOKEN: Answer<'GET /watchers'>[number] = {
    id: 5,
    name: 'Investor',
    prefix: 'wt_Ab3dE',
    scopes: ['hashrate', 'earnings'],
    createdAt: '2026-01-02T03:04:05.000Z',
    expiresAt: '2026-02-02T03:04:05.000Z',
    lastUsedAt: null,
  };

  test('a new link is shown once with its QR code, and listed', async () => {
    const { user, api } = await open('watchers', { 'POST /watchers': { ...TOKEN, token: 'wt_secret' } });
    await user.type(await screen.findByLabelText('Name'), 'Investor');
    await user.click(screen.getByRole('checkbox', { name: 'Earnings' }));
    api.answer({ 'GET /watchers': [TOKEN] });
    await user.click(screen.getByRole('button', { name: 'Make link' }));
    expect(await screen.findByText('http://localhost/watch/wt_secret')).toBeVisible();
    expect(await screen.findByRole('img', { name: 'QR code of the watcher link' })).toBeInTheDocument();
    const [body] = sent(api, 'POST /watchers') as { body: { expiresAt: string } }[];
    expect(body).toMatchObject({ body: { name: 'Investor', scopes: ['hashrate', 'earnings'] } });
    expect(Math.round((Date.parse(body?.body.expiresAt ?? '') - Date.now()) / DAY_MS)).toBe(90);
    const list = within(await screen.findByRole('table', { name: 'Watcher links' }));
    expect(list.getByText(/2 Feb 2026/).closest('td')).toHaveTextContent('expired');
    await user.click(screen.getByRole('button', { name: 'I have it' }));
    expect(screen.queryByText(/wt_secret/)).toBeNull();
  });

  test('a link is revoked after a confirmation', async () => {
    const { user, api } = await open('watchers', {
      'GET /watchers': [TOKEN],
      'DELETE /watchers/{id}': { revoked: true },
    });
    await user.click(await screen.findByRole('button', { name: 'Revoke: Investor' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(sent(api, 'DELETE /watchers/{id}')).toEqual([{ params: { id: 5 } }]));
  });

  test('a key comes with a ready curl line, after the password where it is needed', async () => {
    let recent = false;
    const { user } = await open(
      'api-keys',
      {
        'POST /apiKeys': () => {
          if (!recent) throw problem(403, 'reverification_required');
          return { ...TOKEN, scopes: ['workers'], token: 'pk_secret' };
        },
      },
      {
        enterPassword: async () => {
          recent = true;
        },
      },
    );
    await user.type(await screen.findByLabelText('Name'), 'monitor');
    await user.click(screen.getByRole('button', { name: 'Make key' }));
    await user.type(await screen.findByLabelText('Password'), 'right{Enter}');
    expect(
      await screen.findByText("curl -H 'Authorization: Bearer pk_secret' http://localhost/api/liveWorkers/"),
    ).toBeVisible();
  });
});

describe('telegram', () => {
  const LINK: Answer<'POST /telegram/'> = {
    id: 7,
    token: 'tok',
    deepLink: 'https://t.me/pool_bot?start=tok',
    expiresAt: inDays(0.006),
  };
  const CHAT: Answer<'GET /telegram/'>[number] = {
    id: 7,
    chatId: 99,
    username: 'anna',
    language: 'en',
    status: 'linked',
    linkedAt: '2026-01-02T03:04:05.000Z',
    subAccountIds: [],
    events: ['offline', 'payment'],
  };

  test('the page shows by itself that the link was opened, and asks to confirm', async () => {
    const { user, api, services } = await open('telegram', {
      'POST /telegram/': LINK,
      'GET /telegram/auth': { state: 'waiting', username: null, expiresAt: LINK.expiresAt },
      'POST /telegram/auth': CHAT,
    });
    await user.click(await screen.findByRole('button', { name: 'Connect Telegram' }));
    expect(await screen.findByText(LINK.deepLink)).toBeVisible();
    expect(await screen.findByRole('img', { name: 'QR code of the link for Telegram' })).toBeInTheDocument();
    api.answer({ 'GET /telegram/auth': { state: 'started', username: 'anna', expiresAt: LINK.expiresAt } });
    await act(() => services.queryClient.refetchQueries({ queryKey: ['telegram', 'link'] }));
    expect(await screen.findByText('@anna has opened the link. Is it you?')).toBeVisible();
    api.answer({ 'GET /telegram/': [CHAT] });
    await user.click(screen.getByRole('button', { name: 'Yes, connect it' }));
    expect(await screen.findByRole('heading', { name: '@anna' })).toBeVisible();
    expect(sent(api, 'POST /telegram/auth')).toEqual([{ body: { token: 'tok' } }]);
  });

  test('events are ticked, a test is sent, the chat is unlinked', async () => {
    const { user, api } = await open('telegram', {
      'GET /telegram/': [CHAT],
      'PUT /telegram/{id}': ({ body }) => ({ ...CHAT, ...body }),
      'POST /telegram/{id}/test': { queued: true },
      'DELETE /telegram/{id}': { deleted: true },
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Daily digest' }));
    await waitFor(() =>
      expect(sent(api, 'PUT /telegram/{id}')).toEqual([
        { params: { id: 7 }, body: { events: ['offline', 'payment', 'digest'] } },
      ]),
    );
    expect(screen.getByRole('checkbox', { name: 'Daily digest' })).toBeChecked();
    await user.click(screen.getByRole('button', { name: 'Send a test message' }));
    expect(await screen.findByText('Test message sent')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Unlink' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Unlink' }));
    await waitFor(() => expect(sent(api, 'DELETE /telegram/{id}')).toHaveLength(1));
  });

  test('without a bot it says so', async () => {
    const { user } = await open('telegram', {
      'POST /telegram/': () => {
        throw problem(409, 'telegram_off');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Connect Telegram' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This pool has no Telegram bot.');
  });
});

test('sessions: this browser first; one of the others, or all of them, can be ended', async () => {
  const device = { browser: 'Firefox 140', device: 'Windows', address: '192.0.2.7', lastSeenAt: 1_700_000_000 };
  const devices = [
    { ...device, id: 's1', current: false },
    { ...device, id: 's2', current: true, browser: 'Chrome 156', device: 'Linux' },
    { ...device, id: 's3', current: false, browser: 'Safari 19', device: 'iPhone' },
  ];
  const ended: string[] = [];
  const { user } = await open(
    'sessions',
    {},
    {
      devices: async () => devices.filter(({ id }) => !ended.includes(id)),
      signOutDevice: async (id) => void ended.push(id),
    },
  );
  const table = await screen.findByRole('table', { name: 'Sessions' });
  expect(within(table).getAllByRole('row')[1]).toHaveTextContent('Chrome 156 · Linux This browser');
  await user.click(screen.getByRole('button', { name: 'Sign out: Safari 19 iPhone' }));
  await waitFor(() => expect(screen.queryByText(/Safari/)).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Sign out all others' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out all others' }));
  await waitFor(() => expect(ended).toEqual(['s3', 's1']));
});

describe('audit log', () => {
  const entry = (id: number, action: string): Answer<'GET /audit'>['rows'][number] => ({
    id,
    at: '2026-11-02T03:04:05.000Z',
    userName: 'northfield',
    action,
    subject: 'barn',
    before: null,
    after: { name: '=barn' },
    ip: '192.0.2.7',
  });

  test('shows own entries in words; the filter is in the URL', async () => {
    const { user, api } = await open('log?action=wallet&from=2026-11-01&to=nonsense', {
      'GET /audit': { rows: [entry(2, 'wallet.change'), entry(1, 'something.new')], total: 2, nextCursor: null },
    });
    expect(await screen.findByText('Address changed')).toBeVisible();
    expect(screen.getByText('something.new')).toBeVisible();
    expect(screen.getByLabelText('From (UTC)')).toHaveValue('2026-11-01');
    expect(sent(api, 'GET /audit')[0]).toMatchObject({
      query: { action: 'wallet', from: '2026-11-01', to: undefined, userName: 'northfield' },
    });
    await user.clear(screen.getByLabelText('From (UTC)'));
    await waitFor(() => expect(sent(api, 'GET /audit').at(-1)).toMatchObject({ query: { from: undefined } }));
  });

  test('an outage never shows an empty log', async () => {
    await open('log', {
      'GET /audit': () => {
        throw problem(503, 'server_error');
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('The pool could not answer');
    expect(screen.queryByText('Nothing yet')).toBeNull();
  });
});

test.each(['ru', 'fr', 'ar'] as const)('every tab in %s has all its texts', async (language) => {
  for (const tab of ['', 'sub-accounts', 'wallets', 'watchers', 'api-keys', 'telegram', 'sessions', 'log']) {
    const page = await open(tab, {}, {}, { language });
    await waitFor(() => expect(document.querySelector('[data-skeleton]')).toBeNull());
    expect(page.container.textContent).not.toMatch(/account\.[a-z]/);
    page.unmount();
  }
});
