/** Two-step sign-in over HTTP, as clerk-js uses it: on, signing in, entering a code again, off. */
import { randomBytes } from 'node:crypto';
import { forgetUnreadable, renewSecrets } from '../../../ops/sealed-secrets';
import { Secrets } from '../../../platform/secrets';
import { resetPassword } from '../../../identity';
import { runCommand } from '../../../ops/commands';
import { contextOf } from '../../../ops/standalone';
import { Authenticator } from '../../../identity/testing/authenticator';
import { Browser, PASSWORD, refusal, type Answer } from '../../../identity/testing/identity';
import { eventually } from '../../../testing/eventually';
import { testApp, type TestApp } from '../../testing/test-app';

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const keys = [randomBytes(32), randomBytes(32)] as const;

let test: TestApp;
let addresses = 0;
/** A browser at a new address, so that tests do not share limits. */
const browser = () => new Browser(test.app, `10.2.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`);

beforeAll(async () => {
  test = await testApp({ secrets: new Secrets([keys[0]]), env: { REQUIRE_TWO_STEP: '1' } });
});
afterAll(() => test.close());

const rows = async <T>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await test.database.pool.query(sql, values)).rows as T[];
/** Columns of a user of the sign-in service. */
const stored = async (name: string) =>
  (
    await rows<{ totp_secret: string | null; backup_codes: string[] }>(
      'select totp_secret, backup_codes from identity_user where user_name = $1',
      name,
    )
  )[0];
const setAgo = (name: string, column: string, seconds: number) =>
  rows(
    `update identity_session set ${column} = now() - make_interval(secs => $2)
     where user_id = (select id from identity_user where user_name = $1)`,
    name,
    seconds,
  );

type Totp = { secret: string; uri: string; verified: boolean; backup_codes?: string[] };
const totpOf = ({ body }: Answer) => body.response as unknown as Totp;

async function turnOn(someone: Browser): Promise<{ app: Authenticator; codes: string[] }> {
  const { secret } = totpOf(await someone.ask('POST', '/me/totp', {}));
  const app = new Authenticator(secret);
  const on = await someone.ask('POST', '/me/totp/attempt_verification', { code: await app.next() });
  expect(totpOf(on)).toMatchObject({ verified: true, backup_codes: expect.any(Array) });
  return { app, codes: totpOf(on).backup_codes ?? [] };
}
async function member(name: string) {
  const here = browser();
  expect((await here.signUp(name)).status).toBe(200);
  return { here, ...(await turnOn(here)) };
}
const secondStep = (someone: Browser, begun: Answer, strategy: string, code: string) =>
  someone.ask('POST', `/client/sign_ins/${String(begun.body.response?.id)}/attempt_second_factor`, { strategy, code });
/** A new browser after the right password. */
async function afterPassword(name: string) {
  const there = browser();
  const begun = await there.signIn(name);
  expect(begun.body.response).toMatchObject({ status: 'needs_second_factor', created_session_id: null });
  return { there, code: (strategy: string, code: string) => secondStep(there, begun, strategy, code) };
}
/** Changes the payout address with the browser's token. */
async function setWallet(someone: Browser, address = ADDRESS): Promise<string> {
  const token = (await someone.session())?.last_active_token.jwt;
  const answer = await test.app.inject({
    method: 'PUT',
    url: '/api/wallet/',
    payload: { btcAddress: address },
    cookies: { 'XSRF-TOKEN': 'xsrf' },
    headers: {
      host: 'pool.test:3000',
      origin: 'http://pool.test:3000',
      'x-xsrf-token': 'xsrf',
      authorization: `Bearer ${token}`,
    },
  });
  return answer.statusCode === 200 ? 'changed' : answer.json<{ code: string }>().code;
}

describe('turning it on', () => {
  it('needs a code of the app, then gives ten backup codes once; secret and codes are not stored as they are', async () => {
    const here = browser();
    await here.signUp('amy');
    const before = Number((await here.session())?.user.updated_at);
    const begun = totpOf(await here.ask('POST', '/me/totp', {}));
    expect(begun).toMatchObject({
      verified: false,
      uri: expect.stringMatching(/^otpauth:\/\/totp\/Mining%20Pool:amy\?/),
    });
    expect((await here.session())?.user).toMatchObject({ two_factor_enabled: false });
    // Nothing is asked for until a code has shown that the app has the secret.
    const there = browser();
    expect((await there.signIn('amy')).body.response).toMatchObject({ status: 'complete' });
    expect(refusal(await here.ask('POST', '/me/totp/attempt_verification', { code: '000000' }))).toBe(
      '422 form_code_incorrect code',
    );
    const on = await here.ask('POST', '/me/totp/attempt_verification', {
      code: await new Authenticator(begun.secret).next(),
    });
    const codes = totpOf(on).backup_codes ?? [];
    expect(codes).toHaveLength(10);
    // And from then on in the other browser too.
    expect(refusal(await there.ask('POST', '/me/backup_codes/', {}))).toBe('403 session_reverification_required');
    // clerk-js takes over a user whose `updated_at` is later than the one it knows.
    expect((await here.session())?.user).toMatchObject({ totp_enabled: true, backup_code_enabled: true });
    expect(Number((await here.session())?.user.updated_at)).toBeGreaterThan(before);
    const row = JSON.stringify(await stored('amy'));
    for (const secret of [begun.secret, ...codes]) expect(row).not.toContain(secret);
    expect(refusal(await here.ask('POST', '/me/totp', {}))).toBe('409 two_step_on');
  });

  it('answers what is missing, or is not there to be changed', async () => {
    const here = browser();
    await here.signUp('alf');
    const attempt = (fields: Record<string, string>) => here.ask('POST', '/me/totp/attempt_verification', fields);
    expect(refusal(await attempt({}))).toBe('422 form_param_nil code');
    expect(refusal(await attempt({ code: '123456' }))).toBe('422 form_code_incorrect code');
    const changes = [here.ask('DELETE', '/me/totp'), here.ask('POST', '/me/backup_codes/', {})];
    expect((await Promise.all(changes)).map(refusal)).toEqual(Array(2).fill('404 resource_not_found'));
    await setAgo('alf', 'signed_in_at', 601);
    expect(refusal(await here.ask('POST', '/me/totp', {}))).toBe('403 session_reverification_required');
    await setAgo('alf', 'signed_in_at', 595);
    const { app } = await turnOn(here);
    // Once it is on, no code turns it on again.
    expect(refusal(await attempt({ code: await app.next() }))).toBe('409 two_step_on');
    await rows("update identity_user set backup_codes = '{}' where user_name = 'alf'");
    const { code } = await afterPassword('alf');
    expect(refusal(await code('backup_code', 'abcd'))).toBe('422 strategy_for_user_invalid strategy');
  });

  it('and everything that changes it needs a recent sign-in, with a code once it is on', async () => {
    const { here, app } = await member('ann');
    await setAgo('ann', 'signed_in_at', 700);
    const stale = '403 session_reverification_required';
    const changes = () => [here.ask('DELETE', '/me/totp'), here.ask('POST', '/me/backup_codes/', {})];
    expect((await Promise.all(changes())).map(refusal)).toEqual([stale, stale]);
    const session = `/client/sessions/${(await here.session())?.id}/verify`;
    expect((await here.ask('POST', session, { level: 'multi_factor' })).body.response).toMatchObject({
      status: 'needs_first_factor',
      level: 'multi_factor',
      supported_second_factors: [{ strategy: 'totp' }, { strategy: 'backup_code' }],
    });
    const password = { strategy: 'password', password: PASSWORD };
    expect((await here.ask('POST', `${session}/attempt_first_factor`, password)).body.response).toMatchObject({
      status: 'needs_second_factor',
    });
    await setAgo('ann', 'second_factor_at', 700);
    expect((await Promise.all(changes())).map(refusal)).toEqual([stale, stale]);
    const code = { strategy: 'totp', code: await app.next() };
    expect((await here.ask('POST', `${session}/attempt_second_factor`, code)).body.response).toMatchObject({
      status: 'complete',
    });
    expect((await here.ask('DELETE', '/me/totp')).body.response).toMatchObject({ deleted: true });
    expect(await stored('ann')).toEqual({ totp_secret: null, backup_codes: [] });
    expect((await browser().signIn('ann')).body.response).toMatchObject({ status: 'complete' });
  });
});

describe('signing in', () => {
  it('takes a code after the password, each code once', async () => {
    const { app } = await member('bea');
    const first = await afterPassword('bea');
    expect(await first.there.session()).toBeUndefined();
    expect(refusal(await first.code('totp', '123456'))).toBe('422 form_code_incorrect code');
    const used = await app.next();
    expect((await first.code('totp', used)).body.response).toMatchObject({ status: 'complete' });
    expect((await first.there.session())?.user.username).toBe('bea');
    const second = await afterPassword('bea');
    expect(refusal(await second.code('totp', used))).toBe('422 form_code_incorrect code');
    expect(refusal(await second.code('password', PASSWORD))).toBe('422 strategy_for_user_invalid strategy');
  });

  it('the password alone opens nothing, and the code alone neither', async () => {
    await member('bob');
    const { there } = await afterPassword('bob');
    expect(refusal(await there.ask('GET', '/me'))).toBe('401 authentication_invalid');
    const stranger = browser();
    const begun = await stranger.ask('POST', '/client/sign_ins', { identifier: 'bob' });
    expect(refusal(await secondStep(stranger, begun, 'totp', '123456'))).toBe('422 sign_in_over');
    const oneStep = await browser().ask('POST', '/client/sign_ins', { identifier: 'bob', password: PASSWORD });
    expect(oneStep.body.response).toMatchObject({ status: 'needs_second_factor' });
  });

  it('with a backup code, once, of two at the same time one; new codes replace the old', async () => {
    const { here, codes } = await member('cas');
    const [a, b] = [await afterPassword('cas'), await afterPassword('cas')];
    const once = await Promise.all([a, b].map(({ code }) => code('backup_code', ` ${codes[0]?.toUpperCase()} `)));
    expect(once.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await stored('cas'))?.backup_codes).toHaveLength(9);
    const renewed = (await here.ask('POST', '/me/backup_codes/', {})).body.response as unknown as { codes: string[] };
    expect(renewed.codes).toHaveLength(10);
    const third = await afterPassword('cas');
    expect(refusal(await third.code('backup_code', codes[1] ?? ''))).toBe('422 form_code_incorrect code');
    expect((await third.code('backup_code', renewed.codes[0] ?? '')).status).toBe(200);
  });

  it('of two at the same time with one code of the app, one is accepted', async () => {
    const { app } = await member('cid');
    const [a, b] = [await afterPassword('cid'), await afterPassword('cid')];
    const code = await app.next();
    const answers = await Promise.all([a, b].map((each) => each.code('totp', code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('ten wrong codes from one place are refused for an hour, other places and the owner at home are not', async () => {
    const { here, app } = await member('dan');
    const attack = await afterPassword('dan');
    for (let i = 0; i < 10; i += 1)
      expect(refusal(await attack.code(i % 2 ? 'totp' : 'backup_code', '111111'))).toMatch(/^422 form_code_incorrect/);
    const eleventh = await attack.code('totp', await app.next());
    expect(refusal(eleventh)).toBe('429 too_many_requests');
    expect(Number(eleventh.headers['retry-after'])).toBeGreaterThan(3000);
    const elsewhere = await afterPassword('dan');
    expect((await elsewhere.code('totp', await app.next())).status).toBe(200);
    expect((await here.ask('POST', '/me/backup_codes/', {})).status).toBe(200);
  });

  it('a code comes soon after the password, and the password is still the one that was given', async () => {
    const { app } = await member('eve');
    await rows("update identity_user set updated_at = 'epoch' where user_name = 'eve'");
    const slow = await afterPassword('eve');
    await rows(
      `update identity_client set flow = jsonb_set(flow, '{passwordAt}', to_jsonb((flow->>'passwordAt')::float8 - 601000))
       where flow->>'identifier' = 'eve' and flow->>'status' = 'needs_second_factor'`,
    );
    expect(refusal(await slow.code('totp', await app.next()))).toBe('422 sign_in_over');
    const early = await afterPassword('eve');
    await resetPassword(test.database.pool, 'eve', 'brand new 9');
    expect(refusal(await early.code('totp', await app.next()))).toBe('422 sign_in_over');
    // A new password does not turn the second step off.
    expect((await browser().signIn('eve', 'brand new 9')).body.response).toMatchObject({
      status: 'needs_second_factor',
    });
  });
});

describe('money', () => {
  it('once it is on, a session that gave no code, or an old one, changes no payout address', async () => {
    const old = browser();
    await old.signUp('fay');
    expect(await setWallet(old)).toBe('changed');
    const here = browser();
    await here.signIn('fay');
    const { app } = await turnOn(here);
    const next = 'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297';
    // The password alone, entered again, is not enough.
    const verify = `/client/sessions/${(await old.session())?.id}/verify`;
    await old.ask('POST', `${verify}/attempt_first_factor`, { strategy: 'password', password: PASSWORD });
    expect(await setWallet(old, next)).toBe('reverification_required');
    await old.ask('POST', `${verify}/attempt_second_factor`, { strategy: 'totp', code: await app.next() });
    expect(await setWallet(old, next)).toBe('changed');
    // The session that turned it on gave a code, until that is ten minutes ago.
    expect(await setWallet(here, ADDRESS)).toBe('changed');
    await setAgo('fay', 'second_factor_at', 700);
    expect(await setWallet(here, next)).toBe('reverification_required');
  });
});

describe('who is told, and who helps', () => {
  it('every change is in the audit log and in the notifications; the operator can turn it off', async () => {
    const { here, codes } = await member('gus');
    const { code } = await afterPassword('gus');
    await code('backup_code', codes[0] ?? '');
    await here.ask('POST', '/me/backup_codes/', {});
    const run = async (name: string) =>
      (await runCommand(contextOf(test.config, test.database), ['remove-two-step', name]).next()).value;
    expect(await run('gus@example.com')).toMatch(/^gus signs in with the password alone/);
    await expect(run('gus')).rejects.toThrow('no user "gus" whose two-step sign-in is on');
    await expect(run('nobody')).rejects.toThrow('no user "nobody"');
    expect((await browser().signIn('gus')).body.response).toMatchObject({ status: 'complete' });
    const changes = ['on', 'code_used', 'codes', 'off'];
    expect(
      await rows("select action, ip from audit where subject = 'gus' and action like 'two_step%' order by id"),
    ).toEqual([
      ...['two_step.on', 'two_step.code_used', 'two_step.codes'].map((action) => ({
        action,
        ip: expect.stringMatching(/^10\.2\./),
      })),
      { action: 'two_step.off', ip: 'command line' },
    ]);
    const notes = await rows<{ kind: string }>(
      'select n.kind from notification n join app_user u on u.id = n.user_id where u.user_name = $1 order by n.id',
      'gus',
    );
    expect(notes.map(({ kind }) => kind)).toEqual(changes.map((change) => `two_step_${change}`));
  });

  it('a new key encrypts the apps again; with a lost one backup codes are what is left', async () => {
    const { app, codes } = await member('hal');
    const { pool } = test.database;
    await expect(renewSecrets(pool, new Secrets([keys[1]]))).rejects.toThrow(
      'authenticator apps that this server has no',
    );
    const before = (await stored('hal'))?.totp_secret;
    expect(await renewSecrets(pool, new Secrets([keys[1], keys[0]]))).toBeGreaterThan(0);
    expect((await stored('hal'))?.totp_secret).not.toBe(before);
    expect(await renewSecrets(pool, new Secrets([keys[0], keys[1]]))).toBeGreaterThan(0);
    expect((await (await afterPassword('hal')).code('totp', await app.next())).status).toBe(200);
    expect(await forgetUnreadable(pool, new Secrets([keys[1]]), 'command line')).toMatchObject({ passwords: 0 });
    expect(refusal(await (await afterPassword('hal')).code('totp', await app.next()))).toBe(
      '422 form_code_incorrect code',
    );
    expect((await (await afterPassword('hal')).code('backup_code', codes[0] ?? '')).status).toBe(200);
  });
});

it('admins may do nothing else as admins until it is on, where it is required; not having it locks nobody out', async () => {
  const here = browser();
  await here.signUp('boss');
  await rows("update app_user set role = 'admin' where user_name = 'boss'");
  const call = async (path: string): Promise<[number, Record<string, unknown>]> => {
    const token = (await here.session())?.last_active_token.jwt;
    const headers = { host: 'pool.test:3000', authorization: `Bearer ${token}` };
    const answer = await test.app.inject({ url: `/api${path}`, headers });
    return [answer.statusCode, answer.json<Record<string, unknown>>()];
  };
  expect(await call('/admin/paymentSettings')).toMatchObject([403, { code: 'two_step_required' }]);
  expect(await call('/userDashboard/wallet?userName=boss')).toMatchObject([403, { code: 'two_step_required' }]);
  expect(await call('/getUserInfo/')).toMatchObject([200, { role: 'admin', twoStepRequired: true }]);
  expect((await call('/wallet/'))[0]).toBe(200);
  await turnOn(here);
  await eventually(async () => (await call('/admin/paymentSettings'))[0] === 200, "the admins' calls");
  expect((await call('/getUserInfo/'))[1]).not.toHaveProperty('twoStepRequired');
});
