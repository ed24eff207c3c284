/** A real SMTP server that keeps what it takes. */
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../../../testing/eventually';
import { selfSigned } from '../../../stratum/testing/certificate';

export type Received = {
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** Headers by name in lower case. */
  headers: Record<string, string>;
};
/** `silent`: takes the connection and says nothing. A number: the answer to the recipient's address, or to the whole mail. */
type Mood = 'well' | 'silent' | number | { toMail: number };

/** `starttls`: with a certificate that nobody signed, as mail servers are installed. */
export async function startMailServer({ starttls = false } = {}) {
  const received: Received[] = [];
  let mood: Mood = 'well';
  const refusal = (code: number): Error => Object.assign(new Error('refused'), { responseCode: code });
  const server = new SMTPServer({
    ...(starttls ? selfSigned('mail') : { disabledCommands: ['STARTTLS'] }),
    onAuth: ({ username, password }, _session, done) =>
      username === 'pool' && password === 'secret' ? done(null, { user: username }) : done(refusal(535)),
    onConnect: (_session, done) => {
      if (mood !== 'silent') done();
    },
    onRcptTo: (_address, _session, done) => done(typeof mood === 'number' ? refusal(mood) : null),
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          received.push({
            to: envelope.rcptTo.map(({ address }) => address).join(),
            from: mail.from?.address ?? '',
            subject: mail.subject ?? '',
            text: mail.text ?? '',
            html: mail.html ?? '',
            messageId: mail.messageId ?? '',
            headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
          });
          done(typeof mood === 'object' ? refusal(mood.toMail) : null);
        }, done);
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://pool:secret@127.0.0.1:${port}`,
    received,
    be: (next: Mood): void => void (mood = next),
    /** The mail number `n` whose subject fits, once it is there. */
    mail: (subject: RegExp, n = 1): Promise<Received> =>
      eventually(() => received.filter((mail) => subject.test(mail.subject))[n - 1], `mail ${n} of ${String(subject)}`),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** The six digits in a mail. */
export const codeIn = ({ text }: Received): string => /^\d{6}$/m.exec(text)?.[0] ?? '';
