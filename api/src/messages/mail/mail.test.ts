/** Mails through a real SMTP server, with its answers of bad days and its bounces; without one they are kept. */
import { LANGUAGES } from '@pool/shared/i18n/languages';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Bus } from '../../platform/bus';
import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import { createLog } from '../../platform/log';
import { lastFailures } from '../outbox/outbox';
import { Sender } from '../outbox/sender';
import { Secrets } from '../../platform/secrets';
import { writeNotes } from '../notifications';
import { bounceIn, isGone, takeBounce } from './bounce';
import { mailDelivery, type MailOptions } from './delivery';
import { keptDelivery, keptMails, setKeeping } from './kept';
import { queueMail, writeMail, writeNote, type Mail, type MailKind } from './mail';
import { queueNotes } from './notes';
import { codeIn, startMailServer, type MailServer } from './testing/smtp';
import { testSecrets } from '../../testing/secrets';
import { newFolder } from '../../testing/folder';

const SECRETS = testSecrets();

const KINDS: MailKind[] = ['reset', 'verify', 'sign_up_known', 'password_changed'];

const NOTES = ['set', 'changed', 'cancelled'].map((what) => `wallet_${what}`);
NOTES.push('wallet_changed_by_admin', 'pools_changed', 'pools_default', 'pools_held', 'pool_hold_off');
const VALUES = {
  ...{ name: '<b>x</b>', account: '<b>x</b>', time: '2026-11-25 10:00', ip: '10.0.0.1' },
  ...{ algorithm: 'SCRYPT', pool: 'Thief', oldAddress: 'bc1q…old', newAddress: 'bc1q…new', until: '2026-11-25T10:00Z' },
};
it.each(LANGUAGES)('%s: no mail has a gap, and values are text', (language) => {
  const mails = KINDS.map((kind) => writeMail({ language, kind, values: VALUES, code: '012345' }));
  for (const { text } of mails) expect(text).toMatch(/^012345$/m);
  const notes = NOTES.map((kind) => writeNote(language, { kind, values: VALUES }));
  for (const { subject, text, html } of [...mails, ...notes]) {
    expect(subject + text + html).not.toMatch(/\{\{|undefined|note\.|notification\./);
    expect(html).toContain(`lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`);
    expect(html).not.toContain('<b>x</b>');
  }
});

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
    expect(bounceIn(`X-Failed-Recipients: ${part.repeat(1_000_000 / part.length)}`)).toBeNull();
});

describe('sending', () => {
  const database = databaseOfFile();
  let smtp: MailServer;
  let logged: string;
  let now: number;
  let open: { close(): void }[];

  beforeEach(async () => {
    await emptyTables(database);
    smtp = await startMailServer();
    logged = '';
    // A time after what the tests queue.
    now = Date.now() / 1000 + 60;
    open = [];
  });
  afterEach(async () => {
    for (const delivery of open) delivery.close();
    await smtp.close();
  });

  function sender(url = smtp.url, links?: MailOptions['links']): Sender {
    const write = (chunk: Buffer, _: unknown, done: () => void): void => {
      logged += chunk.toString();
      done();
    };
    const delivery = mailDelivery(database.pool, {
      url,
      from: 'Pool <mail@pool.example>',
      secrets: SECRETS,
      links,
    });
    open.push(delivery);
    const log = createLog('debug', new Writable({ write }));
    return new Sender({ pool: database.pool, bus: new Bus(), log, delivery, now: () => now });
  }
  const put = (to: string, more: Partial<Mail> = {}): Promise<void> =>
    queueMail(database.pool, SECRETS, {
      to,
      language: 'en',
      kind: 'reset',
      values: { name: 'anna' },
      code: '123456',
      dedupe: to,
      lifeS: 600,
      ...more,
    });
  /** Somebody with a confirmed address. */
  const confirmed = async (address: string): Promise<void> => {
    await insertUsers(database, 'anna');
    await database.pool.query(
      `insert into identity_user (id, user_name, email, email_verified_at, password_hash)
       values ('user_1', 'anna', $1, now() - interval '1 day', 'x')`,
      [address],
    );
  };
  const verifiedAt = async (): Promise<unknown> =>
    (await database.pool.query('select email_verified_at as at from identity_user')).rows[0]?.at;
  const told = async (): Promise<unknown[]> =>
    (await database.pool.query('select kind, values from notification')).rows;
  const rows = async (): Promise<unknown[]> =>
    (await database.pool.query('select status, attempts, content is null as empty from outbox order by id')).rows.map(
      (row: Record<string, unknown>) => [row.status, row.attempts, row.empty],
    );

  it('once, plain and as HTML; the code is kept no longer', async () => {
    await put('anna@example.com');
    await put('anna@example.com');
    // A reader of the database or of a backup does not read the code meanwhile.
    const waiting = JSON.stringify((await database.pool.query('select * from outbox')).rows);
    expect(waiting).not.toContain('123456');
    const mails = sender();
    expect([await mails.round(), await mails.round()]).toEqual([1, 0]);
    expect(smtp.received).toEqual([
      expect.objectContaining({
        to: 'anna@example.com',
        from: 'mail@pool.example',
        subject: 'Your password reset code: 123456',
        html: expect.stringContaining('<p class="code"><bdi>123456</bdi></p>') as string,
        messageId: expect.stringMatching(/^<outbox-\d+\.[\da-f-]{36}@pool\.example>$/) as string,
      }),
    ]);
    expect(codeIn(smtp.received[0]!)).toBe('123456');
    expect(await rows()).toEqual([['sent', 1, true]]);
  });

  it.each<[when: string, mood: number | { toMail: number }]>([
    ['at once', 550],
    ['when the server has the mail', { toMail: 550 }],
  ])(
    'an address that is refused for good %s counts as not confirmed, and nothing more waits for it',
    async (_, mood) => {
      await confirmed('anna@example.com');
      await put('anna@example.com');
      await put('anna@example.com', { dedupe: 'second' });
      smtp.be(mood);
      await sender().round();
      expect(await rows()).toEqual([
        ['failed', 1, true],
        ['failed', 0, true],
      ]);
      expect(await verifiedAt()).toBeNull();
      expect(await told()).toEqual([{ kind: 'mail_refused', values: { address: 'anna@example.com' } }]);
    },
  );

  it('what was sealed with a key that is lost is given up, and holds nothing back', async () => {
    await queueMail(database.pool, new Secrets([Buffer.alloc(32, 'lost')]), {
      ...{ to: 'old@example.com', language: 'en', kind: 'reset', values: { name: 'anna' }, code: '123456' },
      ...{ dedupe: 'old', lifeS: 600 },
    });
    await put('anna@example.com');
    const mails = sender();
    await mails.round();
    await mails.round();
    expect(smtp.received.map(({ to }) => to)).toEqual(['anna@example.com']);
    expect(await rows()).toEqual([
      ['failed', 1, true],
      ['sent', 1, true],
    ]);
  });

  it('what a server has against the pool says nothing of the address: the mail is tried again', async () => {
    await put('anna@example.com');
    smtp.be(554);
    await sender().round();
    expect(await rows()).toEqual([['waiting', 1, false]]);
  });

  it('a server that takes no more for now is left alone for a minute, whoever is written to', async () => {
    for (const who of ['anna', 'boris', 'clara']) await put(`${who}@example.com`);
    smtp.be(421);
    const post = sender();
    await post.round();
    now += 59;
    expect(await post.round()).toBe(0);
    expect(await rows()).toEqual(Array(3).fill(['waiting', 1, false]));
  });

  it('a warning goes to a confirmed address only, in its language, with a link where the pool has an address', async () => {
    const { pool } = database;
    await pool.query(
      `insert into identity_user (id, user_name, email, email_verified_at, language, password_hash)
       values ('u1', 'anna', 'anna@example.com', now(), 'ru', 'x'), ('u2', 'bela', 'bela@example.com', null, null, 'x')`,
    );
    const { rows } = await pool.query<{ id: number }>(
      "insert into app_user (identity_id, user_name) values ('u1', 'anna'), ('u2', 'bela') returning id",
    );
    const warn = (first: number) =>
      queueNotes(
        pool,
        rows.flatMap(({ id: userId }, i) =>
          ['wallet_changed', 'worker_offline'].map((kind, j) => ({
            id: first + 2 * i + j,
            userId,
            kind,
            values: { account: 'anna', oldAddress: 'old', newAddress: 'new' },
          })),
        ),
        now - 60,
      );
    await warn(1);
    await sender().round();
    await warn(5);
    await sender(smtp.url, { poolUrl: 'https://pool.example', secrets: new Secrets([]) }).round();
    expect(smtp.received.map(({ to, subject }) => [to, subject])).toEqual(
      Array(2).fill(['anna@example.com', 'Адрес выплат anna изменён']),
    );
    const [without, withLink] = smtp.received;
    expect(without?.text).not.toContain('http');
    expect(withLink?.text).toMatch(/\nhttps:\/\/pool\.example\n*$/);
    expect(withLink?.html).toContain('<a href="https://pool.example">');
  });

  it('a server that is down for an hour loses none, but codes that are no longer valid are not sent', async () => {
    const { url } = smtp;
    await smtp.close();
    await put('anna@example.com');
    await put('bela@example.com', { kind: 'password_changed', code: undefined, lifeS: 86_400 });
    const mails = sender(url);
    for (let minute = 0; minute < 60; minute += 5) {
      await mails.round();
      now += 300;
    }
    expect(logged).toContain('ESOCKET');
    expect(logged).not.toContain('secret');
    smtp = await startMailServer();
    now += 900;
    await sender().round();
    expect(smtp.received.map(({ to }) => to)).toEqual(['bela@example.com']);
  });

  // Chocobozzz/PeerTube#373
  it('a server whose certificate nobody signed: the log and the admins are told so, the mail is kept', async () => {
    const self = await startMailServer({ starttls: true });
    await put('anna@example.com');
    await sender(self.url).round();
    await self.close();
    expect(await rows()).toEqual([['waiting', 1, false]]);
    expect(logged).toContain('self-signed certificate');
    expect(await lastFailures(database.pool)).toEqual([
      { channel: 'mail', reason: expect.stringContaining('self-signed certificate'), at: now, isDown: true },
    ]);
  });

  it('ends a round at a server that says nothing', async () => {
    smtp.be('silent');
    await put('anna@example.com');
    await put('bela@example.com');
    // Ten seconds in production.
    await sender(`${smtp.url}?greetingTimeout=500`).round();
    expect(await rows()).toEqual([
      ['waiting', 1, false],
      ['waiting', 1, false],
    ]);
    expect(logged.match(/was not taken/g)).toHaveLength(1);
  });

  describe('a bounce', () => {
    let id: string;
    beforeEach(async () => {
      await confirmed(ADDRESS);
      await put(ADDRESS, { dedupe: 'first' });
      await put(ADDRESS, { dedupe: 'second' });
      await sender().round();
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

  it('without a server warnings are files that admins are shown; codes are not kept, and old or many files go', async () => {
    const { pool } = database;
    const folder = newFolder();
    const files = () => readdirSync(join(folder, 'mail'));
    const write = (name: string, mail: string) => writeFileSync(join(folder, 'mail', name), mail);
    await confirmed('anna@example.com');
    await setKeeping(pool, folder, true);
    const change = { account: 'anna', oldAddress: '1old', newAddress: '1new' };
    await writeNotes(pool, [{ userId: 1, kind: 'wallet_changed', values: change }], now - 60);
    await put('anna@example.com');
    const delivery = keptDelivery(pool, folder);
    const keeper = new Sender({ pool, bus: new Bus(), log: createLog('silent'), delivery, now: () => now });
    while (await keeper.round());
    expect(await keptMails(folder, now)).toEqual([
      expect.objectContaining({
        to: expect.stringContaining('anna') as string,
        subject: 'The payout address of anna was changed',
        text: expect.stringContaining('1new') as string,
      }),
    ]);
    expect(files()).toHaveLength(1);

    const at = (n: number): string => new Date(Date.now() - n * 60_000).toISOString();
    for (let n = 0; n < 210; n += 1)
      write(`${1000 + n}.json`, JSON.stringify({ at: at(n), to: 'x', subject: 's', text: 't' }));
    const content = JSON.stringify({ subject: 's', text: 't', withLink: true });
    await delivery.send({ id: 5000, token: '', target: 'y', content, attempts: 1 });
    expect(files()).toHaveLength(200);
    expect(await keptMails(folder, now)).toHaveLength(50);
    write('6000.json', '{"at":"2026-');
    await delivery.clean?.(now + 7 * 86_400 - 60 * 60);
    expect(files().length).toBeLessThan(70);
    await setKeeping(pool, folder, false);
    expect(readdirSync(folder)).not.toContain('mail');
  });
});
