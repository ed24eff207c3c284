import { z } from 'zod';
import * as t from '../telegram-schemas';
import { manages, reads, byId, userCall } from './endpoint';

const withToken = z.strictObject({ token: t.telegramToken });

/** Telegram chats that get notifications. Without a bot new connections fail with 409 `telegram_off`. */
export const telegram = {
  'GET /telegram/': userCall(reads('person'), {
    summary: 'List my Telegram connections',
    response: z.array(t.telegramConnection),
  }),
  'POST /telegram/': userCall(manages('person'), {
    sudo: true,
    summary: 'Create a link that connects a Telegram chat: valid once, for ten minutes; replaces an unused link',
    body: t.telegramSettings,
    response: t.telegramLink,
  }),
  'PUT /telegram/{id}': userCall(manages('person'), {
    sudo: true,
    summary: "Set a chat's events, sub-accounts and language",
    params: byId,
    body: t.telegramSettings,
    response: t.telegramConnection,
  }),
  'POST /telegram/{id}/test': userCall(manages('person'), {
    summary: 'Send a test message to a chat',
    params: byId,
    response: z.object({ queued: z.literal(true) }),
  }),
  'DELETE /telegram/{id}': userCall(manages('person'), {
    summary: 'Delete a Telegram connection and notify the chat',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
  }),
  'GET /telegram/auth': userCall(reads('person'), {
    summary: 'Get the state of a link without changing it',
    query: withToken,
    response: t.telegramLinkState,
  }),
  'POST /telegram/auth': userCall(manages('person'), {
    summary: 'Confirm the chat that opened a link, in the session that created the link',
    body: withToken,
    response: t.telegramConnection,
  }),
};
