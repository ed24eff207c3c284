/** Sends messages to chats within Telegram's limits: one a second to a chat, and fewer than thirty a second in all. */
import { type Api, GrammyError, HttpError } from 'grammy';
import type { Pool } from 'pg';
import type { Delivery, Pace } from '../outbox/sender';
import { forward } from './forward';
import { blocked, deleteExpiredLinks, moveChat } from './messages';

const PACE: Pace = { targetGapS: 1, gapMs: 35, roundMs: 1000 };

/** The reason of a failed call, safe to log: the errors themselves contain the URL and with it the bot's token. */
export function reasonOf(error: unknown): string {
  if (error instanceof GrammyError) return `${error.error_code} ${error.description}`.slice(0, 200);
  if (error instanceof HttpError) return 'no answer from Telegram';
  return error instanceof Error ? error.name : 'unknown error';
}

/** Refusals that are about the message. All others of code 400 are about the chat, and are for ever. */
const OF_MESSAGE = /entit|message (text )?is (too long|empty)|message_(too_long|empty)/i;

type TelegramOptions = { pool: Pool; api: Pick<Api, 'sendMessage'>; pace?: Pace };
/** `pace`: tests set shorter times. */
export const telegramDelivery = ({ pool, api, pace = PACE }: TelegramOptions): Delivery => ({
  channel: 'telegram',
  pace,
  async collect(now) {
    while (await forward(pool, now)) {
      /* until none is left */
    }
  },
  clean: (now) => deleteExpiredLinks(pool, now),
  async send({ target, content }) {
    try {
      await api.sendMessage(Number(target), content, {
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      });
      return 'sent';
    } catch (error) {
      const reason = reasonOf(error);
      if (!(error instanceof GrammyError)) return { retry: reason };
      const { error_code: code, parameters } = error;
      // The limit is the bot's, not the chat's.
      if (code === 429) return { retry: reason, afterS: parameters.retry_after, isBusy: true };
      if (code !== 400 && code !== 403) return { retry: reason };
      if (parameters.migrate_to_chat_id !== undefined) {
        await moveChat(pool, Number(target), parameters.migrate_to_chat_id);
        return { retry: reason, afterS: 0 };
      }
      if (OF_MESSAGE.test(reason)) return { failed: reason };
      await blocked(pool, Number(target), reason);
      return 'refused';
    }
  },
});
