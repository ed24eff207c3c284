/** Mails go out through a real SMTP server, with the answers that servers give on bad days. */
import { LANGUAGES } from '@pool/shared/i18n/languages';
import { Writable } from 'node:stream';
import { Bus } from '../../platform/bus';
import { emptyTables, databaseOfFile } from '../../platform/db/testing/test-database';
import { createLog } from '../../platform/log';
import { lastFailures } from '../outbox/outbox';
import { Sender } from '../outbox/sender';
import { Secrets } from '../../platform/secrets';
import { mailDelivery, type MailOptions } from './delivery';
import { queueMail, writeMail, writeNote, type Mail, type MailKind } from './mail';
import { queueNotes } from './notes';
import { codeIn, startMailServer, type MailServer } from './testing/smtp';

const KINDS: MailKind[] = ['reset', 'verify', 'sign_up_known', 'password_changed'];

it.each(LANGUAGES.flatMap((language) => KINDS.map((kind) => [language, kind] as const)))(
  '%s: %s has no gap, and values are text',
  (language, kind) => {
    const addresses = { oldAddress: '1Bv…NVN2', newAddress: 'bc1…mdq', until: '2026-11-28 10:00' };
    const values = { name: '<b>x</b>', time: '2026-11-25 10:00', ip: '10.0.0.1', ...addresses };
    const { subject, text, html } = writeMail({ language, kind, values, code: '012345' });
    expect(subject + text + html).not.toMatch(/\{\{|undefined/);
    expect(text).toMatch(/^012345$/m);
    expect(html).toContain(`lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`);
    expect(html).not.toContain('<b>x</b>');
  },
);

const NOTES = ['set', 'changed', 'cancelled'].map((what) => `wallet_${what}`);
NOTES.push('wallet_changed_by_admin', 'pools_changed', 'pools_default', 'pools_held', 'pool_hold_off');
const VALUES = {
  account: '<b>x</b>',
  algorithm: 'SCRYPT',
  pool: 'Thief',
  oldAddress: 'bc1q…old',
  newAddress: 'bc1q…new',
  until: '2026-11-25T10:00:00.000Z',
};
it.each(LANGUAGES.flatMap((language) => NOTES.map((kind) => [language, kind] as const)))(
  '%s: a mailed notification %s has no gap, and values are text',
  (language, kind) => {
    const { subject, text, html } = writeNote(language, { kind, values: VALUES });
    expect(subject + text + html).not.toMatch(/\{\{|undefined|note\.|notification\./);
    expect(html).toContain(`lang="${language}"`);
    expect(html).not.toContain('<b>x</b>');
  },
);

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
      links,
    });
    open.push(delivery);
    const log = createLog('debug', new Writable({ write }));
    return new Sender({ pool: database.pool, bus: new Bus(), log, delivery, now: () => now });
  }
  const put = (to: string, more: Partial<Mail> = {}): Promise<void> =>
    queueMail(database.pool, {
      to,
      language: 'en',
      kind: 'reset',
      values: { name: 'anna' },
      code: '123456',
      dedupe: to,
      lifeS: 600,
      ...more,
    });
  const rows = async (): Promise<unknown[]> =>
    (await database.pool.query('select status, attempts, content is null as empty from outbox order by id')).rows.map(
      (row: Record<string, unknown>) => [row.status, row.attempts, row.empty],
    );

  it('once, plain and as HTML; the code is kept no longer', async () => {
    await put('anna@example.com');
    await put('anna@example.com');
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
      await database.pool.query(
        `insert into identity_user (id, user_name, email, email_verified_at, password_hash)
       values ('user_1', 'anna', 'anna@example.com', now(), 'x')`,
      );
      await database.pool.query("insert into app_user (identity_id, user_name) values ('user_1', 'anna')");
      await put('anna@example.com');
      await put('anna@example.com', { dedupe: 'second' });
      smtp.be(mood);
      await sender().round();
      expect(await rows()).toEqual([
        ['failed', 1, true],
        ['failed', 0, true],
      ]);
      const { rows: users } = await database.pool.query('select email_verified_at as at from identity_user');
      expect(users).toEqual([{ at: null }]);
      const { rows: told } = await database.pool.query('select kind, values from notification');
      expect(told).toEqual([{ kind: 'mail_refused', values: { address: 'anna@example.com' } }]);
    },
  );

  it('what a server has against the pool says nothing of the address: the mail is tried again', async () => {
    await put('anna@example.com');
    smtp.be(554);
    await sender().round();
    expect(await rows()).toEqual([['waiting', 1, false]]);
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
});
