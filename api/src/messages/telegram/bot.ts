/** The bot: receives commands by long polling. Replies go through the outbox, once per update. */
import { Bot, type Context } from 'grammy';
import type { Pool } from 'pg';
import { inTime } from '../../platform/in-time';
import { RateLimit } from '../../platform/limits/rate-limit';
import type { Logger } from '../../platform/log';
import { chatLanguage, chatStatus, hasLinked, setChat } from './chats';
import { openLink } from './links';
import { enqueue } from '../outbox/outbox';
import { moveChat, toChat } from './messages';
import { reasonOf } from './delivery';
import type { Language } from '@pool/shared/i18n/languages';
import { languageOf } from '../outbox/texts';
import { say } from './texts';

/** Wrong link tokens a chat may send in a minute. */
const MAX_WRONG_LINKS = 10;
/** Timeout of a Bot API call; longer than a long poll. */
const CALL_TIMEOUT_S = 40;
const POLL_S = 25;
/** How long `stop` waits for Telegram's answer to the last call. */
const STOP_TIMEOUT_MS = 3000;
/** Delay after a failure that needs a person: a wrong token, or a second server that uses the same token. */
const RESTART_MS = 30_000;
/** Log a warning when Telegram has not answered for this long after the start. */
const NO_ANSWER_MS = 20_000;

/** A name without control and formatting characters, which could hide text or reverse its direction. */
const displayName = (name: string | undefined): string | null =>
  name?.replace(/\p{C}/gu, '').trim().slice(0, 64) || null;

export type BotOptions = {
  pool: Pool;
  token: string;
  apiRoot: string;
  log: Logger;
  now?: () => number;
};

export function makeBot({ pool, token, apiRoot, log, now = () => Date.now() / 1000 }: BotOptions): Bot {
  const bot = new Bot(token, { client: { apiRoot: apiRoot.replace(/\/+$/, ''), timeoutSeconds: CALL_TIMEOUT_S } });
  const guesses = new RateLimit(MAX_WRONG_LINKS);

  const answer =
    (work: (chatId: number, language: Language, context: Context) => Promise<string>) =>
    async (context: Context): Promise<void> => {
      const { chat, update, from } = context;
      if (!chat) return;
      const language = (await chatLanguage(pool, chat.id)) ?? languageOf(from?.language_code);
      const text = await work(chat.id, language, context);
      await enqueue(pool, [toChat(chat.id, `update ${update.update_id}`, text)], now());
    };
  /** User whose links the sender may change; null: all, in a private chat or as the group's admin; undefined: nobody's. */
  const mayAct = async (
    chatId: number,
    { chat, from, senderChat, api }: Context,
  ): Promise<number | null | undefined> => {
    if (chat?.type === 'private' || senderChat?.id === chatId) return null;
    if (!from) return undefined;
    const { status } = await api.getChatMember(chatId, from.id);
    if (status === 'creator' || status === 'administrator') return null;
    return (await hasLinked(pool, chatId, from.id)) ? from.id : undefined;
  };
  const change = (chatId: number, to: 'linked' | 'blocked', by: number | null, isGroup: boolean): Promise<boolean> =>
    setChat(pool, chatId, { to, by, isGroup, now: now() });
  /** Replies to a command of whoever linked the chat, or of an admin of the group: a stranger in it learns nothing. */
  const owned = (work: (chatId: number, language: Language, by: number | null, context: Context) => Promise<string>) =>
    answer(async (chatId, language, context) => {
      const by = await mayAct(chatId, context);
      return by === undefined ? say(language, 'bot.not_allowed') : work(chatId, language, by, context);
    });
  const status = async (chatId: number, language: Language, by: number | null): Promise<string> =>
    (await chatStatus(pool, chatId, by, language, now())) ?? say(language, 'bot.unknown');
  const isGroup = ({ chat }: Context): boolean => chat?.type !== 'private';
  const resume = owned(async (chatId, language, by, context) =>
    (await change(chatId, 'linked', by, isGroup(context)))
      ? say(language, 'bot.start.resumed')
      : status(chatId, language, by),
  );
  const link = answer(async (chatId, language, { match, chat, from }) => {
    const wait = guesses.take(String(chatId));
    if (wait) return say(language, 'bot.start.slow');
    const token = String(match).trim();
    const username = displayName(chat?.type === 'private' ? (from?.username ?? from?.first_name) : chat?.title);
    const opened =
      /^[\w-]{1,64}$/.test(token) &&
      (await openLink(pool, token, { id: chatId, username, by: from?.id ?? null }, now()));
    if (!opened) return say(language, 'bot.start.invalid');
    guesses.give(String(chatId));
    // The link carries the language chosen on the page.
    return say((await chatLanguage(pool, chatId)) ?? language, 'bot.start.confirm');
  });

  bot.command('start', (context) => (String(context.match).trim() ? link(context) : resume(context)));
  bot.command(
    'stop',
    owned(async (chatId, language, by, context) =>
      say(language, (await change(chatId, 'blocked', by, isGroup(context))) ? 'bot.stop.done' : 'bot.unknown'),
    ),
  );
  bot.command('status', owned(status));
  bot.command(
    'help',
    answer(async (_, language) => say(language, 'bot.help')),
  );
  bot.on('message:migrate_to_chat_id', ({ chat, message }) => moveChat(pool, chat.id, message.migrate_to_chat_id));
  // The bot was blocked or let in again, in Telegram's own menu. Who takes it back into a group may be a stranger.
  bot.on('my_chat_member', async (context) => {
    const { chat, new_chat_member: member } = context.myChatMember;
    const isOut = member.status === 'kicked' || member.status === 'left';
    if (isOut || !isGroup(context)) await change(chat.id, isOut ? 'blocked' : 'linked', null, isGroup(context));
  });
  bot.catch(({ error }) =>
    log.error({ reason: error instanceof Error ? error.message : reasonOf(error) }, 'a message to the bot failed'),
  );
  return bot;
}

/** Polls until it is stopped; restarts after failures. */
export function startPolling(bot: Bot, log: Logger): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void>;
  const poll = (): void => {
    polling = bot.start({ timeout: POLL_S, allowed_updates: ['message', 'my_chat_member'] }).catch((error: unknown) => {
      if (stopped) return;
      log.error({ reason: reasonOf(error) }, 'the Telegram bot cannot poll; it will retry');
      timer = setTimeout(poll, RESTART_MS).unref();
    });
  };
  poll();
  const noAnswer = setTimeout(() => {
    if (!bot.isInited()) log.warn('Telegram has not answered yet; chats cannot be linked before it does');
  }, NO_ANSWER_MS).unref();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(noAnswer);
      // grammY confirms the last update on stop, which may hang.
      const ended = bot.stop().finally(() => polling);
      await inTime(ended, STOP_TIMEOUT_MS).catch(() => undefined);
    },
  };
}
