/** The command `bounce`: the message is read where it is piped in; the running server gets what it says. */
import type { Pool } from 'pg';
import { notifier } from '../accounts/notifications';
import { Bus } from '../bus';
import { bounceIn, takeBounce, type Bounce } from '../mail';

/** Of a message; more than the mail servers return of our mails. */
const MAX_LENGTH = 1_000_000;

/** The argument of the command. */
export async function readBounce(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  // Read to its end: who writes it must not be cut off.
  for await (const part of input.setEncoding('utf8')) if (text.length < MAX_LENGTH) text += part;
  return JSON.stringify(bounceIn(text.slice(0, MAX_LENGTH)));
}

export async function runBounce(pool: Pool, facts = 'null'): Promise<string> {
  const bounce = JSON.parse(facts) as Bounce | null;
  // The bell of a running server is told with its next question.
  return bounce
    ? takeBounce(pool, notifier(new Bus()), bounce)
    : 'Not a bounce of a mail of this pool. Nothing is done.';
}
