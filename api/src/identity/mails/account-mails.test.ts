/** Codes and links in mails that went through a real SMTP server. */
import { rowsOf } from '../../platform/db/querier';
import type { UserRow } from '../store';
import { noteFailure } from '../../messages/outbox/outbox';
import { eventually } from '../../testing/eventually';
import { codeIn } from '../../messages/mail/testing/smtp';
import { Browser, PASSWORD, refusal, type Answer } from '../testing/identity';
import { flowId, linkIn, mailedService, tokenOf } from '../testing/mailed';

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const pool = mailedService();

type Flow = { id: string; status: string; unverified_fields: string[]; verifications: unknown };
const flowOf = ({ body }: Answer): Flow => body.response as unknown as Flow;
const userOf = async (userName: string) =>
  (await rowsOf<UserRow>(pool.database.pool, 'select * from identity_user where user_name = $1', [userName]))[0];

it('a code that cannot be sent is not promised, and one is sent as soon as the server is back', async () => {
  const browser = new Browser(pool.app);
  const { id } = flowOf(await browser.signUp('anna'));
  const prepare = () => browser.ask('POST', `/client/sign_ups/${id}/prepare_verification`, { strategy: 'email_code' });
  await noteFailure(pool.database.pool, {
    channel: 'mail',
    reason: 'ESOCKET CONN self-signed certificate',
    at: Date.now() / 1000,
    isDown: true,
  });
  expect(refusal(await prepare())).toMatch(/^503 mail_unavailable/);
  await pool.smtp.mail(/confirmation code/);
  await eventually(async () => (await prepare()).status === 200, 'codes are promised again');
});

describe('sign-up', () => {
  it('makes the account with the code that was mailed, and only with it', async () => {
    const browser = new Browser(pool.app);
    const begun = await browser.signUp('anna');
    expect(flowOf(begun)).toMatchObject({ status: 'missing_requirements', unverified_fields: ['email_address'] });
    expect(await userOf('anna')).toBeUndefined();
    const { id } = flowOf(begun);
    const attempt = (code: string): Promise<Answer> =>
      browser.ask('POST', `/client/sign_ups/${id}/attempt_verification`, { strategy: 'email_code', code });
    expect(refusal(await attempt('123456'))).toBe('422 verification_expired code');
    await browser.ask('POST', `/client/sign_ups/${id}/prepare_verification`, { strategy: 'email_code' });
    const code = codeIn(await pool.smtp.mail(/confirmation code/));
    expect(refusal(await attempt(code === '000000' ? '000001' : '000000'))).toBe('422 form_code_incorrect code');
    expect(flowOf(await attempt(code)).status).toBe('complete');
    expect((await userOf('anna'))?.emailVerifiedAt).toBeInstanceOf(Date);
    expect(await browser.session()).toBeDefined();
  });

  it('takes no code before the form is whole, and none that went to the address before', async () => {
    const browser = new Browser(pool.app);
    const id = flowId(await browser.ask('POST', '/client/sign_ups', { username: 'anna' }));
    const path = `/client/sign_ups/${id}`;
    const prepare = () => browser.ask('POST', `${path}/prepare_verification`, { strategy: 'email_code' });
    const attempt = (code: string) => browser.ask('POST', `${path}/attempt_verification`, { code });
    const notYet = '422 strategy_for_user_invalid strategy';
    expect([refusal(await prepare()), refusal(await attempt('123456'))]).toEqual([notYet, notYet]);
    await browser.ask('PATCH', path, { email_address: 'anna@example.com', password: PASSWORD });
    await prepare();
    const code = codeIn(await pool.smtp.mail(/confirmation code/));
    const other = await browser.ask('PATCH', path, { email_address: 'other@example.com', password: PASSWORD });
    expect(flowId(other)).toBe(id);
    expect(refusal(await attempt(code))).toBe('422 verification_expired code');
    await browser.ask('PATCH', path, { email_address: 'anna@example.com' });
    expect(refusal(await attempt(code))).toBe(notYet);
    expect(await userOf('anna')).toBeUndefined();
  });

  it('with an address that is taken says the same, and tells its owner', async () => {
    await pool.member('anna');
    const browser = new Browser(pool.app, '10.0.0.2');
    const begun = await browser.signUp('bela', { email_address: 'anna@example.com' });
    expect(flowOf(begun).unverified_fields).toEqual(['email_address']);
    const { id } = flowOf(begun);
    const asked = await browser.ask('POST', `/client/sign_ups/${id}/prepare_verification`, { strategy: 'email_code' });
    expect([asked.status, flowOf(asked).status]).toEqual([200, 'missing_requirements']);
    const mail = await pool.smtp.mail(/already have an account/);
    expect([mail.to, codeIn(mail)]).toEqual(['anna@example.com', '']);
    expect(await userOf('bela')).toBeUndefined();
  });
});

const addressPath = (id: string, action: string): string => `/me/email_addresses/${id}/${action}_verification`;
const askCode = (browser: Browser, id = 'idn_new') =>
  browser.ask('POST', addressPath(id, 'prepare'), { strategy: 'email_code' });
const enterCode = (browser: Browser, code: string, id = 'idn_new') =>
  browser.ask('POST', addressPath(id, 'attempt'), { code });

describe('the own address', () => {
  it('is confirmed by code', async () => {
    const user = await pool.member('anna');
    await pool.rows('update identity_user set email_verified_at = null');
    // However long ago the sign-in was.
    await pool.rows("update identity_session set signed_in_at = 'epoch'");
    pool.smtp.received.length = 0;
    expect(refusal(await enterCode(user, '123456', 'idn_anna'))).toBe('422 verification_expired code');
    await user.ask('POST', '/me/change_password', { current_password: PASSWORD, new_password: 'another horse 8' });
    await askCode(user, 'idn_anna');
    const code = codeIn(await pool.smtp.mail(/confirmation code/));
    const done = await enterCode(user, code, 'idn_anna');
    expect(done.body.response).toMatchObject({ verification: { status: 'verified', strategy: 'email_code' } });
    // Nothing else is mailed to who never confirmed it.
    expect([await pool.kinds(), pool.smtp.received.length]).toEqual([[], 1]);
    expect(refusal(await askCode(user, 'idn_anna'))).toBe('422 strategy_for_user_invalid strategy');
  });
});

/** A sign-in from a browser that the account does not know. */
async function signInElsewhere(name: string): Promise<{ thief: Browser; link: string }> {
  const thief = new Browser(pool.app, '203.0.113.7');
  const id = flowId(await thief.ask('POST', '/client/sign_ins', { identifier: name }));
  await thief.ask(
    'POST',
    `/client/sign_ins/${id}/attempt_first_factor`,
    { strategy: 'password', password: PASSWORD },
    { 'user-agent': CHROME },
  );
  expect(await thief.session()).toBeDefined();
  return { thief, link: linkIn(await pool.smtp.mail(/New sign-in/)) };
}

describe('a sign-in from a new browser', () => {
  it('is told by mail and bell, once for each browser; the token of its link is not stored as it is', async () => {
    const owner = await pool.member('anna');
    expect(await pool.kinds()).toEqual([]);
    await owner.ask('DELETE', '/client/sessions');
    expect((await owner.signIn('anna')).status).toBe(200);
    const { thief, link } = await signInElsewhere('anna');
    const mail = await pool.smtp.mail(/New sign-in to anna/);
    expect(mail).toMatchObject({
      to: 'anna@example.com',
      text: expect.stringMatching(/Chrome, Windows.*203\.0\.113\.7/),
    });
    const lives =
      'select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from outbox order by id';
    expect(await pool.rows(lives)).toEqual([{ hours: 0 }, { hours: 168 }]);
    const stored = JSON.stringify(await pool.rows('select * from identity_link'));
    expect(stored).toContain('not_me');
    expect(stored).not.toContain(tokenOf(link));
    await thief.ask('DELETE', '/client/sessions');
    expect((await thief.signIn('anna')).status).toBe(200);
    expect(await pool.kinds()).toEqual(['sign_in_new']);
    expect(pool.smtp.received.filter(({ subject }) => /New sign-in/.test(subject))).toHaveLength(1);
  });

  it('knows a browser after a new password, and with two accounts', async () => {
    const browser = await pool.member('anna');
    const password = 'another horse 8 battery';
    const again = async (name: string, word: string): Promise<void> => {
      await browser.ask('DELETE', '/client/sessions');
      expect((await browser.signIn(name, word)).status).toBe(200);
    };
    await browser.ask('POST', '/me/change_password', { current_password: PASSWORD, new_password: password });
    await pool.rows(
      `insert into identity_user (id, user_name, email, email_verified_at, password_hash)
       select 'user_bela', 'bela', 'bela@example.com', now(), password_hash from identity_user`,
    );
    await again('bela', password);
    expect((await pool.smtp.mail(/New sign-in/)).to).toBe('bela@example.com');
    for (const name of ['anna', 'bela', 'anna']) await again(name, password);
    expect((await pool.rows('select 1 from identity_link')).length).toBe(1);
  });
});

/** Begins to change the address of a signed-in browser; returns the code. */
async function beginChange(browser: Browser, address: string): Promise<string> {
  expect((await browser.ask('POST', '/me/email_addresses', { email_address: address })).status).toBe(200);
  const before = pool.smtp.received.length;
  expect((await askCode(browser)).status).toBe(200);
  const mail = await eventually(() => pool.smtp.received.slice(before).find(({ to }) => to === address), 'the code');
  return codeIn(mail) || '000000';
}
/** Confirms another address for a signed-in browser; returns the answer to the code. */
const changeEmail = async (browser: Browser, address: string): Promise<Answer> =>
  enterCode(browser, await beginChange(browser, address));
const addresses = () =>
  pool.rows(
    'select i.user_name, i.email, a.email as pool from identity_user i join app_user a on a.identity_id = i.id order by 1',
  );

describe('another e-mail address', () => {
  it('takes its place with a code, after a recent sign-in; the old one is told', async () => {
    const owner = await pool.member('anna');
    await pool.rows("update identity_session set signed_in_at = now() - interval '11 minutes'");
    const late = await owner.ask('POST', '/me/email_addresses', { email_address: 'new@example.com' });
    expect(refusal(late)).toBe('403 session_reverification_required');
    // Nor is a change gone on with at any age.
    await pool.rows('update identity_session set signed_in_at = now()');
    await owner.ask('POST', '/me/email_addresses', { email_address: 'new@example.com' });
    await pool.rows("update identity_session set signed_in_at = now() - interval '11 minutes'");
    expect(refusal(await askCode(owner))).toBe('403 session_reverification_required');
    await pool.rows('update identity_session set signed_in_at = now()');
    expect((await changeEmail(owner, 'new@example.com')).body.response).toMatchObject({
      email_address: 'new@example.com',
      verification: { status: 'verified' },
    });
    expect(await addresses()).toEqual([{ user_name: 'anna', email: 'new@example.com', pool: 'new@example.com' }]);
    const told = await pool.smtp.mail(/address of anna was changed/);
    expect([told.to, told.text]).toEqual(['anna@example.com', expect.stringContaining('new@example.com')]);
    expect(await owner.session()).toBeDefined();
    expect(await pool.rows('select kind, values from notification')).toEqual([
      { kind: 'email_changed', values: { email: 'new@example.com' } },
    ]);
    // Used once.
    expect(refusal(await enterCode(owner, '000000'))).toBe('422 verification_expired code');
  });

  it('is another one, and each code is for what it was asked for', async () => {
    const owner = await pool.member('anna');
    const same = await owner.ask('POST', '/me/email_addresses', { email_address: ' Anna@example.com' });
    expect(refusal(same)).toBe('422 form_identifier_exists email_address');
    expect(refusal(await askCode(owner))).toBe('422 strategy_for_user_invalid strategy');
    const code = await beginChange(owner, 'new@example.com');
    expect(refusal(await enterCode(owner, code, 'idn_anna'))).toBe('422 verification_expired code');
    await pool.rows('update identity_user set email_verified_at = null');
    pool.smtp.received.length = 0;
    await askCode(owner, 'idn_anna');
    const own = codeIn(await pool.smtp.mail(/confirmation code/));
    expect(refusal(await enterCode(owner, own))).toBe('422 verification_expired code');
    expect(await addresses()).toMatchObject([{ email: 'anna@example.com' }]);
  });

  it.each([
    ['belongs to somebody', "update identity_user set email = 'new@example.com' where id = 'user_b'"],
    [
      'can be put back by somebody',
      `insert into identity_link (token_hash, user_id, kind, email, expires_at)
       values ('x', 'user_b', 'restore_email', 'new@example.com', now() + interval '1 hour')`,
    ],
  ])('is not taken by a right code once it %s', async (_, meanwhile) => {
    const owner = await pool.member('anna');
    await pool.rows("insert into identity_user (id, user_name, password_hash) values ('user_b', 'bela', 'x')");
    const code = await beginChange(owner, 'new@example.com');
    await pool.rows(meanwhile);
    expect(refusal(await enterCode(owner, code))).toBe('422 verification_expired code');
    expect(await addresses()).toMatchObject([{ email: 'anna@example.com' }]);
  });

  it('that belongs to somebody says the same, and changes nothing', async () => {
    await pool.member('bela');
    pool.smtp.received.length = 0;
    const owner = await pool.member('anna');
    const answer = await changeEmail(owner, 'bela@example.com');
    expect(refusal(answer)).toBe('422 form_code_incorrect code');
    expect((await pool.smtp.mail(/belongs to your account already/)).text).toContain('anna');
    expect(await addresses()).toMatchObject([{ email: 'anna@example.com' }, { email: 'bela@example.com' }]);
  });

  it('is undone from the old one, however often it was changed; nobody gets the old one meanwhile', async () => {
    const owner = await pool.member('anna');
    await changeEmail(owner, 'thief@example.com');
    const undo = linkIn(await pool.smtp.mail(/address of anna was changed/));
    await changeEmail(owner, 'thief2@example.com');
    const thiefs = linkIn(await pool.smtp.mail(/address of anna was changed/, 2));
    const other = new Browser(pool.app, '203.0.113.9');
    const id = flowId(await other.signUp('bela', { email_address: 'anna@example.com' }));
    await other.ask('POST', `/client/sign_ups/${id}/prepare_verification`, { strategy: 'email_code' });
    expect((await pool.smtp.mail(/already have an account/)).to).toBe('anna@example.com');
    // The thief has asked for a code to the new address, which must not open the account later.
    const reset = flowId(await other.ask('POST', '/client/sign_ins', { identifier: 'anna' }));
    const step = (action: string, fields: Record<string, string>) =>
      other.ask('POST', `/client/sign_ins/${reset}/${action}`, { strategy: 'reset_password_email_code', ...fields });
    await step('prepare_first_factor', { email_address_id: 'idn_reset' });
    const code = codeIn(await pool.smtp.mail(/reset code/));
    expect((await pool.open(undo)).body).toContain('Restore your address?');
    expect((await pool.press(undo)).body).toContain('Your address is restored');
    expect(await addresses()).toEqual([{ user_name: 'anna', email: 'anna@example.com', pool: 'anna@example.com' }]);
    expect(await owner.session()).toBeUndefined();
    expect((await pool.press(thiefs)).statusCode).toBe(404);
    expect(refusal(await step('attempt_first_factor', { code }))).toBe('422 form_code_incorrect code');
    expect(await addresses()).toMatchObject([{ email: 'anna@example.com' }]);
  });

  it('is undone by "it wasn\'t me" about the sign-in before it', async () => {
    await pool.member('anna');
    const { thief, link } = await signInElsewhere('anna');
    await changeEmail(thief, 'thief@example.com');
    await pool.press(link);
    expect(await addresses()).toMatchObject([{ email: 'anna@example.com' }]);
    expect((await pool.kinds()).slice(-2)).toEqual(['sign_in_not_me', 'email_restored']);
  });
});

describe('"it wasn\'t me"', () => {
  it('does nothing when it is opened, as mail scanners do', async () => {
    await pool.member('anna');
    const { thief, link } = await signInElsewhere('anna');
    const page = await pool.open(link);
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.body).toContain('protect the account');
    expect(await thief.session()).toBeDefined();
  });

  it.each(['', ' of an organization too'])('ends every session, holds money and pools%s', async (organization) => {
    const owner = await pool.member('anna');
    // The account with the money belongs to the organization after this, and no longer to the person.
    if (organization) await owner.ask('POST', '/organizations', { name: 'Farm' });
    // The owner's own change of last month is over.
    await pool.rows(
      "update sub_account set btc_address = $1, address_before = 'old', address_hold_until = now() - interval '20 days'",
      ADDRESS,
    );
    const { thief, link } = await signInElsewhere('anna');
    await pool.rows(
      `insert into access_token (user_id, kind, name, token_hash, prefix, scopes)
       select user_id, 'api_key', 'his', 'x', 'pk_x', '{}' from sub_account where name = 'anna'`,
    );
    await pool.rows("update identity_user set totp_secret = 'his', totp_since = now()");
    const done = await pool.press(link);
    expect([done.statusCode, done.body]).toEqual([200, expect.stringContaining('The account is protected')]);
    expect([await owner.session(), await thief.session()]).toEqual([undefined, undefined]);
    expect(refusal(await thief.signIn('anna'))).toBe('422 form_password_incorrect password');
    expect(
      await pool.rows(
        `select s.address_hold_until > now() + interval '71 hours' as held, s.address_before, h.off_at,
           t.revoked_at is not null as revoked, i.totp_since
         from sub_account s join pool_hold h on h.user_id = s.user_id join access_token t on t.user_id = s.user_id
           cross join identity_user i`,
      ),
    ).toEqual([{ held: true, address_before: null, off_at: null, revoked: true, totp_since: null }]);
    expect(await pool.kinds()).toEqual(['sign_in_new', 'sign_in_not_me']);
    expect(await pool.rows("select action from audit where action ~ 'sign_in' order by id")).toEqual([
      { action: 'sign_in.new' },
      { action: 'sign_in.not_me' },
    ]);
  });

  it('works once, of two at once one; not after a week, and not when the account is gone', async () => {
    await pool.member('anna');
    const { link } = await signInElsewhere('anna');
    const answers = await Promise.all([pool.press(link), pool.press(link)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
    expect([(await pool.open(link)).statusCode, (await pool.press(link)).statusCode]).toEqual([404, 404]);
    await pool.rows("update identity_link set used_at = null, expires_at = now() - interval '1 second'");
    expect((await pool.press(link)).statusCode).toBe(404);
    await pool.rows("update identity_link set expires_at = now() + interval '1 day'");
    expect((await pool.open(link)).statusCode).toBe(200);
    await pool.rows('delete from identity_user');
    expect([(await pool.open(link)).statusCode, (await pool.press(link)).statusCode]).toEqual([404, 404]);
  });
});
