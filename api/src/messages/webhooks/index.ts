/** Users' webhooks: queued with the notifications (outbox/events.ts), sent by one sender. */
import type { Logger } from '../../platform/log';
import { Sender } from '../outbox/sender';
import { hookDelivery, type HookOptions } from './delivery';

/** `wake`: call it after queueing a message. */
export type Webhooks = { wake(): void; stop(): Promise<void> };

export function startWebhooks(options: HookOptions & { log: Logger; now?: () => number }): Webhooks {
  const delivery = hookDelivery(options);
  const sender = new Sender({ ...options, delivery });
  sender.wake();
  return {
    wake: () => sender.wake(),
    stop: () => {
      delivery.close();
      return sender.stop();
    },
  };
}
