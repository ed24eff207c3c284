/** Mail: queued by what happens, sent by one sender. */
import type { Pool } from 'pg';
import type { Bus } from '../../platform/bus';
import type { Querier } from '../../platform/db/querier';
import type { Logger } from '../../platform/log';
import { Sender } from '../outbox/sender';
import { mailDelivery, type MailOptions } from './delivery';
import { queueMail, type Mail } from './mail';

export { bounceIn, takeBounce, type Bounce } from './bounce';
export { setKeeping } from './kept';
export { type Mail, type MailKind } from './mail';

export type Mailer = {
  /** Queues a mail in the caller's transaction; call `wake` when it is committed. */
  queue(tx: Querier, mail: Mail): Promise<void>;
  wake(): void;
  stop(): Promise<void>;
};

/** Sends nothing before the first `wake`. */
export function makeMailer(options: MailOptions & { pool: Pool; bus: Bus; log: Logger }): Mailer {
  const sender = new Sender({ ...options, delivery: mailDelivery(options.pool, options) });
  return { queue: queueMail, wake: () => sender.wake(), stop: () => sender.stop() };
}
