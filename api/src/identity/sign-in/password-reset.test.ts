/** A new password by a mailed code, through a real SMTP server. */
import { testSecrets } from '../../testing/secrets';
import { codeIn } from '../../messages/mail/testing/smtp';
import { Browser, PASSWORD, refusal, startService, type Answer } from '../testing/identity';
import { flowId, mailedService } from '../testing/mailed';

const NEW_PASSWORD = 'another horse 8 battery';
const RESET = 'reset_password_email_code';

const pool = mailedService();

const statusOf = ({ body }: Answer): string => String(body.response?.status);

/** Asks for a code; returns how the sign-in goes on. */
async function askReset(browser: Browser, identifier: string) {
  const id = flowId(await browser.ask('POST', '/client/sign_ins', { identifier }));
  const step = (action: string, fields: Record<string, string>): Promise<Answer> =>
    browser.ask('POST', `/client/sign_ins/${id}/${action}`, fields);
  const asked = await step('prepare_first_factor', { strategy: RESET, email_address_id: 'idn_reset' });
  return {
    asked,
    enter: (code: string) => step('attempt_first_factor', { strategy: RESET, code }),
    secondFactor: (code: string) => step('attempt_second_factor', { strategy: 'totp', code }),
    set: (password: string) => step('reset_password', { password, sign_out_of_other_sessions: 'true' }),
  };
}

describe('a forgotten password', () => {
  const other = (): Browser => new Browser(pool.app, '10.0.0.2');

  it('is replaced by code; every session ends, and the owner is told', async () => {
    const before = await pool.member('anna');
    const browser = other();
    const first = await askReset(browser, 'anna');
    expect(refusal(await first.set(NEW_PASSWORD))).toBe('422 sign_in_over');
    const old = codeIn(await pool.smtp.mail(/reset code/));
    const reset = await askReset(browser, 'anna@example.com');
    const mail = await pool.smtp.mail(/reset code/, 2);
    const code = codeIn(mail);
    expect(mail.text).toContain('the password of anna:');
    if (old !== code) expect(refusal(await reset.enter(old))).toBe('422 form_code_incorrect code');
    expect(statusOf(await reset.enter(code))).toBe('needs_new_password');
    expect(refusal(await reset.enter(code))).toBe('422 verification_expired code');
    expect(refusal(await reset.set('anna@example.com'))).toBe('422 form_password_not_strong_enough password');
    const both = await Promise.all([reset.set(NEW_PASSWORD), reset.set(NEW_PASSWORD)]);
    expect(both.map((each) => (each.status === 200 ? statusOf(each) : refusal(each))).sort()).toEqual([
      '422 sign_in_over',
      'complete',
    ]);
    expect([await before.session(), (await browser.session())?.user.username]).toEqual([undefined, 'anna']);
    expect((await pool.smtp.mail(/password of anna was changed/)).text).toMatch(
      /of anna was changed on \d{4}-\d\d-\d\d \d\d:\d\d UTC from the address 10\.0\.0\.2/,
    );
    expect(refusal(await before.signIn('anna', PASSWORD))).toBe('422 form_password_incorrect password');
    expect((await before.signIn('anna', NEW_PASSWORD)).status).toBe(200);
  });

  it('is not replaced by a code from before the password was changed otherwise', async () => {
    const owner = await pool.member('anna');
    const reset = await askReset(other(), 'anna');
    await reset.enter(codeIn(await pool.smtp.mail(/reset code/)));
    const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    // Whose browser is French: the mail has the language of the account.
    await owner.ask('POST', '/me/change_password', change, { 'accept-language': 'fr' });
    await pool.smtp.mail(/password of anna was changed/);
    expect(refusal(await reset.set('a third horse 9 battery'))).toBe('422 sign_in_over');
    expect((await new Browser(pool.app, '10.0.0.3').signIn('anna', NEW_PASSWORD)).status).toBe(200);
  });

  it('takes the code for ten minutes, and then the password for ten', async () => {
    await pool.member('anna');
    await pool.rows("update identity_user set updated_at = 'epoch'");
    const wait = (path: string, seconds: number) =>
      pool.rows(
        `update identity_client set flow = jsonb_set(flow, $1, to_jsonb((flow #>> $1)::float8 + $2))
         where flow #> $1 is not null`,
        path,
        seconds * 1000,
      );
    const enter = async (times: number) => {
      const reset = await askReset(other(), 'anna');
      return { reset, code: codeIn(await pool.smtp.mail(/reset code/, times)) };
    };
    const { reset, code } = await enter(1);
    await wait('{mailed,expiresAt}', -600);
    expect(refusal(await reset.enter(code))).toBe('422 verification_expired code');
    await wait('{mailed,expiresAt}', 5);
    expect(statusOf(await reset.enter(code))).toBe('needs_new_password');
    await wait('{passwordAt}', -600);
    expect(refusal(await reset.set(NEW_PASSWORD))).toBe('422 sign_in_over');
    const second = await enter(2);
    await second.reset.enter(second.code);
    await wait('{passwordAt}', -595);
    expect(statusOf(await second.reset.set(NEW_PASSWORD))).toBe('complete');
  });

  it('is not replaced by who knows it and owes the code of the app', async () => {
    await pool.member('anna');
    await pool.rows("update identity_user set totp_secret = 'x', totp_since = 'epoch'");
    const thief = other();
    const begun = await thief.signIn('anna');
    expect(statusOf(begun)).toBe('needs_second_factor');
    const set = { password: NEW_PASSWORD };
    expect(refusal(await thief.ask('POST', `/client/sign_ins/${flowId(begun)}/reset_password`, set))).toBe(
      '422 sign_in_over',
    );
  });

  it('takes no code of the app in place of the new password', async () => {
    const authenticator = await pool.withTwoStep(await pool.member('anna'));
    await pool.rows("update identity_user set updated_at = 'epoch'");
    const reset = await askReset(other(), 'anna');
    await reset.enter(codeIn(await pool.smtp.mail(/reset code/)));
    expect(refusal(await reset.secondFactor(await authenticator.next()))).toBe('422 sign_in_over');
  });

  it('is guessed ten times an hour: then the right code is refused too', async () => {
    await pool.member('anna');
    const { enter } = await askReset(other(), 'anna');
    const code = codeIn(await pool.smtp.mail(/reset code/));
    expect(refusal(await enter(''))).toBe('422 form_param_nil code');
    const wrong = code === '000000' ? '000001' : '000000';
    for (let n = 0; n < 10; n += 1) expect(refusal(await enter(wrong))).toBe('422 form_code_incorrect code');
    expect(refusal(await enter(code))).toBe('429 too_many_requests');
    const elsewhere = await askReset(new Browser(pool.app, '10.0.0.3'), 'anna');
    expect(statusOf(await elsewhere.enter(codeIn(await pool.smtp.mail(/reset code/, 2))))).toBe('needs_new_password');
  });

  it('stores the code sealed: a copy of the database without the key does not tell it', async () => {
    await pool.member('anna');
    await askReset(other(), 'anna');
    const code = codeIn(await pool.smtp.mail(/reset code/));
    const [row] = await pool.rows<{ mailed: { sealed: string } }>(
      "select flow -> 'mailed' as mailed from identity_client where flow->>'kind' = 'sign_in' and flow ? 'mailed'",
    );
    const { mailed } = row!;
    expect(mailed).toEqual({ sealed: expect.any(String), to: 'anna@example.com', expiresAt: expect.any(Number) });
    expect(testSecrets().open(mailed.sealed, 'mailed code anna@example.com')).toBe(code);
  });

  it('says the same of names that nobody has, and of addresses that were never confirmed', async () => {
    await pool.member('anna');
    await pool.rows(
      `insert into identity_user (id, user_name, email, password_hash)
       values ('user_bela', 'bela', 'bela@example.com', 'x')`,
    );
    const answers = [];
    for (const name of ['anna', 'bela', 'nobody']) {
      const { asked, enter } = await askReset(new Browser(pool.app, '10.0.0.9'), name);
      const said = JSON.stringify([asked.status, asked.body.response, refusal(await enter('1234567'))]);
      answers.push(said.replaceAll(/sia_[0-9a-f]{32}|"expire_at":\d+/g, '').replaceAll(name, ''));
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('idn_reset');
    await pool.smtp.mail(/reset code/);
    expect(pool.smtp.received.map(({ to }) => to)).toEqual(['anna@example.com', 'anna@example.com']);
    // What was mailed to nobody opens nothing, even who guesses it.
    const { enter } = await askReset(new Browser(pool.app, '10.0.0.9'), 'bela');
    const [row] = await pool.rows<{ sealed: string }>(
      `select flow #>> '{mailed,sealed}' as sealed from identity_client
       where flow ->> 'identifier' = 'bela' order by created_at desc`,
    );
    const code = testSecrets().open(row!.sealed, 'mailed code null');
    expect(code).toMatch(/^\d{6}$/);
    expect(refusal(await enter(code))).toBe('422 form_code_incorrect code');
  });

  it('with two-step sign-in still needs a code of the app', async () => {
    await pool.member('anna');
    await pool.rows("update identity_user set totp_secret = 'x', totp_since = 'epoch'");
    const reset = await askReset(other(), 'anna');
    await reset.enter(codeIn(await pool.smtp.mail(/reset code/)));
    expect(statusOf(await reset.set(NEW_PASSWORD))).toBe('needs_second_factor');
  });

  it('is mailed five times an hour that a stranger asks for; the owner elsewhere and a known device go on', async () => {
    const own = await pool.member('anna');
    await own.ask('DELETE', '/client/sessions');
    const asked = async (from: Browser, times: number): Promise<number[]> => {
      const answers: number[] = [];
      // The account is named by its user name and by its address in turn.
      for (let i = 0; i < times; i += 1)
        answers.push((await askReset(from, i % 2 ? 'anna' : 'Anna@example.com')).asked.status);
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
