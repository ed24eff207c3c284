import { z } from 'zod';
import { TELEGRAM_EVENTS } from '../domain/telegram';
import { LANGUAGES } from '../i18n/languages';
import * as s from './schemas';

const telegramEvent = z.enum(TELEGRAM_EVENTS);
const language = z.enum(LANGUAGES);
const id = z.int().min(1).max(2_147_483_647);

/** `pending`: the link is not confirmed; `blocked`: the chat stopped the bot. `subAccountIds`: empty means all. */
export const telegramConnection = z.object({
  id: z.int(),
  chatId: z.int().nullable(),
  username: z.string().nullable(),
  language,
  status: z.enum(['pending', 'linked', 'blocked']),
  linkedAt: s.isoTime.nullable(),
  subAccountIds: z.array(z.int()),
  events: z.array(telegramEvent),
});
export const telegramSettings = z.strictObject({
  language: language.optional(),
  events: z.array(telegramEvent).max(TELEGRAM_EVENTS.length).optional(),
  subAccountIds: z.array(id).max(500).optional(),
});

/** Code of at most 64 of `A-Za-z0-9_-`, as Telegram allows; the server makes 32. */
export const telegramToken = z.string().regex(/^[\w-]{1,64}$/);
/** A link for one chat, valid once, until `expiresAt`. */
export const telegramLink = z.object({ id: z.int(), deepLink: z.url(), token: telegramToken, expiresAt: s.isoTime });
/** `started`: the chat of `username` has opened the link, and POST must confirm it. */
export const telegramLinkState = z.object({
  state: z.enum(['waiting', 'started', 'linked']),
  username: z.string().nullable(),
  expiresAt: s.isoTime,
});

export type TelegramEvent = z.infer<typeof telegramEvent>;
export type TelegramConnection = z.infer<typeof telegramConnection>;
export type TelegramSettings = z.infer<typeof telegramSettings>;
export type TelegramLinkState = z.infer<typeof telegramLinkState>;
