/** Mail: queued by what happens, sent by one sender. */
import type { Querier } from '../../platform/db/querier';
import type { Secrets } from '../../platform/secrets';
import { queueMail, type Mail } from './mail';

export { bounceIn, takeBounce, type Bounce } from './bounce';
export { type Mail, type MailKind } from './mail';

/** Queues a mail in the caller's transaction. */
export type Mailer = { queue(tx: Querier, mail: Mail): Promise<void> };
export const mailerOf = (secrets: Secrets): Mailer => ({ queue: (tx, mail) => queueMail(tx, secrets, mail) });
