/** Mail: queued by what happens, sent by one sender. */
import type { Pool } from 'pg';
import type { Bus } from '../../platform/bus';
import type { Querier } from '../../platform/db/querier';
import type { Logger } from '../../platform/log';
import type { Secrets } from '../../platform/secrets';
import { Sender } from '../outbox/sender';
import { afterCommit } from '../../platform/db/transaction';
import { mailDelivery, type MailOptions } from './delivery';
import { queueMail, type Mail } from './mail';

export { bounceIn, takeBounce, type Bounce } from './bounce';
export { setKeeping } from './kept';
export { type Mail, type MailKind } from './mail';

export type Mailer = {
  /** Queues a mail in the caller's transaction, and wakes the sender after its commit. */
  queue(tx: Querier, mail: Mail): Promise<void>;
  wake(): void;
  stop(): Promise<void>;
};

/** `wake`: wakes the sender, which may be another process's. */
export const queueing =
  (secrets: Secrets, wake: () => void): Mailer['queue'] =>
  async (tx, mail) => {
    await queueMail(tx, secrets, mail);
    afterCommit(tx, wake);
  };

/** Sends nothing before the first `wake`. */
export function makeMailer(options: MailOptions & { pool: Pool; bus: Bus; log: Logger }): Mailer {
  const sender = new Sender({ ...options, delivery: mailDelivery(options.pool, options) });
  const wake = (): void => sender.wake();
  return { queue: queueing(options.secrets, wake), wake, stop: () => sender.stop() };
}
