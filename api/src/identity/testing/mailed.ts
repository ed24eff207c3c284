/** Test helper: the sign-in service with the pool's own accounts and a real SMTP server, and links in its mails. */
import { announceOn, Bus } from '../../platform/bus';
import { poolAccounts } from '../people/pool-accounts';
import type { Database } from '../../platform/db/database';
import { emptyTables, testDatabase } from '../../platform/db/testing/test-database';
import { createLog } from '../../platform/log';
import { mailerOf } from '../../messages/mail';
import { mailDelivery } from '../../messages/mail/delivery';
import { Sender } from '../../messages/outbox/sender';
import { codeIn, startMailServer, type MailServer, type Received } from '../../messages/mail/testing/smtp';
import { eventually } from '../../testing/eventually';
import { testSecrets } from '../../testing/secrets';
import { Authenticator } from './authenticator';
import { Browser, HOST, startService, type Answer } from './identity';

export const linkIn = ({ text }: Received): string =>
  /https:\/\/pool\.test:3000(\/account-link\?token=\S+)/.exec(text)?.[1] ?? '';
export const tokenOf = (link: string): string => new URLSearchParams(link.split('?')[1]).get('token') ?? '';
export const flowId = ({ body }: Answer): string => String(body.response?.id);

class Mailed {
  database!: Database;
  smtp!: MailServer;
  sender!: Sender;
  app!: Awaited<ReturnType<typeof startService>>['app'];
  identity!: Awaited<ReturnType<typeof startService>>['identity'];
  /** Paths that are registered. */
  routes!: string[];

  rows = async <T>(sql: string, ...values: unknown[]): Promise<T[]> =>
    (await this.database.pool.query(sql, values)).rows as T[];
  /** Kinds of the notifications, in their order. */
  kinds = async (): Promise<string[]> =>
    (await this.rows<{ kind: string }>('select kind from notification order by id')).map(({ kind }) => kind);

  /** Somebody with two-step sign-in on. */
  async withTwoStep(browser: Browser): Promise<Authenticator> {
    const { secret } = (await browser.ask('POST', '/me/totp', {})).body.response as unknown as { secret: string };
    const authenticator = new Authenticator(secret);
    const on = await browser.ask('POST', '/me/totp/attempt_verification', { code: await authenticator.next() });
    expect(on.status).toBe(200);
    return authenticator;
  }

  /** Somebody with a confirmed address, signed in. */
  async member(name: string): Promise<Browser> {
    const browser = new Browser(this.app);
    const id = flowId(await browser.signUp(name));
    await browser.ask('POST', `/client/sign_ups/${id}/prepare_verification`, { strategy: 'email_code' });
    const mail = await eventually(
      () => this.smtp.received.find(({ to, subject }) => to.startsWith(name) && /confirmation code/.test(subject)),
      'the code',
    );
    await browser.ask('POST', `/client/sign_ups/${id}/attempt_verification`, {
      strategy: 'email_code',
      code: codeIn(mail),
    });
    return browser;
  }

  open = (link: string) => this.app.inject({ url: link, headers: { host: HOST, 'accept-language': 'en' } });
  /** Presses the button of the link's page. */
  press = (link: string) =>
    this.app.inject({
      method: 'POST',
      url: '/account-link',
      headers: { host: HOST, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ token: tokenOf(link) }).toString(),
    });
}

/** Call it once in a test file. Each test begins with empty tables, once all mails of the test before have come. */
export function mailedService(): Mailed {
  const it = new Mailed();
  beforeAll(async () => {
    it.database = await testDatabase();
    it.smtp = await startMailServer();
    const { pool } = it.database;
    const bus = new Bus();
    const pace = { targetGapS: 0, gapMs: 0, roundMs: 5 };
    const secrets = testSecrets();
    announceOn(bus, pool);
    const delivery = mailDelivery(pool, { url: it.smtp.url, from: 'Pool <mail@pool.test>', pace, secrets });
    it.sender = new Sender({ pool, bus, log: createLog('silent'), delivery });
    const options = { mailer: mailerOf(secrets), publicUrl: `https://${HOST}/` };
    Object.assign(it, await startService(pool, poolAccounts(pool), options));
  });
  afterEach(async () => {
    const waiting = () => it.rows("select from outbox where status = 'waiting'");
    await eventually(async () => (await waiting()).length === 0, 'the last mail');
    await emptyTables(it.database);
    it.smtp.received.length = 0;
  });
  afterAll(async () => {
    await it.app.close();
    await it.sender.stop();
    await it.smtp.close();
    await it.database.close();
  });
  return it;
}
