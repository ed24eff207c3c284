/** Web push: notifications are shown by browsers whose page is closed. */
import type { Logger } from '../../platform/log';
import { Sender } from '../outbox/sender';
import { pushDelivery, type PushOptions } from './delivery';

export function startPush(options: PushOptions & { log: Logger; now?: () => number }): {
  stop(): Promise<void>;
} {
  const delivery = pushDelivery(options);
  const sender = new Sender({ ...options, delivery });
  sender.wake();
  return {
    stop: () => {
      delivery.close();
      return sender.stop();
    },
  };
}
