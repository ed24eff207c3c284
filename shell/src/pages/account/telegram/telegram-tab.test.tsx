import type { Answer } from '@pool/shared';
import { refusing } from '@pool/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import { inDays, open } from '../testing/account';

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

  test('without a bot it says so', async () => {
    const { user } = await open('telegram', {
      'POST /telegram/': refusing(409, 'telegram_off'),
    });
    await user.click(await screen.findByRole('button', { name: 'Connect Telegram' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This pool has no Telegram bot.');
  });
});
