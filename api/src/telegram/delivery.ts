/** Sends messages to chats within Telegram's limits: one a second to a chat, and fewer than thirty a second in all. */
import { type Api, GrammyError, HttpError } from 'grammy';
import type { Pool } from 'pg';
import type { Delivery, Pace } from '../outbox/sender';
import { forward } from './forward';
import { blocked, deleteExpiredLinks } from './messages';

const PACE: Pace = { targetGapS: 1, gapMs: 35, roundMs: 1000 };

/** The reason of a failed call, safe to log: the errors themselves contain the URL and with it the bot's token. */
export function reasonOf(error: unknown): string {
  if (error instanceof GrammyError) return `${error.error_code} ${error.description}`.slice(0, 200);
  if (error instanceof HttpError) return 'no answer from Telegram';
  return error instanceof Error ? error.name : 'unknown error';
}

/** `pace`: tests set shorter times. */
export const telegramDelivery = (pool: Pool, api: Pick<Api, 'sendMessage'>, pace = PACE): Delivery => ({
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
      const code = error instanceof GrammyError ? error.error_code : 0;
      if (code === 403 || (code === 400 && /chat not found/i.test(reason))) {
        await blocked(pool, Number(target), reason);
        return 'refused';
      }
      if (code === 400) return { failed: reason };
      const afterS = error instanceof GrammyError && code === 429 ? error.parameters.retry_after : undefined;
      return { retry: reason, afterS };
    }
  },
});
