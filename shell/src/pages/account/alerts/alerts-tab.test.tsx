import { createHash, webcrypto } from 'node:crypto';
import { TextEncoder } from 'node:util';
import type { Answer } from '@pool/shared';
import { screen, waitFor } from '@testing-library/react';
import { open } from '../testing/account';

const SETTING: Answer<'GET /alerts'> = { mailEvents: ['offline'], quiet: null };
const HOOK: Answer<'GET /webhooks'>[number] = {
  id: 3,
  url: 'https://hooks.example/in',
  events: ['offline'],
  stoppedAt: null,
  createdAt: '2026-01-02T03:04:05.000Z',
};

test('each kind is chosen for each channel; what concerns security is fixed', async () => {
  const { user, api } = await open(
    'alerts',
    { 'GET /alerts': SETTING, 'PUT /alerts': ({ body }) => body, 'GET /webhooks': [HOOK], 'PUT /webhooks/{id}': HOOK },
    {},
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
    {},
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
  const { user, api } = await open('alerts', { 'PUT /alerts': ({ body }) => body });
  await user.click(await screen.findByRole('combobox', { name: 'From' }));
  await user.click(await screen.findByText('00:30'));
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const saved = { mailEvents: [], quiet: { from: 30, to: 420, timeZone } };
  api.answer({ 'GET /alerts': saved });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(`From 00:30 to 07:00 (${timeZone})`)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Turn off quiet hours' }));
  await waitFor(() =>
    expect(api.sent('PUT /alerts')).toEqual([{ body: saved }, { body: { mailEvents: [], quiet: null } }]),
  );
});

test('quiet hours of a browser that does not know its zone are those of UTC', async () => {
  jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ timeZone: 'Etc/Unknown' } as never);
  const { user, api } = await open('alerts', { 'PUT /alerts': ({ body }) => body });
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(api.sent('PUT /alerts')).toMatchObject([{ body: { quiet: { timeZone: 'UTC' } } }]));
  jest.restoreAllMocks();
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
    expect(screen.queryByRole('checkbox', { name: /^This browser/ })).toBeNull();
  });

  test('is not offered by a pool that pushes nothing', async () => {
    browser('default');
    await open('alerts');
    await screen.findByText(/^All alerts also appear under the bell/);
    expect(screen.queryByRole('checkbox', { name: /^This browser/ })).toBeNull();
  });
});
