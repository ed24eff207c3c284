/** Bounces in the forms of the mail servers that write most of them, of a mail that went out by a real SMTP server. */
import { Bus } from '../../platform/bus';
import type { Database } from '../../platform/db/database';
import { emptyTables, testDatabase } from '../../platform/db/testing/test-database';
import { createLog } from '../../platform/log';
import { Sender } from '../outbox/sender';
import { bounceIn, isGone, takeBounce } from './bounce';
import { mailDelivery } from './delivery';
import { queueMail } from './mail';
import { startMailServer, type MailServer } from './testing/smtp';

const ADDRESS = 'Anna@example.com';
/** Fields of a report about one recipient. */
type Fields = { action?: string; status: string; answer?: string; to?: string };
const returned = (id: string): string => `From: Pool <mail@pool.example>\nTo: ${ADDRESS}\nMessage-ID:\n ${id}\n\nx\n`;

/** RFC 3464, as Postfix, Sendmail, Exchange and most others write it. */
const report = (id: string, { action = 'failed', status, answer = '', to = ADDRESS }: Fields): string =>
  [
    'From: MAILER-DAEMON@mx.example',
    'To: mail@pool.example',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    `I could not deliver your mail to <${to}>: ${answer}`,
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; ${to}`,
    `Action: ${action}`,
    `Status: ${status}`,
    ...(answer ? [`Diagnostic-Code: smtp;\n    ${answer}`] : []),
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    returned(id),
    '--b--',
  ].join('\r\n');

const qmail = (id: string, reason: string): string =>
  'Subject: failure notice\n\nHi. This is the qmail-send program at mx.example.\n' +
  "I'm afraid I wasn't able to deliver your message to the following addresses.\n" +
  `This is a permanent error; I've given up. Sorry it didn't work out.\n\n<${ADDRESS}>:\n${reason}\n\n` +
  `--- Below this line is a copy of the message.\n\n${returned(id)}`;

const exim = (id: string, reason: string): string =>
  `X-Failed-Recipients: ${ADDRESS}\nSubject: Mail delivery failed: returning message to sender\n\n` +
  'This message was created automatically by mail delivery software.\n\n' +
  `  ${ADDRESS}\n    ${reason}\n\n------ This is a copy of the message, including all the headers. ------\n\n${returned(id)}`;

const openSmtpd = (id: string, reason: string): string =>
  `Subject: Delivery status notification: error\n\n    Hi!\n\n${ADDRESS}: ${reason}\n\n    Below is a copy:\n\n${returned(id)}`;

/** `none`: not a bounce. */
const FORMS: [string, (id: string) => string, 'gone' | 'stays' | 'none'][] = [
  ['Postfix', (id) => report(id, { status: '5.1.1', answer: '550 5.1.1 <x>: User unknown' }), 'gone'],
  ['Postfix, an answer without an enhanced code', (id) => report(id, { status: '5.0.0', answer: '550 No' }), 'gone'],
  ['Exchange', (id) => report(id, { status: '5.1.10', answer: '550 5.1.10 RESOLVER.ADR.RecipientNotFound' }), 'gone'],
  ['qmail', (id) => qmail(id, 'Sorry, no mailbox here by that name. (#5.1.1)'), 'gone'],
  ['qmail, by SMTP', (id) => qmail(id, '10.0.0.9 does not like recipient.\nRemote host said: 550 unknown'), 'gone'],
  [
    'Exim',
    (id) => exim(id, 'SMTP error after RCPT TO:<x>:\n    host mx.example [10.0.0.9]: 550 5.1.1 Unknown'),
    'gone',
  ],
  ['OpenSMTPD', (id) => openSmtpd(id, '550 5.1.1 no such user'), 'gone'],
  ['in quoted-printable', (id) => qmail(id.replace('-', '-=\n'), 'No mailbox (#5.1.1)'), 'gone'],

  ['a mail that waits', (id) => report(id, { action: 'delayed', status: '4.4.1' }), 'none'],
  ['one that waited too long', (id) => report(id, { status: '4.4.7' }), 'stays'],
  ['a full mailbox', (id) => report(id, { status: '5.2.2' }), 'stays'],
  ['a server that takes the pool for spam', (id) => report(id, { status: '5.0.0', answer: '554 5.7.1 Spam' }), 'stays'],
  ['an answer of somebody on holiday', (id) => `In-Reply-To: ${id}\nSubject: Re: x\n\n550 mails wait here.\n`, 'none'],
];

it.each(FORMS)('%s', (_, form, becomes) => {
  const bounce = bounceIn(form('<outbox-7.00000000-0000-4000-8000-000000000000@pool.example>'));
  expect(bounce ? (isGone(bounce.status) ? 'gone' : 'stays') : 'none').toBe(becomes);
  if (bounce) expect(bounce).toMatchObject({ id: 7, token: '00000000-0000-4000-8000-000000000000' });
  if (bounce) expect(bounce.recipients).toContain(ADDRESS.toLowerCase());
});

it('whatever it is, it is read at once', () => {
  for (const part of ['a', '@', 'a@', ' \n', '\n ', '<a@b>:\n', '5', '<outbox-1'])
    bounceIn(`X-Failed-Recipients: ${part.repeat(1_000_000 / part.length)}`);
});

describe('a bounce', () => {
  let database: Database;
  let smtp: MailServer;
  let id: string;

  beforeAll(async () => {
    database = await testDatabase();
    smtp = await startMailServer();
  });
  afterAll(async () => {
    await smtp.close();
    await database.close();
  });
  const verifiedAt = async (): Promise<unknown> =>
    (await database.pool.query('select email_verified_at as at from identity_user')).rows[0]?.at;
  const told = async (): Promise<unknown[]> =>
    (await database.pool.query('select kind, values from notification')).rows;
  beforeEach(async () => {
    await emptyTables(database);
    await database.pool.query(
      `insert into identity_user (id, user_name, email, email_verified_at, password_hash)
       values ('user_1', 'anna', $1, now() - interval '1 day', 'x')`,
      [ADDRESS],
    );
    await database.pool.query("insert into app_user (identity_id, user_name) values ('user_1', 'anna')");
    const mail = { to: ADDRESS, language: 'en', kind: 'password_changed', values: {}, lifeS: 600 } as const;
    for (const dedupe of ['first', 'second']) await queueMail(database.pool, { ...mail, dedupe });
    const delivery = mailDelivery(database.pool, { url: smtp.url, from: 'Pool <mail@pool.example>' });
    smtp.received.length = 0;
    await new Sender({
      pool: database.pool,
      bus: new Bus(),
      log: createLog('silent'),
      delivery,
      now: () => Date.now() / 1000 + 1,
    }).round();
    delivery.close();
    id = smtp.received[0]?.messageId ?? '';
  });
  const take = async (message: string): Promise<string> => {
    const bounce = bounceIn(message);
    return bounce ? takeBounce(database.pool, bounce) : 'none';
  };

  const GONE = { status: '5.1.1', answer: '550 5.1.1 <x>: User unknown' };
  it('ends mails to an address that is gone, and its owner is told once', async () => {
    for (let i = 0; i < 2; i += 1) await take(report(id, GONE));
    expect(await verifiedAt()).toBeNull();
    expect(await told()).toEqual([{ kind: 'mail_refused', values: { address: ADDRESS } }]);
    const { rows } = await database.pool.query('select status from outbox order by id');
    expect(rows).toEqual([{ status: 'sent' }, { status: 'failed' }]);
  });

  it.each<[string, (id: string) => string]>([
    ['about a full mailbox', (own) => report(own, { status: '5.2.2' })],
    ['of where its owner forwards mails to', (own) => report(own, { ...GONE, to: 'old@else.example' })],
    // The number is easy to guess, the token is not.
    ['that a stranger made up', (own) => report(own.replace(/\.[\da-f]{8}/, '.00000000'), GONE)],
  ])('%s does nothing', async (_, form) => {
    expect(await take(form(id))).toMatch(/Nothing is done\.$/);
    expect(await verifiedAt()).not.toBeNull();
    expect(await told()).toEqual([]);
  });

  it('an address that was confirmed since stays', async () => {
    await database.pool.query("update identity_user set email_verified_at = now() + interval '1 minute'");
    await take(report(id, { status: '5.1.1' }));
    expect(await verifiedAt()).not.toBeNull();
    expect(await told()).toEqual([]);
  });
});
