import type { Answer } from '@pool/shared';
import { contract } from '@pool/shared/api/contract';
import { keepsNames, problem } from '@pool/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import { createHash, webcrypto } from 'node:crypto';
import { TextEncoder } from 'node:util';
import type { Organization } from './organization/queries';
import { ADDRESS, INFO, inDays, NEW_ADDRESS, open } from './testing/account';
import { SAMPLES } from './tokens/samples';

const HOOK: Answer<'GET /webhooks'>[number] = {
  id: 3,
  url: 'https://hooks.example/in',
  events: ['offline'],
  stoppedAt: null,
  createdAt: '2026-01-02T03:04:05.000Z',
};

describe('alerts', () => {
  const SETTING: Answer<'GET /alerts'> = { mailEvents: ['offline'], quiet: null };

  test('each kind is chosen for each channel; what concerns security is fixed', async () => {
    const { user, api } = await open(
      'alerts',
      {
        'GET /alerts': SETTING,
        'PUT /alerts': ({ body }) => body,
        'GET /webhooks': [HOOK],
        'PUT /webhooks/{id}': HOOK,
      },
      { sendsMail: true },
    );
    expect(await screen.findByRole('checkbox', { name: 'E‑mail: Workers offline' })).toBeChecked();
    const wallet = screen.getByRole('checkbox', { name: 'E‑mail: Payout address changes' });
    expect(wallet).toBeChecked();
    expect(wallet).toBeDisabled();
    expect(screen.getByText(/^All alerts also appear under the bell/)).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'E‑mail: Payments' }));
    await waitFor(() =>
      expect(api.sent('PUT /alerts')).toEqual([{ body: { mailEvents: ['offline', 'payment'], quiet: null } }]),
    );
    await user.click(await screen.findByRole('checkbox', { name: /hooks\.example.*: Daily digest/ }));
    await waitFor(() =>
      expect(api.sent('PUT /webhooks/{id}')).toEqual([
        { params: { id: 3 }, body: { url: HOOK.url, events: ['offline', 'digest'] } },
      ]),
    );
  });

  test('one click turns on the best channel for a machine that stops, until one has it', async () => {
    const { user, api } = await open(
      'alerts',
      { 'GET /alerts': { mailEvents: ['payment'], quiet: null }, 'PUT /alerts': ({ body }) => body },
      { sendsMail: true },
    );
    const button = await screen.findByRole('button', { name: 'Alert me when a machine stops (E‑mail)' });
    api.answer({ 'GET /alerts': SETTING });
    await user.click(button);
    await waitFor(() =>
      expect(api.sent('PUT /alerts')).toEqual([
        { body: { mailEvents: ['offline', 'recovered', 'payment'], quiet: null } },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Tell me/ })).toBeNull());
  });

  test('without a channel that can be chosen there is no table', async () => {
    await open('alerts');
    expect(await screen.findByText(/^All alerts also appear under the bell/)).toBeVisible();
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  test('quiet hours are saved with the time zone of the browser, and ended', async () => {
    const { user, api } = await open('alerts', { 'GET /alerts': SETTING, 'PUT /alerts': ({ body }) => body });
    await user.click(await screen.findByRole('combobox', { name: 'From' }));
    await user.click(await screen.findByText('00:30'));
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    await user.type(screen.getByRole('spinbutton', { name: 'PH/s' }), '40');
    const unless = { workers: null, percent: null, hashrate: 4e16 };
    const saved = { ...SETTING, quiet: { from: 30, to: 420, timeZone, unless } };
    api.answer({ 'GET /alerts': saved });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(`From 00:30 to 07:00 (${timeZone})`)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Turn off quiet hours' }));
    await waitFor(() => expect(api.sent('PUT /alerts')).toEqual([{ body: saved }, { body: SETTING }]));
  });

  test('quiet hours of a browser that does not know its zone are those of UTC', async () => {
    jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ timeZone: 'Etc/Unknown' } as never);
    const { user, api } = await open('alerts', { 'PUT /alerts': ({ body }) => body });
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.sent('PUT /alerts')).toMatchObject([{ body: { quiet: { timeZone: 'UTC' } } }]));
  });

  test('the limit of a whole account is set and removed', async () => {
    const { user, api } = await open('alerts', {
      'GET /accountLimits': [{ account: 'barn', algorithm: 'SCRYPT', hashrate: 3e12 }],
      'PUT /accountLimits': [],
    });
    await user.click(await screen.findByRole('button', { name: 'Remove: barn · SCRYPT' }));
    await user.type(screen.getByRole('textbox', { name: 'Limit' }), '18 PH/s{Enter}');
    await waitFor(() =>
      expect(api.sent('PUT /accountLimits')).toEqual([
        { body: { account: 'barn', algorithm: 'SCRYPT', hashrate: null } },
        { body: { account: 'northfield', algorithm: 'SHA256_ASICBOOST', hashrate: 1.8e16 } },
      ]),
    );
  });

  describe('this browser', () => {
    const ENDPOINT = 'https://push.example/1';
    /** SHA-256 of the endpoint, as the server names it. */
    const NAME = createHash('sha256').update(ENDPOINT).digest('base64url');
    const own = {
      endpoint: ENDPOINT,
      toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } }),
      unsubscribe: async () => Boolean((current = null)),
    };
    let current: typeof own | null;
    /** The parts of a browser that jsdom has not. */
    function browser(permission: NotificationPermission) {
      current = null;
      const pushManager = {
        getSubscription: async () => current,
        subscribe: async () => (current = own),
      };
      const serviceWorker = { getRegistration: async () => ({ pushManager }) };
      Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
      Object.assign(globalThis, { Notification: { permission, requestPermission: async () => 'granted' } });
      Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true });
      Object.assign(globalThis, { TextEncoder });
    }
    afterEach(() => {
      Reflect.deleteProperty(navigator, 'serviceWorker');
      Reflect.deleteProperty(globalThis, 'Notification');
    });

    test('is subscribed with the first event, and ended with the last', async () => {
      browser('default');
      const { user, api } = await open('alerts', {
        'GET /push': { publicKey: 'key', subscriptions: [] },
        'POST /push': { id: 4, browser: NAME, events: ['offline'] },
        'DELETE /push/{id}': { deleted: true },
      });
      const box = await screen.findByRole('checkbox', { name: 'This browser: Workers offline' });
      expect(box).not.toBeChecked();
      api.answer({ 'GET /push': { publicKey: 'key', subscriptions: [{ id: 4, browser: NAME, events: ['offline'] }] } });
      await user.click(box);
      await waitFor(() =>
        expect(api.sent('POST /push')).toEqual([
          { body: { ...own.toJSON().keys, endpoint: ENDPOINT, language: 'en', events: ['offline'] } },
        ]),
      );
      await waitFor(() => expect(box).toBeEnabled());
      await waitFor(() => expect(box).toBeChecked());
      await user.click(box);
      await waitFor(() => expect(api.sent('DELETE /push/{id}')).toEqual([{ params: { id: 4 } }]));
      expect(current).toBeNull();
    });

    test('that forbids notifications says so', async () => {
      browser('denied');
      await open('alerts', { 'GET /push': { publicKey: 'key', subscriptions: [] } });
      expect(await screen.findByText(/This browser blocks notifications/)).toBeVisible();
      // Without mail too, what is left is named.
      const left = within(screen.getByText(/^While this page is open you see alerts at once/));
      expect(left.getByRole('link', { name: 'API and webhooks' })).toHaveAttribute('href', '/account/api-keys');
      expect(screen.queryByRole('checkbox', { name: /^This browser/ })).toBeNull();
    });

    test('is not offered by a pool that pushes nothing', async () => {
      browser('default');
      await open('alerts');
      await screen.findByText(/^All alerts also appear under the bell/);
      expect(screen.queryByRole('checkbox', { name: /^This browser/ })).toBeNull();
    });
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
    expect(await screen.findByText('\u2068@anna\u2069 has opened the link. Is it you?')).toBeVisible();
    api.answer({ 'GET /telegram/': [CHAT] });
    await user.click(screen.getByRole('button', { name: 'Yes, connect it' }));
    expect(await screen.findByRole('heading', { name: /@anna/ })).toBeVisible();
    expect(api.sent('POST /telegram/auth')).toEqual([{ body: { token: 'tok' } }]);
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
      expect(api.sent('PUT /telegram/{id}')).toEqual([
        { params: { id: 7 }, body: { events: ['offline', 'payment', 'digest'] } },
      ]),
    );
    expect(screen.getByRole('checkbox', { name: 'Daily digest' })).toBeChecked();
    await user.click(screen.getByRole('button', { name: 'Send a test message' }));
    expect(await screen.findByText('Test message sent')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Unlink' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Unlink' }));
    await waitFor(() => expect(api.sent('DELETE /telegram/{id}')).toHaveLength(1));
  });
});

describe('webhooks', () => {
  const DELIVERY: Answer<'GET /webhooks/{id}/deliveries'>[number] = {
    id: 'msg_7',
    state: 'waiting',
    attempts: 2,
    request: '{"type":"worker_offline","data":{"worker":"rig1"}}',
    answer: { status: 503, body: 'busy', ms: 12 },
    error: '503',
    createdAt: '2026-01-02T03:04:05.000Z',
    nextAt: '2026-01-02T03:05:05.000Z',
  };

  test('the first one is made; its secret is shown once', async () => {
    const { user, api } = await open('api-keys', {
      'POST /webhooks': { ...HOOK, secret: 'whsec_abc' },
      'GET /webhooks/{id}/deliveries': [],
    });
    await user.click(await screen.findByRole('button', { name: 'New webhook' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Create webhook' })).toBeDisabled();
    await user.type(dialog.getByLabelText('Address'), HOOK.url);
    await user.click(dialog.getByRole('checkbox', { name: 'Payments' }));
    api.answer({ 'GET /webhooks': [HOOK] });
    await user.click(dialog.getByRole('button', { name: 'Create webhook' }));
    expect(await screen.findByText('whsec_abc')).toBeVisible();
    expect(api.sent('POST /webhooks')).toEqual([
      { body: { url: HOOK.url, events: ['offline', 'recovered', 'payment', 'wallet'] } },
    ]);
    await user.click(screen.getByRole('button', { name: 'Done, I saved the secret' }));
    expect(await screen.findByRole('heading', { name: HOOK.url })).toBeVisible();
    expect(screen.getByText(/Send a test to see/)).toBeVisible();
  });

  test('an address keeps its signs at its end in Arabic', () =>
    keepsNames(
      { 'GET /webhooks': [{ ...HOOK, url: `${HOOK.url}=.` }], 'GET /webhooks/{id}/deliveries': [DELIVERY] },
      HOOK.url,
      (odd) => open('api-keys', odd, { language: 'ar' }),
    ));

  test('a test is sent, and the log has what was sent and answered', async () => {
    const { user, api } = await open('api-keys', {
      'GET /webhooks': [HOOK],
      'GET /webhooks/{id}/deliveries': [],
      'POST /webhooks/{id}/test': { queued: true },
      'DELETE /webhooks/{id}': { deleted: true },
    });
    await screen.findByText(/Send a test to see/);
    api.answer({ 'GET /webhooks/{id}/deliveries': [DELIVERY] });
    await user.click(screen.getByRole('button', { name: 'Send a test' }));
    await user.click(await screen.findByText('worker_offline'));
    expect(screen.getByText(DELIVERY.request)).toBeVisible();
    expect(screen.getByText('Answer, status 503')).toBeVisible();
    expect(screen.getByText('busy')).toBeVisible();
    expect(api.sent('POST /webhooks/{id}/test')).toEqual([{ params: { id: 3 } }]);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(api.sent('DELETE /webhooks/{id}')).toHaveLength(1));
  });

  test('a stopped one says why', async () => {
    await open('api-keys', {
      'GET /webhooks': [{ ...HOOK, stoppedAt: '2026-01-02T03:04:05.000Z' }],
      'GET /webhooks/{id}/deliveries': [],
    });
    expect(await screen.findByText(/the address answered 410/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send a test' })).toBeDisabled();
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
    await user.click(await screen.findByRole('button', { name: 'New watcher link' }));
    await user.type(await screen.findByLabelText('Name'), 'Investor');
    await user.click(screen.getByRole('checkbox', { name: 'Earnings' }));
    api.answer({ 'GET /watchers': [TOKEN] });
    await user.click(screen.getByRole('button', { name: 'Create link' }));
    expect(await screen.findByText('http://localhost/watch/wt_secret')).toBeVisible();
    expect(await screen.findByRole('img', { name: 'QR code of the watcher link' })).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: /^Copy/ })).toHaveFocus());
    const [body] = api.sent('POST /watchers') as { body: { expiresAt: string } }[];
    expect(body).toMatchObject({ body: { name: 'Investor', scopes: ['hashrate', 'earnings'] } });
    expect(Math.round((Date.parse(body?.body.expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(90);
    const list = within(await screen.findByRole('table', { name: 'Watcher links' }));
    expect(list.getByText(/2 Feb 2026/).closest('td')).toHaveTextContent('expired');
    await user.click(screen.getByRole('button', { name: 'Done, I saved it' }));
    expect(screen.queryByText(/wt_secret/)).toBeNull();
  });

  test.each([
    ['watchers', 'GET /watchers'],
    ['api-keys', 'GET /apiKeys'],
  ] as const)('names of %s keep their signs at their end in Arabic', (tab, call) =>
    keepsNames({ [call]: [TOKEN] }, TOKEN.name, (odd) => open(tab, odd, { language: 'ar' })),
  );

  test('a link is revoked after a confirmation', async () => {
    const { user, api } = await open('watchers', {
      'GET /watchers': [TOKEN],
      'DELETE /watchers/{id}': { revoked: true },
    });
    await user.click(await screen.findByRole('button', { name: 'Revoke: Investor' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(api.sent('DELETE /watchers/{id}')).toEqual([{ params: { id: 5 } }]));
  });

  test('a key comes with a ready curl line', async () => {
    const { user } = await open('api-keys', { 'POST /apiKeys': { ...TOKEN, scopes: ['workers'], token: 'pk_secret' } });
    await user.click(await screen.findByRole('button', { name: 'New API key' }));
    await user.type(await screen.findByLabelText('Name'), 'monitor');
    await user.click(screen.getByRole('button', { name: 'Create key' }));
    expect(
      await screen.findByText("curl -H 'Authorization: Bearer pk_secret' http://localhost/api/liveWorkers/"),
    ).toBeVisible();
  });
});

test('samples call what an API key may call, and read fields that the answers have', () => {
  const text = Object.values(SAMPLES)
    .map((sample) => sample('https://pool.example'))
    .join('\n');
  const calls = [...text.matchAll(/(?:\/api|pool\(")(\/\w+\/)/g)].map(([, path]) => `GET ${path}` as const);
  expect(new Set(calls)).toEqual(new Set(['GET /getLiveHashrates/', 'GET /getWorkerCount/', 'GET /payment/']));
  for (const call of calls) expect(contract[call as 'GET /payment/'].who).toBe('watcher');
  expect(Object.keys(contract['GET /getLiveHashrates/'].response.shape)).toContain('h1');
  expect(Object.keys(contract['GET /getWorkerCount/'].response.shape)).toContain('total');
  expect(Object.keys(contract['GET /payment/'].response.shape)).toContain('unpaidSat');
});

describe('an organization', () => {
  const MEMBER: Organization['members'][number] = {
    id: 1,
    userName: 'anna',
    email: 'anna@farm.example',
    role: 'owner',
    money: false,
    accounts: null,
    own: true,
    since: '2026-01-02T03:04:05.000Z',
    removalAt: null,
  };
  const FARM: Organization = {
    id: 'org_1',
    name: 'Northfield Mining',
    secondOwner: true,
    requests: [],
    members: [
      MEMBER,
      { ...MEMBER, id: 2, userName: 'boris', email: null, role: 'technician', accounts: ['barn'], own: false },
      { ...MEMBER, id: 3, userName: 'clara', role: 'owner', own: false, removalAt: '2026-12-01T10:00:00.000Z' },
    ],
    invitations: [
      {
        id: 'orginv_1',
        email: 'd@farm.example',
        role: 'viewer',
        money: true,
        accounts: null,
        expiresAt: '2026-12-03T10:00:00.000Z',
      },
    ],
  };

  test('an account says what becomes of it, becomes an organization, and its maker goes on where others are invited', async () => {
    const { user, api, store } = await open('organization', {
      'GET /organization': { organization: null, ownName: 'northfield-2' },
      'POST /organization': { id: 'org_1' },
    });
    const actIn = jest.spyOn(store, 'actIn').mockResolvedValue();
    const name = await screen.findByLabelText('Name of the organization');
    expect(await screen.findByText(/northfield, barn, and shed.* with all workers/)).toBeVisible();
    expect(screen.getByText(/northfield-2, new and empty/)).toBeVisible();
    await user.type(name, ' Northfield Mining {Enter}');
    const question = await screen.findByRole('dialog', { name: 'Make an organization of this account?' });
    expect(question).toHaveTextContent('This cannot be undone');
    await user.click(within(question).getByRole('button', { name: 'Make an organization' }));
    await waitFor(() => expect(actIn).toHaveBeenCalledWith('org_1', '/account/organization'));
    expect(api.sent('POST /organization')).toEqual([{ body: { name: 'Northfield Mining' } }]);
  });

  test('in it, the profile is the person, and only the organization itself is deleted from its page', async () => {
    const member = { userName: 'anna', organizationId: 'org_1', role: 'owner', money: false, limited: false } as const;
    const info = {
      ...INFO,
      person: { ...INFO.user, id: 2, userName: 'anna', email: 'anna@farm.example' },
      member,
      organizations: [{ id: 'org_1', name: 'Northfield Mining', accounts: ['northfield'] }],
    };
    const answers = { 'GET /getUserInfo/': info, 'GET /organization': { organization: FARM } };
    const { user, store, unmount } = await open('', answers);
    const actIn = jest.spyOn(store, 'actIn').mockResolvedValue();
    expect(await screen.findByText('anna@farm.example')).toBeVisible();
    expect(screen.getByText('anna')).toBeVisible();
    const place = screen.getByText('Northfield Mining').closest('dd');
    await waitFor(() => expect(place).toHaveTextContent('Northfield Mining · Owner'));
    expect(screen.queryByText('northfield')).toBeNull();
    expect(screen.queryByText('Delete account')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Go to my own account' }));
    expect(actIn).toHaveBeenCalledWith(null, '/account/');
    unmount();
    await open('organization', answers);
    expect(await screen.findByRole('button', { name: 'Delete the organization' })).toBeVisible();
  });

  test('members with their roles; one is limited, removed, kept', async () => {
    const answer = { organization: FARM };
    const { user, api } = await open('organization', {
      'GET /organization': answer,
      'PUT /organization/members/{id}': answer,
      'DELETE /organization/members/{id}': answer,
      'DELETE /organization/members/{id}/removal': answer,
    });
    const members = within(await screen.findByRole('table', { name: 'Members' }));
    expect(members.getByText('Only barn')).toBeVisible();
    expect(members.getByText(/Is removed on/)).toBeVisible();
    expect(members.queryByRole('button', { name: 'Remove: anna' })).toBeNull();

    await user.click(members.getByRole('button', { name: 'Change role: boris' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('checkbox', { name: 'barn' }));
    await user.click(dialog.getByRole('checkbox', { name: 'shed' }));
    await user.click(dialog.getByRole('button', { name: 'Change role' }));
    const body = { role: 'technician', money: false, accounts: ['shed'] };
    await waitFor(() => expect(api.sent('PUT /organization/members/{id}')).toEqual([{ params: { id: 2 }, body }]));

    await user.click(await members.findByRole('button', { name: 'Remove: boris' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(api.sent('DELETE /organization/members/{id}')).toEqual([{ params: { id: 2 } }]));
    await user.click(members.getByRole('button', { name: 'Keep' }));
    await waitFor(() => expect(api.sent('DELETE /organization/members/{id}/removal')).toEqual([{ params: { id: 3 } }]));
  });

  test('an invitation by link is shown once; a refused one says why', async () => {
    const link = 'https://pool.example/invitation#secret';
    const { user, api } = await open('organization', {
      'GET /organization': { organization: FARM },
      'POST /organization/invitations': { organization: FARM, link },
      'DELETE /organization/invitations/{id}': () => {
        throw problem(409, 'invitation_used');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Invite a person' }));
    await user.click(await screen.findByRole('button', { name: 'Make a link' }));
    expect(await screen.findByText(link)).toBeVisible();
    const body = { role: 'technician', money: false, accounts: null, email: null, language: 'en' };
    expect(api.sent('POST /organization/invitations')).toEqual([{ body }]);
    await user.click(screen.getByRole('button', { name: 'Done, I saved it' }));
    expect(screen.queryByText(link)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Take back: d@farm.example' }));
    expect(await screen.findByText(/has used this invitation/)).toBeVisible();
  });

  test('a change that waits is confirmed by another owner, who is shown the link it makes; the own one is taken back', async () => {
    const link = 'https://pool.example/invitation#secret';
    const waiting = {
      ...{ by: 'clara', own: false, at: '2026-11-27T10:00:00.000Z', until: '2026-12-04T10:00:00.000Z' },
      ...{ waitsFor: 'owner' as const, mayConfirm: true, mayEnd: true },
    };
    const place = { account: 'barn', algorithm: 'SCRYPT', url: 'stratum+tcp://pool.example:1', user: 'me' } as const;
    const changes: Answer<'GET /waiting'>['changes'] = [
      {
        ...waiting,
        id: 5,
        kind: 'invitation',
        shown: { before: null, after: { email: null, role: 'manager', money: false, accounts: ['barn'] } },
      },
      {
        ...waiting,
        ...{ id: 6, kind: 'list', own: true, mayConfirm: false },
        shown: {
          before: { places: [{ ...place, name: 'Ocean', enabled: true }] },
          after: { places: [{ ...place, name: 'Oc\u0435an', enabled: false }] },
        },
      },
      {
        ...waiting,
        ...{ id: 7, kind: 'address' },
        shown: { account: 'barn', before: { address: NEW_ADDRESS }, after: { address: ADDRESS } },
      },
    ];
    const { user, api } = await open('organization', {
      'GET /organization': { organization: FARM },
      'GET /waiting': { changes },
      'POST /waiting/{id}': { link },
      'DELETE /waiting/{id}': { ended: true },
      'PUT /organization/secondOwner': () => {
        throw problem(409, 'second_owner');
      },
    });
    const [, list, address] = within(await screen.findByRole('region', { name: 'Waiting changes' }))
      .getAllByRole('listitem')
      .filter((item) => within(item).queryAllByRole('region').length === 2);
    const side = (item: HTMLElement | undefined, name: string) =>
      within(within(item ?? document.body).getByRole('region', { name }));
    expect(side(list, 'Now').getByText('Ocean')).toBeVisible();
    expect(side(list, 'After it').getByText('off')).toBeVisible();
    // A letter of another alphabet is marked, and said.
    expect(side(list, 'After it').getByText('\u0435').tagName).toBe('MARK');
    expect(side(list, 'After it').getByText('Some letters look like others')).toBeVisible();
    expect(side(list, 'After it').getByText('stratum+tcp://pool.example:1')).toBeVisible();
    expect(side(address, 'After it').getByLabelText(ADDRESS)).toHaveTextContent(ADDRESS);
    expect(screen.queryByRole('button', { name: 'Confirm: New order of upstream pools' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Take back: New order of upstream pools' }));
    await waitFor(() => expect(api.sent('DELETE /waiting/{id}')).toEqual([{ params: { id: 6 } }]));
    await user.click(screen.getByRole('button', { name: 'No longer ask' }));
    expect(await screen.findByText(/Another owner has to confirm this/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Confirm: Invite a person' }));
    expect(await screen.findByText(link)).toBeVisible();
  });
});
