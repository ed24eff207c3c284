/** The command `bounce`: the message is read where it is piped in; the running server gets what it says. */
import type { Pool } from 'pg';
import { bounceIn, takeBounce, type Bounce } from '../messages/mail';

/** Longest message, in characters; mail servers return less of our mails. */
const MAX_LENGTH = 1_000_000;

export async function readBounce(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  // Read to its end: who writes it must not be cut off.
  for await (const part of input.setEncoding('utf8')) if (text.length < MAX_LENGTH) text += part;
  return JSON.stringify(bounceIn(text.slice(0, MAX_LENGTH)));
}

export const BOUNCE = {
  takes: '< message',
  /** Addresses are not cached, so this is safe beside a running server. */
  reads: true as const,
  what: 'takes a mail that came back, as the mail server pipes it: an address that is gone gets no more',
  run: async ({ pool }: { pool: Pool }, [facts = 'null']: readonly string[]): Promise<string> => {
    const bounce = JSON.parse(facts) as Bounce | null;
    if (!bounce) return 'Not a bounce of a mail of this pool. Nothing is done.';
    return takeBounce(pool, bounce);
  },
};
