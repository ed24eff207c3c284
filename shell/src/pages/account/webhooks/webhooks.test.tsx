import type { Answer } from '@pool/shared';
import { keepsNames, refusing } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { open } from '../testing/account';

const HOOK: Answer<'GET /webhooks'>[number] = {
  id: 3,
  url: 'https://hooks.example/in',
  events: ['offline'],
  stoppedAt: null,
  createdAt: '2026-01-02T03:04:05.000Z',
};
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
    (odd) => open('api-keys', odd, {}, { language: 'ar' }),
  ));

test('an inward address is refused beside the form', async () => {
  const { user } = await open('api-keys', {
    'POST /webhooks': refusing(422, 'webhook_not_allowed'),
  });
  await user.click(await screen.findByRole('button', { name: 'New webhook' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Address'), 'http://10.0.0.1/');
  await user.click(dialog.getByRole('button', { name: 'Create webhook' }));
  expect(await dialog.findByText(/it must be a public one/)).toBeVisible();
});

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
