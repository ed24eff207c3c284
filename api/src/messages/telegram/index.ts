/** Telegram: the bot that receives commands and the sender of messages. */
import type { Pool } from 'pg';
import type { Bus } from '../../platform/bus';
import type { Logger } from '../../platform/log';
import { makeBot, startPolling } from './bot';
import { Sender, type Pace } from '../outbox/sender';
import { telegramDelivery } from './delivery';

export type Telegram = {
  /** Name for deep links; null until Telegram has answered `getMe`. */
  botName(): string | null;
  stop(): Promise<void>;
};

export type TelegramOptions = {
  pool: Pool;
  bus: Bus;
  token: string;
  apiRoot: string;
  log: Logger;
  now?: () => number;
  pace?: Pace;
};

export function startTelegram({ pool, bus, token, apiRoot, log, now, pace }: TelegramOptions): Telegram {
  const bot = makeBot({ pool, token, apiRoot, log, now });
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
