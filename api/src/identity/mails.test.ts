/** Confirmed addresses and new passwords, with mails that went through a real SMTP server. */
import { rowsOf } from '../platform/db/querier';
import type { UserRow } from './store';
import { noteFailure } from '../messages/outbox/outbox';
import { eventually } from '../testing/eventually';
import { testSecrets } from '../testing/secrets';
import { codeIn } from '../messages/mail/testing/smtp';
import { Browser, PASSWORD, refusal, startService, type Answer } from './testing/identity';
import { mailedService } from './testing/mailed';

const NEW_PASSWORD = 'another horse 8 battery';
const RESET = 'reset_password_email_code';

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

/** Asks for a code; returns how the sign-in goes on. */
async function askReset(browser: Browser, identifier: string) {
  const { id } = flowOf(await browser.ask('POST', '/client/sign_ins', { identifier }));
  const step = (action: string, fields: Record<string, string>): Promise<Answer> =>
    browser.ask('POST', `/client/sign_ins/${id}/${action}`, fields);
  const asked = await step('prepare_first_factor', { strategy: RESET, email_address_id: 'idn_reset' });
  return {
    asked,
    enter: (code: string) => step('attempt_first_factor', { strategy: RESET, code }),
    set: (password: string) => step('reset_password', { password, sign_out_of_other_sessions: 'true' }),
  };
}

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

describe('a forgotten password', () => {
  const other = (): Browser => new Browser(pool.app, '10.0.0.2');

  it('is replaced by code; every session ends, and the owner is told', async () => {
    const before = await pool.member('anna');
    const browser = other();
    const first = await askReset(browser, 'anna');
    expect(refusal(await first.set(NEW_PASSWORD))).toBe('422 sign_in_over');
    const old = codeIn(await pool.smtp.mail(/reset code/));
    const reset = await askReset(browser, 'anna@example.com');
    const code = codeIn(await pool.smtp.mail(/reset code/, 2));
    if (old !== code) expect(refusal(await reset.enter(old))).toBe('422 form_code_incorrect code');
    expect(flowOf(await reset.enter(code)).status).toBe('needs_new_password');
    expect(refusal(await reset.set('12345678'))).toBe('422 form_password_pwned password');
    expect(flowOf(await reset.set(NEW_PASSWORD)).status).toBe('complete');
    expect([await before.session(), (await browser.session())?.user.username]).toEqual([undefined, 'anna']);
    expect((await pool.smtp.mail(/password of anna was changed/)).text).toContain('10.0.0.2');
    expect(refusal(await before.signIn('anna', PASSWORD))).toBe('422 form_password_incorrect password');
    expect((await before.signIn('anna', NEW_PASSWORD)).status).toBe(200);
  });

  it('stores the code sealed: a copy of the database without the key does not tell it', async () => {
    await pool.member('anna');
    await askReset(other(), 'anna');
    const code = codeIn(await pool.smtp.mail(/reset code/));
    const { rows } = await pool.database.pool.query<{ flow: Flow & { mailed: { sealed: string } } }>(
      "select flow from identity_client where flow->>'kind' = 'sign_in' and flow ? 'mailed'",
    );
    const { mailed } = rows[0]!.flow;
    expect(mailed).toEqual({ sealed: expect.any(String), to: 'anna@example.com', expiresAt: expect.any(Number) });
    expect(testSecrets().open(mailed.sealed, 'mailed code anna@example.com')).toBe(code);
  });

  it('says the same of names that nobody has, and of addresses that were never confirmed', async () => {
    await pool.member('anna');
    await pool.database.pool.query(
      `insert into identity_user (id, user_name, email, password_hash)
       values ('user_bela', 'bela', 'bela@example.com', 'x')`,
    );
    const answers = [];
    for (const name of ['anna', 'bela', 'nobody']) {
      const reset = await askReset(new Browser(pool.app, '10.0.0.9'), name);
      const wrong = await reset.enter('1234567');
      const {
        first_factor_verification: { expire_at: _, ...verification },
        id: _id,
        identifier: _name,
        ...rest
      } = reset.asked.body.response as unknown as {
        first_factor_verification: { expire_at: number };
        id: string;
        identifier: string;
      };
      answers.push(JSON.stringify([reset.asked.status, verification, rest, refusal(wrong)]));
    }
    expect(new Set(answers).size).toBe(1);
    await pool.smtp.mail(/reset code/);
    expect(pool.smtp.received.map(({ to }) => to)).toEqual(['anna@example.com', 'anna@example.com']);
  });

  it('with two-step sign-in still needs a code of the app', async () => {
    await pool.member('anna');
    await pool.database.pool.query("update identity_user set totp_secret = 'x', totp_since = 'epoch'");
    const reset = await askReset(other(), 'anna');
    await reset.enter(codeIn(await pool.smtp.mail(/reset code/)));
    const set = flowOf(await reset.set(NEW_PASSWORD));
    expect(set.status).toBe('needs_second_factor');
  });

  it('is mailed five times an hour that a stranger asks for; the owner elsewhere and a known device go on', async () => {
    const own = await pool.member('anna');
    await own.ask('DELETE', '/client/sessions');
    const asked = async (from: Browser, times: number): Promise<number[]> => {
      const answers: number[] = [];
      for (let i = 0; i < times; i += 1) answers.push((await askReset(from, 'anna')).asked.status);
      return [...new Set(answers)];
    };
    const stranger = new Browser(pool.app, '10.1.1.1');
    expect([await asked(stranger, 5), await asked(stranger, 1)]).toEqual([[200], [429]]);
    expect(await asked(new Browser(pool.app, '10.1.2.1'), 5)).toEqual([200]);
    // All strangers together.
    expect(await asked(new Browser(pool.app, '10.1.3.1'), 5)).toEqual([200]);
    expect(await asked(new Browser(pool.app, '10.1.4.1'), 1)).toEqual([429]);
    expect(await asked(own.at('10.1.1.1'), 1)).toEqual([200]);
  });

  it('is not offered without mail', async () => {
    const { app: silent } = await startService(pool.database.pool);
    const reset = await askReset(new Browser(silent), 'anna');
    expect(refusal(reset.asked)).toBe('422 strategy_for_user_invalid strategy');
    await silent.close();
  });
});

describe('the own address', () => {
  it('is confirmed by code', async () => {
    const { app: silent } = await startService(pool.database.pool);
    const browser = new Browser(silent);
    await browser.signUp('anna');
    await silent.close();
    const user = new Browser(pool.app);
    await user.signIn('anna');
    const path = '/me/email_addresses/idn_anna';
    await user.ask('POST', `${path}/prepare_verification`, { strategy: 'email_code' });
    const code = codeIn(await pool.smtp.mail(/confirmation code/));
    const done = await user.ask('POST', `${path}/attempt_verification`, { code });
    expect(done.body.response).toMatchObject({ verification: { status: 'verified', strategy: 'email_code' } });
    const again = await user.ask('POST', `${path}/prepare_verification`, { strategy: 'email_code' });
    expect(refusal(again)).toBe('422 strategy_for_user_invalid strategy');
  });
});
