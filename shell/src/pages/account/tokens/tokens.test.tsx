import type { Answer } from '@pool/shared';
import { keepsNames } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { open } from '../testing/account';

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
    keepsNames({ [call]: [TOKEN] }, TOKEN.name, (odd) => open(tab, odd, {}, { language: 'ar' })),
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
