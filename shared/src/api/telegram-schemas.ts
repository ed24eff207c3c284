/** Shapes of the Telegram calls. */
import { z } from 'zod';
import { LANGUAGES } from '../i18n/languages';
import * as s from './schemas';

/** What a connection may hear of: workers offline, back, with a low hashrate, with rejects; payments; payout addresses; upstream switches; the daily digest. */
export const TELEGRAM_EVENTS = [
  'offline',
  'recovered',
  'low',
  'rejects',
  'payment',
  'wallet',
  'upstream',
  'digest',
] as const;
export const telegramEvent = z.enum(TELEGRAM_EVENTS);
export const language = z.enum(LANGUAGES);
const id = z.int().min(1).max(2_147_483_647);

/** `pending`: the link was made and not confirmed; `blocked`: the chat stopped the bot. `subAccountIds`: none is all of them. */
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

/** At most 64 of `A-Za-z0-9_-`; ours have 32. */
export const telegramToken = z.string().regex(/^[\w-]{1,64}$/);
/** A link for one chat, once, until `expiresAt`. */
export const telegramLink = z.object({ id: z.int(), deepLink: z.url(), token: telegramToken, expiresAt: s.isoTime });
/** `waiting`: nobody opened it; `started`: `username`'s chat did, and waits to be confirmed by POST; `linked`. */
export const telegramLinkState = z.object({
  state: z.enum(['waiting', 'started', 'linked']),
  username: z.string().nullable(),
  expiresAt: s.isoTime,
});

export type TelegramEvent = z.infer<typeof telegramEvent>;
export type TelegramConnection = z.infer<typeof telegramConnection>;
export type TelegramSettings = z.infer<typeof telegramSettings>;
export type TelegramLinkState = z.infer<typeof telegramLinkState>;
