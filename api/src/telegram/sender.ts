/**
 * Sends the outbox within Telegram's limits: one message a second to a chat (outbox.ts), and fewer than thirty a second
 * in all, one at a time. After a 429 the message waits as long as Telegram says; after other failures from one second,
 * doubling to fifteen minutes.
 */
import { type Api, GrammyError, HttpError } from 'grammy';
import type { Pool } from 'pg';
import type { Bus } from '../bus';
import type { Logger } from '../log';
import { forward } from './forward';
import { blocked, cleanOutbox, type Due, failed, nextDue, sent, takeDue, tryLater } from './outbox';

/** Messages sent in one round. */
const ROUND = 25;
/** Between two messages. */
const GAP_MS = 35;
/** Seconds between two messages to one chat (Telegram's limit), and milliseconds between two rounds. */
export const PACE = { chatGapS: 1, roundMs: 1000 };
/** Interval of looking for messages that other servers queued or a failure left. */
const IDLE_MS = 5000;
const CLEAN_EVERY_S = 3600;
const MAX_BACKOFF_S = 900;

/** The reason of a failed call, safe to log: the errors themselves contain the URL and with it the bot's token. */
export function reasonOf(error: unknown): string {
  if (error instanceof GrammyError) return `${error.error_code} ${error.description}`.slice(0, 200);
  if (error instanceof HttpError) return 'no answer from Telegram';
  return error instanceof Error ? error.name : 'unknown error';
}

const backoff = (attempts: number): number => Math.min(2 ** Math.max(0, attempts - 1), MAX_BACKOFF_S);

export type SenderOptions = {
  pool: Pool;
  api: Pick<Api, 'sendMessage'>;
  bus: Bus;
  log: Logger;
  now?: () => number;
  /** Tests set shorter times. */
  pace?: typeof PACE;
};

export class Sender {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private again = false;
  private stopped = false;
  private cleanedAt = 0;
  private readonly unsubscribe: () => void;
  private readonly now: () => number;
  private readonly pace: typeof PACE;

  constructor(private readonly options: SenderOptions) {
    this.pace = options.pace ?? PACE;
    this.now = options.now ?? (() => Date.now() / 1000);
    this.unsubscribe = options.bus.subscribe((event) => {
      if (event.type === 'notification') this.wake();
    });
  }

  /** Starts a round soon; call it after queueing a message. */
  wake(): void {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.running = this.work()
      .catch((error: unknown) => {
        this.options.log.warn(
          { reason: error instanceof Error ? error.message : String(error) },
          'messages not sent yet',
        );
        return IDLE_MS;
      })
      .then((wait) => {
        this.running = null;
        if (this.stopped) return;
        this.timer = setTimeout(() => this.wake(), this.again ? Math.min(wait, this.pace.roundMs) : wait).unref();
        this.again = false;
      });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe();
    clearTimeout(this.timer);
    await this.running;
  }

  /** Forwards notifications and sends a round; returns the milliseconds until the next one. */
  private async work(): Promise<number> {
    const { pool } = this.options;
    if (this.now() - this.cleanedAt > CLEAN_EVERY_S) {
      await cleanOutbox(pool, this.now());
      this.cleanedAt = this.now();
    }
    while (await forward(pool, this.now())) {
      /* until none is left */
    }
    if (await this.round()) return this.pace.roundMs;
    const wait = await nextDue(pool, this.now());
    return wait === null ? IDLE_MS : Math.min(Math.max(wait * 1000, this.pace.roundMs), IDLE_MS);
  }

  /** Sends the due messages, one for each chat; returns how many it tried. */
  async round(): Promise<number> {
    const due = await takeDue(this.options.pool, { limit: ROUND, gapS: this.pace.chatGapS }, this.now());
    for (const message of due) {
      // The rest is sent after its lease ends.
      if (this.stopped) break;
      const begun = Date.now();
      await this.send(message);
      const rest = GAP_MS - (Date.now() - begun);
      if (rest > 0)
        await new Promise((resolve) => {
          setTimeout(resolve, rest);
        });
    }
    return due.length;
  }

  private async send({ id, chatId, text, attempts }: Due): Promise<void> {
    const { pool, api, log } = this.options;
    try {
      await api.sendMessage(chatId, text, { parse_mode: 'HTML', link_preview_options: { is_disabled: true } });
    } catch (error) {
      const reason = reasonOf(error);
      const code = error instanceof GrammyError ? error.error_code : 0;
      if (code === 403 || (code === 400 && /chat not found/i.test(reason))) return blocked(pool, chatId, reason);
      if (code === 400) {
        log.error({ chatId, reason }, 'Telegram refused a message');
        await failed(pool, id, reason);
        return;
      }
      const wait =
        error instanceof GrammyError && code === 429
          ? (error.parameters.retry_after ?? backoff(attempts))
          : backoff(attempts);
      log.warn({ chatId, reason, wait }, 'a message to Telegram failed; it will be retried');
      await tryLater(pool, id, reason, this.now() + wait);
      return;
    }
    await sent(pool, id, this.now());
  }
}
