import type { Answer } from '@pool/shared';
import { fireEvent, screen, waitFor } from '@testing-library/react';
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
  expect(await screen.findByRole('checkbox', { name: 'E-mail: Workers offline' })).toBeChecked();
  const wallet = screen.getByRole('checkbox', { name: 'E-mail: Changes of the address' });
  expect(wallet).toBeChecked();
  expect(wallet).toBeDisabled();
  expect(screen.getByRole('checkbox', { name: 'On the page: Payments' })).toBeDisabled();
  await user.click(screen.getByRole('checkbox', { name: 'E-mail: Payments' }));
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

test('a pool without mail offers none', async () => {
  await open('alerts');
  expect(await screen.findByRole('checkbox', { name: 'On the page: Payments' })).toBeVisible();
  expect(screen.queryByRole('checkbox', { name: /^E-mail/ })).toBeNull();
});

test('quiet hours are saved with the time zone of the browser, and ended', async () => {
  const { user, api } = await open('alerts', { 'PUT /alerts': ({ body }) => body });
  fireEvent.change(await screen.findByLabelText('From'), { target: { value: '23:30' } });
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const saved = { mailEvents: [], quiet: { from: 1410, to: 420, timeZone } };
  api.answer({ 'GET /alerts': saved });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(`From 23:30 to 07:00 (${timeZone})`)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'No quiet hours' }));
  await waitFor(() =>
    expect(api.sent('PUT /alerts')).toEqual([{ body: saved }, { body: { mailEvents: [], quiet: null } }]),
  );
});
