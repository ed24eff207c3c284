import { ALL_ACCOUNTS, type Answer } from '@pool/shared';
import { ACCOUNT_TABS, type AccountTab } from '@pool/shared/shell-pages';
import { Address, auditEntry, problem, renderPage, refusing, textsIn, type FakeAnswers } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import AccountPage from './account-page';
import { AccountPicker } from '../../layout/bar/account-picker';
import { type identity, inDays, open, ADDRESS, NEW_ADDRESS, WALLET, open as openAccount } from './testing/account';
import { PayoutPanels } from '@pool/shared/ui/payout';

test.each([
  ['wallets', '/payments/?tab=settings&account=barn'],
  ['webhooks/', '/account/api-keys?account=barn'],
])('%s, a tab of earlier releases, leads to where it is now', async (tab, path) => {
  const page = (
    <>
      <AccountPage />
      <Address />
    </>
  );
  await open(`${tab}?account=barn`, {}, { page });
  await waitFor(() => expect(document.querySelector('output')).toHaveTextContent(path));
});

test('a legacy user has no list of sub-accounts', async () => {
  await open('', {}, { session: { isLegacyUser: true } });
  expect(screen.queryByRole('link', { name: 'Sub-accounts' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Alerts' })).toBeVisible();
});

const ANSWERS = {
  'GET /watchers': [token('tablet')],
  'GET /apiKeys': [token('script')],
  'GET /webhooks': [
    { id: 1, url: 'https://hooks.example/in', events: [], stoppedAt: null, createdAt: '2026-01-01T00:00:00.000Z' },
  ],
  'GET /webhooks/{id}/deliveries': [],
  'GET /telegram/': [
    {
      id: 1,
      chatId: 7,
      username: 'north',
      language: 'en' as const,
      status: 'linked' as const,
      linkedAt: '2026-01-01T00:00:00.000Z',
      subAccountIds: [],
      events: [],
    },
  ],
};
function token(name: string) {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    id: 1,
    name,
    prefix: 'wt_12',
    scopes: ['hashrate' as const],
    createdAt: at,
    lastUsedAt: null,
    expiresAt: null,
  };
}

/** What each tab shows when it has loaded. */
const SHOWN: Partial<Record<AccountTab, string | RegExp>> = {
  profile: 'ops@northfield.example',
  'sub-accounts': 'barn',
  alerts: 'Many rejected shares',
  watchers: 'tablet',
  'api-keys': 'script',
  telegram: /@north/,
  log: 'Nothing yet',
};
/** Nothing of these writes: they copy, download, load more or show a picture. */
const READS = /copy|csv|download|notes?$/i;

describe("a user's account, looked at by an admin", () => {
  test.each(Object.entries(SHOWN))('%s: has what the user sees and nothing that writes', async (tab, text) => {
    const { api } = await open(tab === 'profile' ? '' : tab, ANSWERS, { readOnly: true });
    expect((await screen.findAllByText(text))[0]).toBeVisible();
    const buttons = screen
      .queryAllByRole('button', { hidden: false })
      .filter((button) => !button.hasAttribute('disabled'));
    expect(
      buttons
        .map((button) => button.getAttribute('aria-label') ?? button.textContent)
        .filter((name) => !READS.test(name ?? '')),
    ).toEqual([]);
    expect(document.querySelector('form')).toBeNull();
    for (const box of screen.queryAllByRole('checkbox')) expect(box).toBeDisabled();
    expect(api.calls.filter(({ call }) => !call.startsWith('GET '))).toEqual([]);
  });

  test('the sign-in is that of who is signed in: there is no tab of it', async () => {
    await open('', ANSWERS, { readOnly: true });
    const tabs = within(screen.getByRole('navigation')).getAllByRole('link');
    expect(tabs).toHaveLength(Object.keys(ACCOUNT_TABS).length - 1);
    expect(screen.queryByRole('link', { name: 'Security' })).toBeNull();
  });
});

describe('profile', () => {
  test('where the pool sends mail, an address is confirmed by code; a wrong one is said', async () => {
    const codes: string[] = [];
    let isConfirmed = false;
    const { user } = await open(
      '',
      {},
      {
        calls: {
          email: async () => ({ address: 'ops@northfield.example', isConfirmed }),
          enterEmailCode: async (code) => {
            codes.push(code);
            if (code !== '123456') throw problem(422, 'form_code_incorrect');
            isConfirmed = true;
          },
        },
        sendsMail: true,
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Confirm' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/A code was sent to ops@northfield\.example/)).toBeVisible();
    await user.type(dialog.getByLabelText('Code from the mail'), '000000{Enter}');
    expect(await dialog.findByText('This code is wrong, or was used already.')).toBeVisible();
    await user.clear(dialog.getByLabelText('Code from the mail'));
    await user.type(dialog.getByLabelText('Code from the mail'), '123456{Enter}');
    expect(await screen.findByText('Confirmed')).toBeVisible();
    expect(codes).toEqual(['000000', '123456']);
  });

  test('another address takes its place: the password, then the code that was mailed there', async () => {
    const sent: string[] = [];
    const { user } = await open(
      '',
      {},
      {
        calls: {
          email: async () => ({ address: sent[1] ?? 'ops@northfield.example', isConfirmed: true }),
          changeEmail: async (address) => {
            sent.push(address);
            if (sent.length === 1) throw problem(403, 'session_reverification_required');
          },
        },
        sendsMail: true,
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Change' }));
    const dialog = within(await screen.findByRole('dialog'));
    const send = dialog.getByRole('button', { name: 'Send code' });
    await user.type(dialog.getByLabelText('New e-mail address'), 'OPS@northfield.example');
    expect(send).toBeDisabled();
    await user.clear(dialog.getByLabelText('New e-mail address'));
    await user.type(dialog.getByLabelText('New e-mail address'), 'new@northfield.example');
    await user.click(send);
    await user.type(await screen.findByLabelText('Password'), 'secret');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    await user.type(await screen.findByLabelText('Code from the mail'), '123456{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText('new@northfield.example')).toBeVisible();
    expect(sent).toEqual(['new@northfield.example', 'new@northfield.example']);
  });

  test('says what keeps the account from being deleted', async () => {
    await open('', {
      'GET /account/closing': {
        obstacles: [
          { account: 'barn', obstacle: 'balance_not_zero' },
          { account: null, obstacle: 'last_admin' },
        ],
      },
    });
    const panel = within(await screen.findByRole('region', { name: 'Delete account' }));
    expect(textsIn(await panel.findAllByRole('listitem'))).toEqual([
      'barn: The balance has to be paid out first.',
      'You are the only administrator: appoint another first.',
    ]);
    expect(panel.queryByRole('button')).toBeNull();
  });

  test('deletes the account after its name was typed and the password given, then signs out', async () => {
    let asked = 0;
    const enterPassword = jest.fn(async () => 'complete' as const);
    const signOut = jest.fn(() => new Promise<void>(() => undefined));
    const { user } = await open(
      '',
      {
        'DELETE /account': () => {
          asked += 1;
          if (asked === 1) throw problem(403, 'reverification_required');
          return { deleted: true };
        },
      },
      { calls: { enterPassword, signOut } },
    );
    await user.click(await screen.findByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog'));
    const confirm = dialog.getByRole('button', { name: 'Delete account' });
    expect(confirm).toBeDisabled();
    await user.type(dialog.getByLabelText('Type northfield to confirm'), 'northfield');
    await user.click(confirm);
    await user.type(await screen.findByLabelText('Password'), 'secret');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(signOut).toHaveBeenCalled());
    expect([asked, enterPassword.mock.calls]).toEqual([2, [['secret']]]);
  });
});

describe('security', () => {
  test('says what two-step sign-in is, with a place for the form of the sign-in service', async () => {
    const { store } = await open('security');
    const panel = within(await screen.findByRole('region', { name: 'Two-step sign-in' }));
    expect(panel.getByText(/a code from an authenticator app/)).toBeVisible();
    expect(store.getSlot()).toMatchObject({ form: 'security' });
  });

  test('turns the hold for changes of upstream pools on, and off later; it can be kept on', async () => {
    const hold = { on: false, hours: 48, offAt: null, until: null, inForce: [] };
    const on = { ...hold, on: true };
    const { api, user } = await open('security', { 'GET /poolHold': hold, 'PUT /poolHold': on });
    const panel = within(await screen.findByRole('region', { name: 'Hold on upstream pool changes' }));
    expect(await panel.findByText(/take effect after 48 hours/)).toBeVisible();
    await user.click(panel.getByRole('button', { name: 'Turn on' }));
    api.answer({ 'PUT /poolHold': { ...on, offAt: inDays(2) } });
    await user.click(await panel.findByRole('button', { name: 'Turn off' }));
    expect(await panel.findByText(/The hold ends on .* left\)/)).toBeVisible();
    api.answer({ 'PUT /poolHold': on });
    await user.click(panel.getByRole('button', { name: 'Keep it on' }));
    expect(await panel.findByRole('button', { name: 'Turn off' })).toBeVisible();
    expect(api.sent('PUT /poolHold')).toEqual([true, false, true].map((each) => ({ body: { on: each } })));
  });

  test('changes the password at the sign-in service', async () => {
    const changePassword = jest.fn(async () => undefined);
    const { user } = await open('security', {}, { calls: { changePassword } });
    await user.type(await screen.findByLabelText('Current password'), 'old one');
    await user.type(screen.getByLabelText('New password'), 'a new one');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    await waitFor(() =>
      expect(changePassword).toHaveBeenCalledWith({ current: 'old one', next: 'a new one', signOutOthers: true }),
    );
    await waitFor(() => expect(screen.getByLabelText('New password')).toHaveValue(''));
  });

  test('sessions: this browser first; one of the others, or all of them, can be ended', async () => {
    const device = { browser: 'Firefox 140', device: 'Windows', address: '192.0.2.7', lastSeenAt: 1_700_000_000 };
    const devices = [
      { ...device, id: 's1', current: false },
      { ...device, id: 's2', current: true, browser: 'Chrome 156', device: 'Linux' },
      { ...device, id: 's3', current: false, browser: 'Safari 19', device: 'iPhone' },
      { ...device, id: 's4', current: false, browser: 'Safari 19', device: 'iPhone', lastSeenAt: 1_600_000_000 },
    ];
    const ended: string[] = [];
    const { user } = await open(
      'security',
      {},
      {
        calls: {
          devices: async () => devices.filter(({ id }) => !ended.includes(id)),
          signOutDevice: async (id) => void ended.push(id),
        },
      },
    );
    const table = await screen.findByRole('table', { name: 'Sessions' });
    expect(within(table).getAllByRole('row')[1]).toHaveTextContent('Chrome 156 · Linux This browser');
    expect(within(table).getAllByText(/Safari 19/)).toHaveLength(1);
    expect(within(table).getByText('2 sessions')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Sign out: Safari 19 iPhone' }));
    await waitFor(() => expect(screen.queryByText(/Safari/)).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Sign out all others' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out all others' }));
    await waitFor(() => expect(ended).toEqual(['s3', 's4', 's1']));
  });
});

describe('audit log', () => {
  test('shows own entries in words; the filter is in the URL', async () => {
    const { user, api } = await open('log?action=wallet&from=2026-11-01&to=nonsense', {
      'GET /audit': {
        rows: [auditEntry({ action: 'wallet.change', member: 'anna' }), auditEntry({ id: 2, action: 'something.new' })],
        total: 2,
        nextCursor: null,
      },
    });
    expect(await screen.findByText('Address changed')).toBeVisible();
    expect(screen.getByText('something.new')).toBeVisible();
    expect(screen.getByText('anna')).toBeVisible();
    expect(screen.getByLabelText('From (UTC)')).toHaveValue('1 Nov 2026');
    expect(api.sent('GET /audit')[0]).toMatchObject({
      query: { action: 'wallet', from: '2026-11-01', to: undefined, userName: 'northfield' },
    });
    await user.clear(screen.getByLabelText('From (UTC)'));
    await user.tab();
    await waitFor(() => expect(api.sent('GET /audit').at(-1)).toMatchObject({ query: { from: undefined } }));
  });
});

describe('sub-accounts', () => {
  const table = async () => within(await screen.findByRole('table', { name: 'Sub-accounts' }));

  test('lists hashrates, workers, balance, payout address and what ports are its own, and marks the primary', async () => {
    await open('sub-accounts');
    const rows = await table();
    const primary = within((await rows.findByText('northfield')).closest('tr') as HTMLElement);
    expect(primary.getByText('(Primary)')).toBeVisible();
    await waitFor(() => expect(primary.getByText(/21\.40/)).toBeVisible());
    expect(primary.getByText(/3\.10/)).toBeVisible();
    const barn = within(rows.getByText('barn').closest('tr') as HTMLElement);
    expect(await barn.findByText('SHA256 4001')).toBeVisible();
    expect(barn.queryByText('SCRYPT 3312')).toBeNull();
    expect(screen.getByText(/^Ports of the pool: .*SHA256 3311.* and .*SCRYPT 3312/)).toBeVisible();
    expect(await barn.findByRole('link', { name: 'No address yet' })).toHaveAttribute(
      'href',
      '/payments/?tab=settings&account=barn',
    );
    // The one port of an account without others speaks one algorithm.
    expect(rows.getByText('SHA256 4100')).toBeVisible();
    expect(rows.queryByText('SCRYPT 4100')).toBeNull();
  });

  test('all together are the sum of the rows, and a choice of the picker like each of them', async () => {
    const shown = /42\.80.PH\/s.*6\.20.TH\/s.*80.*4.*0\.02469134.BTC/;
    const { api, unmount } = await open('sub-accounts');
    await waitFor(() => expect(screen.getByText('All sub-accounts').closest('p')).toHaveTextContent(shown));
    unmount();
    const chooseAccount = jest.fn();
    const picker = (account: string) => (
      <AccountPicker
        account={account}
        userName="northfield"
        subAccounts={[{ name: 'northfield' }, { name: 'barn' }]}
        chooseAccount={chooseAccount}
      />
    );
    const { user, rerender } = await renderPage(picker('barn'), { api });
    await user.click(screen.getByRole('button', { name: 'Account: barn' }));
    const choices = await screen.findAllByRole('menuitemradio');
    expect(choices.map(({ textContent }) => textContent?.trim())).toEqual([
      'All sub-accounts',
      'northfield (Primary)',
      'barn',
    ]);
    await user.click(choices[0]!);
    expect(chooseAccount).toHaveBeenCalledWith(ALL_ACCOUNTS);
    rerender(picker(ALL_ACCOUNTS));
    await user.click(screen.getByRole('button', { name: 'Account: All sub-accounts' }));
    expect(await screen.findByRole('menuitemradio', { name: 'All sub-accounts' })).toBeChecked();
  });

  test('creates one, and refuses a malformed name without asking the server', async () => {
    const { user, api } = await open('sub-accounts', {
      'POST /subAccounts/': ({ body }) => ({ id: 9, name: body.name, ports: {}, proxyPort: null }),
    });
    await user.click(await screen.findByRole('button', { name: 'New sub-account' }));
    const name = await screen.findByLabelText('Name');
    await user.type(name, '1barn');
    await user.click(screen.getByRole('button', { name: 'Create sub-account' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('starting with a letter');
    expect(api.sent('POST /subAccounts/')).toEqual([]);
    await user.clear(name);
    await user.type(name, 'barn-2');
    await user.click(screen.getByRole('button', { name: 'Create sub-account' }));
    await waitFor(() => expect(api.sent('POST /subAccounts/')).toEqual([{ body: { name: 'barn-2' } }]));
    expect(await screen.findByText('Sub-account barn-2 created')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('button', { name: 'New sub-account' })).toHaveFocus());
  });

  test('is deleted after a confirmation; one that has to stay says why', async () => {
    const { user, api } = await open('sub-accounts', { 'DELETE /subAccounts/{id}': { deleted: true } });
    const rows = await table();
    await waitFor(() => expect(rows.getAllByText(/bc1q/)[0]).toBeVisible());
    await user.click(rows.getByRole('button', { name: 'Delete: shed' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('The balance has to be paid out first.')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(rows.getByRole('button', { name: 'Delete: barn' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(api.sent('DELETE /subAccounts/{id}')).toEqual([{ params: { id: 2 } }]));
    expect(rows.queryByRole('button', { name: 'Delete: northfield' })).toBeNull();
  });

  test('sets a miner password', async () => {
    const { user, api } = await open('sub-accounts', { 'PUT /minerPassword/': { passwordSet: true } });
    await user.click(await screen.findByRole('button', { name: 'Miner password: barn' }));
    const field = await screen.findByLabelText('New password');
    await user.type(field, 'short');
    expect(await screen.findByRole('alert')).toHaveTextContent('12 to 64');
    await user.click(screen.getByRole('button', { name: 'Generate' }));
    expect((field as HTMLInputElement).value).toMatch(/^[A-Za-z2-9]{20}$/);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(api.sent('PUT /minerPassword/')).toEqual([
        { query: { accountName: 'barn' }, body: { password: (field as HTMLInputElement).value } },
      ]),
    );
  });
});

describe('the payout address, which needs a recent sign-in', () => {
  const open = (answers: FakeAnswers = {}, calls: Parameters<typeof identity>[0] = {}) =>
    openAccount('', answers, { calls, page: <PayoutPanels account="northfield" /> });

  const HELD: Answer<'GET /wallet/'> = {
    btcAddress: NEW_ADDRESS,
    hold: { until: inDays(3), oldAddress: ADDRESS },
    history: [
      { id: 2, at: inDays(0), oldAddress: ADDRESS, newAddress: NEW_ADDRESS, effectiveAt: inDays(3), status: 'held' },
    ],
  };
  /** Whether the last sign-in is recent. */
  let recent: boolean;
  beforeEach(() => (recent = false));
  const CHANGE: FakeAnswers = {
    'PUT /wallet/': () => {
      if (!recent) throw problem(403, 'reverification_required');
      return HELD;
    },
  };
  const type = async (user: Awaited<ReturnType<typeof open>>['user'], address: string) => {
    await user.click(await screen.findByRole('button', { name: 'Change address' }));
    await user.type(await screen.findByLabelText('New bitcoin address'), address);
    await user.click(screen.getByRole('button', { name: 'Change address' }));
  };

  test('payouts that are held although the address is the same say so, without a change to cancel', async () => {
    await open({ 'GET /wallet/': { ...WALLET, hold: { until: inDays(3), oldAddress: null } } });
    expect(await screen.findByText(/^Nothing is paid out until .* The address is unchanged\.$/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /Cancel/ })).toBeNull();
  });

  test('a change takes a passkey in place of the password', async () => {
    const givePasskey = jest
      .fn<Promise<'complete' | false>, []>()
      .mockResolvedValueOnce(false)
      .mockImplementationOnce(async () => {
        recent = true;
        return 'complete';
      });
    const { user } = await open(CHANGE, { hasPasskey: () => true, givePasskey });
    await type(user, NEW_ADDRESS);
    // Cancelled on the device: the dialog stays.
    await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByText(/Nothing is paid out until/)).toBeVisible();
    expect(givePasskey).toHaveBeenCalledTimes(2);
  });

  test('a change asks for the password in place, keeps what was typed, and shows the hold', async () => {
    const enterPassword = jest.fn(async (password: string) => {
      if (password !== 'right') throw problem(422, 'form_password_incorrect');
      recent = true;
      return 'complete' as const;
    });
    const { user, api } = await open(CHANGE, { enterPassword });
    await type(user, NEW_ADDRESS);
    const password = await screen.findByLabelText('Password');
    await user.type(password, 'wrong{Enter}');
    expect(await screen.findByText('Wrong password.')).toBeVisible();
    expect(screen.getByLabelText('New bitcoin address')).toHaveValue(NEW_ADDRESS);
    await user.clear(password);
    await user.type(password, 'right{Enter}');
    expect(await screen.findByText(/Nothing is paid out until .* \(2 d 23 h left\)/)).toBeVisible();
    expect(api.sent('PUT /wallet/')).toEqual([
      { query: { accountName: 'northfield' }, body: { btcAddress: NEW_ADDRESS } },
      { query: { accountName: 'northfield' }, body: { btcAddress: NEW_ADDRESS } },
    ]);
    expect(screen.queryByLabelText('New bitcoin address')).toBeNull();
  });

  test('who set the address is said; setting it again confirms it', async () => {
    const { user, api } = await open({
      'GET /wallet/': { ...WALLET, setByAdmin: true },
      'PUT /wallet/': WALLET,
    });
    expect(await screen.findByText(/^An administrator set this address/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Confirm the address' }));
    expect(await screen.findByText('Address confirmed')).toBeVisible();
    expect(api.sent('PUT /wallet/')).toEqual([{ query: { accountName: 'northfield' }, body: { btcAddress: ADDRESS } }]);
    expect(screen.queryByText(/^An administrator set this address/)).toBeNull();
  });

  test('with two-step sign-in the dialog goes on to a code, and only then the change is sent again', async () => {
    const enterCode = jest.fn(async (code: string) => {
      if (code !== '123456') throw problem(422, 'form_code_incorrect');
      recent = true;
    });
    const { user, api } = await open(CHANGE, { enterPassword: async () => 'needs_code', enterCode });
    await type(user, NEW_ADDRESS);
    await user.type(await screen.findByLabelText('Password'), 'right{Enter}');
    const code = await screen.findByLabelText('Code');
    expect(code).toHaveFocus();
    expect(code).toHaveAccessibleDescription(/Six digits .* or one of your backup codes/);
    await user.type(code, '000000{Enter}');
    expect(await screen.findByText('This code is wrong, or was used already.')).toBeVisible();
    expect(api.sent('PUT /wallet/')).toHaveLength(1);
    await user.clear(code);
    await user.type(code, '123456{Enter}');
    expect(await screen.findByText(/Nothing is paid out until/)).toBeVisible();
    expect(api.sent('PUT /wallet/')).toHaveLength(2);
  });

  test('cancelling the password changes nothing and says so', async () => {
    const { user } = await open({
      'PUT /wallet/': refusing(403, 'reverification_required'),
    });
    await type(user, NEW_ADDRESS);
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Nothing was changed: it needs your password.')).toBeVisible();
    expect(screen.getByLabelText('New bitcoin address')).toHaveValue(NEW_ADDRESS);
  });

  test('a held change is counted down and can be cancelled; the history stays', async () => {
    const { user, api } = await open({
      'GET /wallet/': HELD,
      'DELETE /wallet/change': { ...WALLET, history: [{ ...HELD.history[0]!, status: 'cancelled' }] },
    });
    await user.click(await screen.findByRole('button', { name: 'Cancel the change' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel the change' }));
    await waitFor(() => expect(screen.queryByText(/Nothing is paid out until/)).toBeNull());
    expect(api.sent('DELETE /wallet/change')).toEqual([{ query: { accountName: 'northfield' } }]);
    await user.click(screen.getByText('1 change'));
    expect(await screen.findByText('Cancelled')).toBeVisible();
  });

  test('the first address is set without a hold', async () => {
    const { user, api } = await open({
      'GET /wallet/': { btcAddress: null, history: [] },
      'PUT /wallet/': WALLET,
    });
    await user.type(await screen.findByLabelText('Bitcoin address'), ` ${ADDRESS} `);
    await user.click(screen.getByRole('button', { name: 'Set address' }));
    expect(await screen.findByText('Address saved')).toBeVisible();
    expect(api.sent('PUT /wallet/')).toEqual([{ query: { accountName: 'northfield' }, body: { btcAddress: ADDRESS } }]);
  });
});
