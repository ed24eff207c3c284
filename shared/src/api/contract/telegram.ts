import { z } from 'zod';
import * as t from '../telegram-schemas';
import { manages, reads, byId, endpoint } from './endpoint';

const withToken = z.strictObject({ token: t.telegramToken });

/**
 * Telegram chats that get notifications. Without a bot (`TELEGRAM_BOT_TOKEN`) new connections fail with 409
 * `telegram_off`.
 */
export const telegram = {
  'GET /telegram/': endpoint({
    who: 'user',
    requires: reads('account'),
    summary: 'My Telegram connections',
    response: z.array(t.telegramConnection),
  }),
  'POST /telegram/': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'Make a link for a chat: good once, for ten minutes; a link that waits is replaced',
    body: t.telegramSettings,
    response: t.telegramLink,
  }),
  'PUT /telegram/{id}': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'Change what a chat hears of, and in which language',
    params: byId,
    body: t.telegramSettings,
    response: t.telegramConnection,
  }),
  'POST /telegram/{id}/test': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'Send a test message',
    params: byId,
    response: z.object({ queued: z.literal(true) }),
  }),
  'DELETE /telegram/{id}': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'End a connection; the chat is told',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
  }),
  'GET /telegram/auth': endpoint({
    who: 'user',
    requires: reads('account'),
    summary: 'How far a link is: only reads',
    query: withToken,
    response: t.telegramLinkState,
  }),
  'POST /telegram/auth': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'Confirm the chat that opened the link, from the session that made it',
    body: withToken,
    response: t.telegramConnection,
  }),
};
