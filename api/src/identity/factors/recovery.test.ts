/** The removal of a lost second factor, with real mails. */
import { codeIn } from '../../messages/mail/testing/smtp';
import type { Authenticator } from '../testing/authenticator';
import { Browser, HOST, PASSWORD, refusal } from '../testing/identity';
import { Attempts, MAIL_LIMITS } from '../limits/attempts';
import { flowId, linkIn, mailedService } from '../testing/mailed';

const pool = mailedService();

async function memberWithTwoStep(name: string): Promise<{ owner: Browser; authenticator: Authenticator }> {
  const owner = await pool.member(name);
  return { owner, authenticator: await pool.withTwoStep(owner) };
}
const cookieOf = ({ cookies }: Browser): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
let calls = 0;
/** Another address for each call of the pages, whose limit tests do not share. */
const remote = () => ({ remoteAddress: `10.4.0.${(calls += 1)}` });
const page = (browser: Browser) =>
  pool.app.inject({ ...remote(), url: '/account-recovery', headers: { host: HOST, cookie: cookieOf(browser) } });
const post = (browser: Browser, fields: Record<string, string>, origin = `http://${HOST}`) =>
  pool.app.inject({
    ...remote(),
    method: 'POST',
    url: '/account-recovery',
    headers: { host: HOST, origin, cookie: cookieOf(browser), 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });

/** Gives the password and the mailed code in a browser of the owner's. */
async function loseFactor(name: string): Promise<Browser> {
  const browser = new Browser(pool.app, '10.0.0.5');
  await browser.signIn(name);
  expect((await page(browser)).body).toContain('Second step lost?');
  expect((await post(browser, { step: 'send' })).body).toContain('Code from the mail');
  const code = codeIn(await pool.smtp.mail(/recovery code/));
  const wrong = await post(browser, { step: 'begin', code: code === '000000' ? '000001' : '000000' });
  expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('This code is wrong')]);
  expect((await post(browser, { step: 'begin', code })).body).toContain('The waiting time has started');
  expect((await page(browser)).body).toContain('Sign in first');
  return browser;
}
const run = () => pool.identity.recover();
/** Lets so many hours go by for the database. */
const later = (hours: number) =>
  pool.rows(
    `update identity_recovery
     set ready_at = ready_at - make_interval(hours => $1), notice_at = notice_at - make_interval(hours => $1)`,
    hours,
  );
const notices = () => pool.smtp.received.filter(({ subject }) => /will be removed/.test(subject)).length;
const isOn = async () =>
  (await pool.rows<{ on: boolean }>('select totp_since is not null as on from identity_user'))[0]?.on;

describe('a lost second factor', () => {
  it('is removed after 72 hours with a notice every day, and the owner is told', async () => {
    await memberWithTwoStep('anna');
    await loseFactor('anna');
    await run();
    const { text } = await pool.smtp.mail(/will be removed/);
    const [told] = await pool.rows<{ until: string }>(
      "select values ->> 'until' as until from notification where kind = 'recovery_begun'",
    );
    expect(text).toContain(` ${told?.until.slice(0, 16).replace('T', ' ')} UTC`);
    for (const day of [2, 3]) {
      await later(24);
      // Two servers run at the same time, and one of them once more.
      await Promise.all([run(), run()]);
      await run();
      await pool.smtp.mail(/will be removed/, day);
    }
    expect([await isOn(), notices()]).toEqual([true, 3]);
    await later(23);
    await run();
    expect(await isOn()).toBe(true);
    await later(1);
    await Promise.all([run(), run()]);
    expect([await isOn(), (await pool.kinds()).at(-1)]).toEqual([false, 'recovery_done']);
    expect((await pool.smtp.mail(/Two-step sign-in of anna is off/)).to).toBe('anna@example.com');
    expect(notices()).toBe(3);
    expect((await new Browser(pool.app).signIn('anna')).body.client?.sessions).toHaveLength(1);
  });

  it('a known device gets the code, however many codes strangers have asked for', async () => {
    const { owner } = await memberWithTwoStep('anna');
    const { user } = (await owner.session())!;
    await owner.ask('DELETE', '/client/sessions');
    await owner.signIn('anna');
    const sent = new Attempts(pool.database.pool, MAIL_LIMITS);
    for (let n = 0; n < 15; n += 1) await sent.take(user.id, { address: `10.5.0.${n % 3}` });
    expect((await post(owner, { step: 'send' })).body).toContain('Code from the mail');
    await pool.smtp.mail(/recovery code/);
  });

  it('waits for the notices that a server which was down did not send', async () => {
    await memberWithTwoStep('anna');
    await loseFactor('anna');
    await later(100);
    await run();
    await run();
    expect([await isOn(), (await pool.kinds()).filter((kind) => kind === 'recovery_begun').length]).toEqual([true, 2]);
  });

  it('a sign-in with the second factor cancels it', async () => {
    const { authenticator } = await memberWithTwoStep('anna');
    await loseFactor('anna');
    const signIn = async () => {
      const browser = new Browser(pool.app);
      const id = flowId(await browser.signIn('anna'));
      const code = await authenticator.next();
      return browser.ask('POST', `/client/sign_ins/${id}/attempt_second_factor`, { strategy: 'totp', code });
    };
    expect([(await signIn()).status, (await signIn()).status]).toEqual([200, 200]);
    await later(100);
    await run();
    expect([await isOn(), (await pool.kinds()).filter((kind) => kind === 'recovery_cancelled').length]).toEqual([
      true,
      1,
    ]);
  });

  it('the link in each notice cancels it, and shuts out who knows the password', async () => {
    const { owner } = await memberWithTwoStep('anna');
    await loseFactor('anna');
    const link = linkIn(await pool.smtp.mail(/will be removed/));
    expect((await pool.open(link)).body).toContain('Cancel the removal?');
    expect((await pool.press(link)).body).toContain('The second step stays');
    await later(100);
    await run();
    expect([await isOn(), await owner.session()]).toEqual([true, undefined]);
    expect(refusal(await owner.signIn('anna'))).toBe('422 form_password_incorrect password');
  });

  it.each([
    [
      'another factor than the one that was lost',
      "update identity_user set totp_since = totp_since + interval '1 hour'",
    ],
    ['that of an address which is confirmed no more', 'update identity_user set email_verified_at = null'],
    ['that of an admin by now', "update app_user set role = 'admin'"],
  ])('does not remove %s', async (_, change) => {
    await memberWithTwoStep('anna');
    await loseFactor('anna');
    await pool.rows(change);
    await pool.rows('update identity_recovery set notices = 3');
    await later(100);
    await run();
    expect([await isOn(), await pool.rows('select 1 from identity_recovery')]).toEqual([true, []]);
  });

  it.each([
    [
      'ten minutes are over',
      `update identity_client
       set flow = jsonb_set(flow, '{passwordAt}', to_jsonb((flow ->> 'passwordAt')::float8 - 6e5))`,
    ],
    ['the account has changed', 'update identity_user set updated_at = now()'],
    ['it owes a new password', `update identity_client set flow = jsonb_set(flow, '{status}', '"needs_new_password"')`],
  ])('is not begun by a browser that gave the password, once %s', async (_, change) => {
    await memberWithTwoStep('anna');
    await pool.rows("update identity_user set updated_at = 'epoch'");
    const browser = new Browser(pool.app, '10.0.0.7');
    await browser.signIn('anna');
    expect((await page(browser)).body).toContain('Second step lost?');
    await pool.rows(change);
    expect((await page(browser)).body).toContain('Sign in first');
  });

  it.each([
    ['that was never confirmed', 'update identity_user set email_verified_at = null', 'Sign in first'],
    ['that is not the account’s any more', "update identity_user set email = 'b@example.com'", 'This code is wrong'],
  ])('is not begun by a code to an address %s', async (_, change, answer) => {
    await memberWithTwoStep('anna');
    const browser = new Browser(pool.app, '10.0.0.8');
    await browser.signIn('anna');
    await post(browser, { step: 'send' });
    const code = codeIn(await pool.smtp.mail(/recovery code/));
    await pool.rows(change);
    expect((await post(browser, { step: 'begin', code })).body).toContain(answer);
    expect(await pool.rows('select 1 from identity_recovery')).toEqual([]);
  });

  it('is begun by nobody without the password just given, from another site, or for an admin', async () => {
    const { owner } = await memberWithTwoStep('anna');
    const stranger = new Browser(pool.app, '10.0.0.6');
    for (const other of [stranger, owner]) expect((await page(other)).body).toContain('Sign in first');
    await stranger.ask('POST', '/client/sign_ins', { identifier: 'anna' });
    expect((await page(stranger)).body).toContain('Sign in first');
    expect((await post(stranger, { step: 'send' })).body).toContain('Sign in first');
    await stranger.signIn('anna', 'wrong horse 9');
    expect((await page(stranger)).body).toContain('Sign in first');
    await stranger.signIn('anna', PASSWORD);
    expect((await post(stranger, { step: 'begin', code: '123456' })).statusCode).toBe(422);
    expect((await post(stranger, { step: 'send' }, 'https://evil.test')).body).toContain('Sign in first');
    await pool.rows("update app_user set role = 'admin'");
    expect((await page(stranger)).body).toContain('Ask the pool');
    expect((await post(stranger, { step: 'send' })).body).toContain('Sign in first');
    expect(pool.smtp.received.filter(({ subject }) => /recovery code/.test(subject))).toEqual([]);
  });
});
