/** Telegram: the bot that receives commands and the sender of messages. */
import type { Bus } from '../../platform/bus';
import { type BotOptions, makeBot, startPolling } from './bot';
import { Sender, type Pace } from '../outbox/sender';
import { telegramDelivery } from './delivery';

export type Telegram = {
  /** Name for deep links; null until Telegram has answered `getMe`. */
  botName(): string | null;
  stop(): Promise<void>;
};

export type TelegramOptions = BotOptions & { bus: Bus; pace?: Pace };

export function startTelegram({ bus, pace, ...options }: TelegramOptions): Telegram {
  const { pool, log, now } = options;
  const bot = makeBot(options);
  const sender = new Sender({ pool, bus, log, now, delivery: telegramDelivery({ pool, api: bot.api, pace }) });
  const polling = startPolling(bot, log);
  sender.wake();
  return {
    botName: () => (bot.isInited() ? bot.botInfo.username : null),
    stop: async () => {
      await Promise.all([polling.stop(), sender.stop()]);
    },
  };
}
