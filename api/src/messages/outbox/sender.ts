/**
 * Sends the messages of one channel, one at a time unless `atOnce`, in the order of each target. After a failure a message waits as
 * long as the channel's server says, else from one second, doubling to fifteen minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Bus } from '../../platform/bus';
import type { Logger } from '../../platform/log';
import { type Channel, cleanOutbox, type Due, failed, nextDue, noteFailure, sent, takeDue, tryLater } from './outbox';

const ROUND = 25;
/** Interval of looking for messages that other servers queued or a failure left. */
const IDLE_MS = 5000;
const CLEAN_EVERY_S = 3600;
const MAX_BACKOFF_S = 900;

/**
 * Seconds between two messages to one target, milliseconds between two messages and between two rounds. `atOnce`: the
 * messages of a round are sent together, because their receivers are not one server. `strays`: see outbox.ts, 1 if not given.
 */
export type Pace = { targetGapS: number; gapMs: number; roundMs: number; atOnce?: boolean; strays?: number };
/**
 * `refused`: the target takes none any more, as the channel recorded. `isDown`: its server is away; the round ends.
 * `isBusy`: the channel's server wants no message of anybody before `afterS` have passed.
 */
export type Outcome =
  | 'sent'
  | 'refused'
  | { failed: string }
  | { retry: string; afterS?: number; isDown?: boolean; isBusy?: boolean };

export type Delivery = {
  channel: Channel;
  pace: Pace;
  send(message: Due): Promise<Outcome>;
  /** Queues what has happened since; called before each round. `now`: Unix seconds. */
  collect?(now: number): Promise<unknown>;
  /** Once an hour. */
  clean?(now: number): Promise<unknown>;
  /** Gives up what is being sent, when the sender stops. */
  close?(): void;
};

export type SenderOptions = { pool: Pool; bus: Bus; log: Logger; delivery: Delivery; now?: () => number };

const backoff = (attempts: number): number => Math.min(2 ** Math.max(0, attempts - 1), MAX_BACKOFF_S);

export class Sender {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private again = false;
  private stopped = false;
  private cleanedAt = 0;
  /** Unix seconds before which the channel's server wants no message. */
  private busyUntil = 0;
  private readonly unsubscribe: () => void;
  private readonly now: () => number;

  constructor(private readonly options: SenderOptions) {
    this.now = options.now ?? (() => Date.now() / 1000);
    this.unsubscribe = options.bus.subscribe((event) => {
      const isOurs = event.type === 'queued' && event.data.channel === options.delivery.channel;
      if (isOurs || event.type === 'notification') this.wake();
    });
  }

  /** Starts a round soon: the first, or when something was queued for this channel. */
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
        const { roundMs } = this.options.delivery.pace;
        this.timer = setTimeout(() => this.wake(), this.again ? Math.min(wait, roundMs) : wait).unref();
        this.again = false;
      });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe();
    clearTimeout(this.timer);
    this.options.delivery.close?.();
    await this.running;
  }

  /** Collects and sends a round; returns the milliseconds until the next one. */
  private async work(): Promise<number> {
    const { pool, delivery } = this.options;
    if (this.now() - this.cleanedAt > CLEAN_EVERY_S) {
      await cleanOutbox(pool, delivery.channel, this.now());
      await delivery.clean?.(this.now());
      this.cleanedAt = this.now();
    }
    await delivery.collect?.(this.now());
    if (await this.round()) return delivery.pace.roundMs;
    const wait = await nextDue(pool, delivery.channel, delivery.pace.strays ?? 1, this.now());
    return wait === null ? IDLE_MS : Math.min(Math.max(wait * 1000, delivery.pace.roundMs), IDLE_MS);
  }

  /** Sends the due messages, one for each target; returns how many it tried. */
  async round(): Promise<number> {
    const { pool, delivery } = this.options;
    const { targetGapS: gapS, gapMs, atOnce, strays = 1 } = delivery.pace;
    if (this.now() < this.busyUntil) return 0;
    const due = await takeDue(pool, delivery.channel, { limit: ROUND, gapS, strays }, this.now());
    if (atOnce) {
      await Promise.all(due.map(async (message) => this.record(message, await delivery.send(message))));
      return due.length;
    }
    for (const message of due) {
      // The rest is sent after its lease ends.
      if (this.stopped) break;
      if (this.now() < this.busyUntil) {
        await tryLater(pool, message.id, 'busy', this.busyUntil);
        continue;
      }
      const begun = Date.now();
      const outcome = await delivery.send(message);
      await this.record(message, outcome);
      if (typeof outcome === 'object' && 'retry' in outcome && outcome.isDown) break;
      const rest = gapMs - (Date.now() - begun);
      if (rest > 0) await sleep(rest);
    }
    return due.length;
  }

  private async record({ id, attempts }: Due, outcome: Outcome): Promise<void> {
    const { pool, log, delivery } = this.options;
    if (outcome === 'refused') return;
    if (outcome === 'sent') {
      await sent(pool, id, this.now());
      return;
    }
    const { channel } = delivery;
    const reason = 'failed' in outcome ? outcome.failed : outcome.retry;
    const isDown = 'retry' in outcome && outcome.isDown === true;
    await noteFailure(pool, { channel, reason, at: this.now(), isDown });
    if ('failed' in outcome) {
      log.error({ channel, id, reason }, 'a message was refused');
      await failed(pool, id, reason);
      return;
    }
    const wait = outcome.afterS ?? backoff(attempts);
    if (outcome.isBusy) this.busyUntil = this.now() + wait;
    log.warn({ channel, id, reason, wait }, 'a message was not taken; it will be retried');
    await tryLater(pool, id, reason, this.now() + wait);
  }
}
