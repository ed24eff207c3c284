import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { Database } from '../platform/db/database';
import { testDatabase } from '../platform/db/testing/test-database';
import { transaction } from '../platform/db/transaction';
import { testSecrets } from '../testing/secrets';
import { languageOfBrowser } from './cookies';
import { createIdentityUser, resetPassword, TokenError, type Identity } from './index';
import * as passwords from './factors/passwords';
import { setFlow, storedName, sweep } from './store';
import { openKeys, SIGNING_KEY } from './tokens/keys';
import { Authenticator } from './testing/authenticator';
import { Browser, HOST, noAccounts, PASSWORD, refusal, startService } from './testing/identity';

jest.mock('./factors/passwords', () => {
  const real = jest.requireActual<typeof passwords>('./factors/passwords');
  return { ...real, verifyPassword: jest.fn(real.verifyPassword) };
});

let database: Database;
let app: FastifyInstance;
let identity: Identity;
let addresses = 0;
/** A browser at a new address, so that tests do not share limits. */
const browser = () => new Browser(app, `10.1.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`);

beforeAll(async () => {
  database = await testDatabase();
  ({ app, identity } = await startService(database.pool, {
    ...noAccounts,
    nameTaken: async (name) => name === 'subaccount',
    isDisabled: async () => false,
  }));
});
afterAll(async () => {
  await app.close();
  await database.close();
});

test.each([
  [' Anna ', 'anna'],
  ['Grün@Grün.Example', 'grün@xn--grn-ioa.example'],
  // Only a domain of other letters is written anew: this one would become an address.
  ['anna@1.2.3', 'anna@1.2.3'],
  ['anna@grün@example.com', 'anna@grün@example.com'],
])('a name or address %j is stored as %s', (typed, stored) => {
  expect(storedName(typed)).toBe(stored);
});

test.each([
  ['ar.rtl.dark.usd.ed4540.default.1440.900.1132.790', 'fr', 'ar'],
  ['ar.rtl', 'fr-CA,fr;q=0.9', 'fr'],
  [undefined, 'ru', 'ru'],
  [undefined, undefined, 'en'],
])('mails to a browser with the facts %j that asks for %j are in %s', (facts, wanted, language) => {
  const cookies = { 'pool-facts': facts };
  expect(languageOfBrowser({ cookies, headers: { 'accept-language': wanted } } as unknown as FastifyRequest)).toBe(
    language,
  );
});

describe('signing up', () => {
  test('makes an account and a session that the API accepts', async () => {
    const someone = browser();
    const answer = await someone.signUp('Alice');
    expect(answer.body.response).toMatchObject({
      object: 'sign_up',
      status: 'complete',
      username: 'alice',
      missing_fields: [],
    });
    const session = await someone.session();
    expect(session?.user).toMatchObject({ object: 'user', username: 'alice' });
    const verified = await identity.verifyToken(session?.last_active_token.jwt ?? '', HOST);
    expect(verified).toMatchObject({ identityId: session?.user.id, sessionId: session?.id });
    expect(Date.now() - verified.signedInAt.getTime()).toBeLessThan(120_000);
  });

  test.each([
    ['ab', {}, '422 form_param_format_invalid username'],
    // What looks like a name that somebody has: a Cyrillic letter, full width, a mark that is not seen.
    ['alic\u0435', {}, '422 form_param_format_invalid username'],
    ['subaccount', {}, '422 form_identifier_exists username'],
    ['ALICE', {}, '422 form_identifier_exists username'],
    ['bob', { email_address: 'alice@EXAMPLE.com' }, '422 form_identifier_exists email_address'],
    ['bob', { email_address: 'a@b@c.de' }, '422 form_param_format_invalid email_address'],
    // bitwarden/server#1512, gogs/gogs#5748
    ['petrov', { email_address: 'Petrov@Почта.рф' }, null],
    ['petrova', { email_address: 'petrov@xn--80a1acny.xn--p1ai' }, '422 form_identifier_exists email_address'],
    ['bob', { password: 'short7!' }, '422 form_password_length_too_short password'],
    ['bob', { password: '漢字'.repeat(36) }, '422 form_password_size_in_bytes_exceeded password'],
    ['bob', { password: String.fromCharCode(...Array.from({ length: 66 }, (_, i) => 0x4e00 + i * 37)) }, null],
    ['bob-bobson', { password: 'bob-bobson' }, '422 form_password_not_strong_enough password'],
    ['bobx', { password: 'password1' }, '422 form_password_pwned password'],
    ['bobx', { password: 'password1234' }, '422 form_password_not_strong_enough password'],
    ['bobx', { first_name: 'n'.repeat(257) }, '422 form_param_max_length_exceeded first_name'],
  ])('%s %j: %s', async (name, more, expected) => {
    const answer = await browser().signUp(name, more);
    if (expected) expect(refusal(answer)).toBe(expected);
    else expect(answer.status).toBe(200);
  });

  test('a weak password gets the error that clerk-js makes its message from', async () => {
    const { body } = await browser().signUp('weakling', { password: 'password1234' });
    expect(body.errors?.[0]?.meta).toEqual({
      param_name: 'password',
      zxcvbn: { suggestions: [{ code: 'anotherWord', message: 'anotherWord' }] },
    });
  });

  test('a password is refused for its own word, which the form cannot know', async () => {
    const { body } = await browser().signUp('satoshina', { password: 'satoshina99' });
    expect(body.errors?.[0]?.meta).toMatchObject({ zxcvbn: { suggestions: [{ code: 'ownWords' }] } });
  });

  test('an incomplete form reports what is missing and stores no password', async () => {
    const someone = browser();
    const names = { first_name: 'Gap', last_name: 'Py' };
    const first = await someone.ask('POST', '/client/sign_ups', { username: 'gappy', ...names, password: PASSWORD });
    expect(first.body.response).toMatchObject({
      status: 'missing_requirements',
      missing_fields: ['email_address', 'password'],
    });
    const { rows } = await database.pool.query('select * from identity_client where id = $1', [
      (first.body.client as { id?: string } | null)?.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
    const second = await someone.ask('PATCH', `/client/sign_ups/${String(first.body.response?.id)}`, {
      email_address: 'gappy@example.com',
      password: PASSWORD,
    });
    expect(second.body.response).toMatchObject({ status: 'complete', username: 'gappy' });
    expect((await someone.session())?.user).toMatchObject(names);
  });

  test.each([
    [{ email_address: 'a'.repeat(300), password: PASSWORD }, ['username', 'password']],
    [{ username: 'a'.repeat(300), email_address: 'a@example.com' }, ['password']],
  ])('%j is kept up to 256 characters, until the rest comes', async (fields: Record<string, string>, missing) => {
    const { status, body } = await browser().ask('POST', '/client/sign_ups', fields);
    expect([status, body.response]).toMatchObject([
      200,
      {
        status: 'missing_requirements',
        missing_fields: missing,
        username: fields.username?.slice(0, 256) ?? null,
        email_address: fields.email_address?.slice(0, 256),
      },
    ]);
  });

  test('nothing of a sign-up that was completed is in the next one of the browser', async () => {
    const someone = browser();
    const first = await someone.signUp('pam');
    await database.pool.query('update identity_session set expires_at = now() where id = $1', [
      first.body.client?.sessions[0]?.id,
    ]);
    const next = await someone.ask('POST', '/client/sign_ups', { username: 'pat' });
    expect(next.body.response).toMatchObject({ username: 'pat', email_address: null });
    expect(next.body.response?.id).not.toBe(first.body.response?.id);
  });

  test('metadata sent by the browser is ignored: it sets no role; a name has at most 256 characters', async () => {
    const someone = browser();
    await someone.signUp('mallory', { unsafe_metadata: '{"role":"admin"}', public_metadata: '{"role":"admin"}' });
    const session = await someone.session();
    expect(session?.user).toMatchObject({ unsafe_metadata: {}, public_metadata: {} });
    await someone.ask('PATCH', '/me', { unsafe_metadata: '{"role":"admin"}', first_name: 'M' });
    expect((await someone.session())?.user).toMatchObject({ unsafe_metadata: {}, first_name: 'M' });
    const named = (length: number) => someone.ask('PATCH', '/me', { first_name: 'n'.repeat(length) });
    expect((await named(256)).status).toBe(200);
    expect(refusal(await named(257))).toBe('422 form_param_max_length_exceeded first_name');
    expect(JSON.stringify(decodeJwt(session?.last_active_token.jwt ?? ''))).not.toContain('admin');
  });

  test('of concurrent requests with the same name one succeeds', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => browser().signUp('racer', { email_address: `racer${n}@example.com` })),
    );
    expect(answers.map((a) => a.status).sort()).toEqual([200, 422, 422, 422]);
  });

  test('nothing is stored when the pool cannot make its own rows', async () => {
    const failing = {
      ...noAccounts,
      userCreated: async () => {
        throw new Error('no');
      },
    };
    await expect(
      createIdentityUser(database.pool, failing, { userName: 'halfway', email: null, password: PASSWORD }),
    ).rejects.toThrow('no');
    expect((await database.pool.query("select from identity_user where user_name = 'halfway'")).rows).toEqual([]);
  });
});

describe('signing in', () => {
  beforeAll(() =>
    createIdentityUser(database.pool, noAccounts, {
      userName: 'carol',
      email: 'carol@example.com',
      password: PASSWORD,
    }),
  );

  test.each(['CAROL', ' Carol@Example.com '])('by %s', async (identifier) => {
    const someone = browser();
    const answer = await someone.signIn(identifier);
    expect(answer.body.response).toMatchObject({ status: 'complete', identifier: identifier.trim() });
    expect((await someone.session())?.user.username).toBe('carol');
  });

  test('an unknown name gets the response of a known one with a wrong password, and costs the same hash', async () => {
    const hash = jest.mocked(passwords.verifyPassword).mockClear();
    const [unknown, known] = [browser(), browser()];
    const begun = await Promise.all(
      [unknown, known].map((b, i) => b.ask('POST', '/client/sign_ins', { identifier: i ? 'carol' : 'carla' })),
    );
    const shape = begun.map(({ status, body }) =>
      JSON.stringify({ status, ...body.response })
        .replaceAll(/(sia|client)_[0-9a-f]+/g, '')
        .replaceAll(/carla|carol/g, ''),
    );
    expect(shape[0]).toBe(shape[1]);
    const answers = [await unknown.signIn('carla', 'wrong password'), await known.signIn('carol', 'wrong password')];
    expect(answers.map(refusal)).toEqual([
      '422 form_password_incorrect password',
      '422 form_password_incorrect password',
    ]);
    expect(answers[0]?.body.errors).toEqual(answers[1]?.body.errors);
    expect(hash.mock.calls.map(([, stored]) => typeof stored)).toEqual(['undefined', 'string']);
  });

  test.each([
    [{}, '422 form_param_nil identifier'],
    [{ identifier: '  ' }, '422 form_param_nil identifier'],
    [{ identifier: 'n'.repeat(257) }, '422 form_param_max_length_exceeded identifier'],
    [{ identifier: 'n'.repeat(256) }, null],
  ])('begun with %j: %s', async (fields, expected) => {
    const answer = await browser().ask('POST', '/client/sign_ins', fields as Record<string, string>);
    if (expected) expect(refusal(answer)).toBe(expected);
    else expect(answer.status).toBe(200);
  });

  test('is not begun where somebody is signed in, nor ended without a password', async () => {
    const someone = browser();
    await someone.signIn('carol');
    for (const fields of [{ identifier: 'carol' }, { strategy: 'passkey' }] as Record<string, string>[])
      expect(refusal(await someone.ask('POST', '/client/sign_ins', fields))).toBe('400 session_exists');
    expect(refusal(await someone.signUp('carola'))).toBe('400 session_exists');
    expect(refusal(await browser().signIn('carol', ''))).toBe('422 form_param_nil password');
  });

  test('is over when the password changes between its check and the session', async () => {
    const { app: slow } = await startService(database.pool, {
      ...noAccounts,
      isDisabled: async (id) => {
        await database.pool.query("update identity_user set password_hash = 'another' where id = $1", [id]);
        return false;
      },
    });
    await createIdentityUser(database.pool, noAccounts, { userName: 'carl', email: null, password: PASSWORD });
    const someone = new Browser(slow, '10.3.0.1');
    expect(refusal(await someone.signIn('carl'))).toBe('422 sign_in_over');
    expect(await someone.session()).toBeUndefined();
    await slow.close();
  });

  test('a wrong password in one step stays at that step', async () => {
    const wrong = { identifier: 'carol', password: 'wrong password' };
    const answer = await browser().ask('POST', '/client/sign_ins', wrong);
    // clerk-js meets form_password_incorrect here with a second page that says nothing.
    expect(refusal(answer)).toBe('422 form_password_or_identifier_incorrect password');
  });

  test('ten wrong passwords in a minute, by name or e-mail: refused there, the owner is not locked out', async () => {
    const target = { userName: 'target', email: 'target@example.com', password: PASSWORD };
    await createIdentityUser(database.pool, noAccounts, target);
    const owner = browser();
    await owner.signIn('target');
    await owner.ask('DELETE', '/client/sessions');
    const address = '10.9.9.9';
    const attack = browser().at(address);
    for (let i = 0; i < 10; i++)
      expect(refusal(await attack.signIn(i % 2 ? 'target' : 'target@example.com', `guess ${i}`))).toBe(
        '422 form_password_incorrect password',
      );
    for (const name of ['target', 'TARGET@example.com']) {
      const eleventh = await attack.signIn(name);
      expect(refusal(eleventh)).toBe('429 too_many_requests');
      expect(Number(eleventh.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await browser().signIn('target')).status).toBe(200);
    // A known device passes even at the guessers' address, until the password changes.
    expect((await owner.at(address).signIn('target')).status).toBe(200);
    await owner.ask('DELETE', '/client/sessions');
    await resetPassword(database.pool, 'target', 'brand new 9');
    expect(refusal(await owner.signIn('target', 'brand new 9'))).toBe('429 too_many_requests');
  });

  test.each([
    ['sign-ins', '/client/sign_ins', { identifier: 'nobody' }, 60, '2001:db8:1:1'],
    ['sign-ups', '/client/sign_ups', { username: 'somebody' }, 20, '2001:db8:2:1'],
  ])('%s begun in a minute: limited by the /64 of an IPv6 address', async (...[, path, fields, most, network]) => {
    const statuses: number[] = [];
    for (let n = 0; n < most + 2; n += 1)
      statuses.push((await new Browser(app, `${network}::${n + 1}`).ask('POST', path, fields)).status);
    expect(statuses).toEqual([...Array<number>(most).fill(200), 429, 429]);
  });

  test('one strategy, in the browser that began: nothing else is accepted', async () => {
    const someone = browser();
    const begun = await someone.ask('POST', '/client/sign_ins', { identifier: 'carol' });
    expect(begun.body.response?.supported_first_factors).toEqual([{ strategy: 'password' }]);
    const path = `/client/sign_ins/${String(begun.body.response?.id)}/attempt_first_factor`;
    expect(refusal(await someone.ask('POST', path, { strategy: 'ticket', ticket: 'x' }))).toMatch(/^422 strategy/);
    const password = { strategy: 'password', password: PASSWORD };
    const other = browser();
    const signUp = await other.ask('POST', '/client/sign_ups', { username: 'somebody' });
    const [id, otherId] = [begun, signUp].map(({ body }) => String(body.response?.id)) as [string, string];
    expect((await someone.ask('GET', `/client/sign_ins/${id}`)).body.response).toMatchObject({ id });
    expect((await other.ask('GET', `/client/sign_ups/${otherId}`)).body.response).toMatchObject({ id: otherId });
    for (const [who, at] of [
      [browser(), id],
      [other, id],
      [other, otherId],
      [someone, `${id}0`],
    ] as const) {
      const answer = await who.ask('POST', `/client/sign_ins/${at}/attempt_first_factor`, password);
      expect([at, refusal(answer)]).toEqual([at, '404 resource_not_found']);
    }
    expect((await someone.ask('POST', path, password)).status).toBe(200);
    expect(refusal(await someone.ask('POST', path, password))).toBe('400 session_exists');
    await database.pool.query("update identity_client set flow = null where flow ->> 'id' = $1", [id]);
    expect(refusal(await someone.ask('POST', path, password))).toBe('404 resource_not_found');
  });
});

describe('cookies', () => {
  test('the secret is HttpOnly and Lax, new after signing in, and stored only as a hash', async () => {
    await createIdentityUser(database.pool, noAccounts, { userName: 'dave', email: null, password: PASSWORD });
    const someone = browser();
    await someone.ask('POST', '/client/sign_ins', { identifier: 'dave' });
    const before = someone.cookies.get('__client');
    await someone.signIn('dave');
    const after = someone.cookies.get('__client') ?? '';
    for (const name of ['__client', '__known'])
      expect(someone.lines.find((line) => line.startsWith(`${name}=`))).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect(after).not.toBe(before);
    expect(JSON.stringify((await database.pool.query('select * from identity_client')).rows)).not.toContain(after);
    const thief = browser();
    thief.cookies.set('__client', before ?? '');
    expect(await thief.client()).toBeNull();
  });

  test('`__client_uat` is readable and says signed in or not', async () => {
    const someone = browser();
    await someone.signUp('erin');
    expect(someone.lines.find((line) => line.startsWith('__client_uat='))).toMatch(
      /^__client_uat=\d+; Max-Age=2592000; Path=\/; SameSite=Lax$/,
    );
    expect(Math.abs(Number(someone.cookies.get('__client_uat')) - Date.now() / 1000)).toBeLessThan(100);
    await someone.client();
    expect(someone.lines).toEqual([]);
    await someone.ask('DELETE', '/client/sessions');
    expect(someone.cookies.get('__client_uat')).toBe('0');
    expect(someone.cookies.has('__client')).toBe(false);
  });

  test('Secure behind https, and of this host only', async () => {
    const { app: proxied } = await startService(database.pool, noAccounts, { trustProxy: true });
    const someone = new Browser(proxied);
    await someone.ask(
      'POST',
      '/client/sign_ins',
      { identifier: 'x' },
      { 'x-forwarded-proto': 'https', origin: `https://${HOST}` },
    );
    expect(someone.lines).toEqual([
      expect.stringMatching(/^__Host-__client=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    // A cookie that a neighbouring subdomain could have set is ignored.
    await createIdentityUser(database.pool, noAccounts, { userName: 'hank', email: null, password: PASSWORD });
    const plain = browser();
    await plain.signIn('hank');
    const secret = plain.cookies.get('__client') ?? '';
    const over = new Browser(proxied);
    const secure = { 'x-forwarded-proto': 'https', origin: `https://${HOST}` };
    const client = async (name: string): Promise<unknown> => {
      over.cookies.clear();
      over.cookies.set(name, secret);
      return (await over.ask('GET', '/client', undefined, secure)).body.response;
    };
    expect(await client('__client')).toBeNull();
    expect(await client('__Host-__client')).toMatchObject({ sessions: [expect.anything()] });
    await proxied.close();
  });
});

describe('writes from elsewhere', () => {
  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }, '403 origin_invalid'],
    ['no origin', { origin: undefined }, '403 origin_invalid'],
    ['another port', { origin: 'http://pool.test:3001' }, '403 origin_invalid'],
    ['text/plain', { 'content-type': 'text/plain' }, '415 request_invalid'],
  ])('%s', async (_, headers, expected) => {
    expect(refusal(await browser().ask('POST', '/client/sign_ins', { identifier: 'carol' }, headers))).toBe(expected);
  });
});

test('a link that names a write in its query writes nothing', async () => {
  const someone = browser();
  await someone.signUp('linked');
  expect(refusal(await someone.ask('GET', '/client/sessions?_method=DELETE'))).toBe('404 resource_not_found');
  expect(await someone.session()).toBeDefined();
});

describe('sessions', () => {
  test('the key that signs their tokens is made once and stored encrypted', async () => {
    // The database of a test comes with one.
    const tx = await database.pool.connect();
    try {
      await tx.query('begin');
      await tx.query('delete from setting');
      const [first, second] = [await openKeys(tx, testSecrets()), await openKeys(tx, testSecrets())];
      const token = await first.signFor({ iss: 'https://pool.test', sub: 'user_1', aud: 'https://other.test' });
      const { payload } = await jwtVerify(token, createLocalJWKSet(second.jwks));
      expect(Number(payload.exp) - Number(payload.iat)).toBe(300);
      expect((await tx.query("select * from setting where name like 'identity.%'")).rows).toEqual([
        expect.objectContaining({ name: SIGNING_KEY, value: expect.stringMatching(/^[0-9a-f]{16}:/) }),
      ]);
    } finally {
      await tx.query('rollback');
      tx.release();
    }
  });

  test('the key alone opens nobody else’s account, nor makes an old sign-in recent', async () => {
    const [thief, owner] = [browser(), browser()];
    await thief.signUp('key-thief');
    await owner.signUp('key-owner');
    const [own, theirs] = [await thief.session(), await owner.session()];
    const { sign } = await openKeys(database.pool, testSecrets());
    const forged = (sessionId: string, userId: string) =>
      sign({
        sessionId,
        userId,
        picture: null,
        signedInAt: new Date(),
        secondFactorAt: null,
        organization: null,
        origin: `http://${HOST}`,
      });
    const before = new Date(Date.now() - 3_600_000);
    await database.pool.query('update identity_session set signed_in_at = $2 where id = $1', [own?.id, before]);
    const verified = await identity.verifyToken(await forged(own?.id ?? '', own?.user.id ?? ''), HOST);
    expect(verified.signedInAt).toEqual(before);
    await expect(identity.verifyToken(await forged(own?.id ?? '', theirs?.user.id ?? ''), HOST)).rejects.toThrow(
      TokenError,
    );
  });

  test('signing out ends the session for the API at once and invalidates the cookie', async () => {
    const someone = browser();
    await someone.signUp('grace');
    const session = await someone.session();
    const jwt = session?.last_active_token.jwt ?? '';
    const secret = someone.cookies.get('__client') ?? '';
    // Known to be good a moment ago.
    await identity.verifyToken(jwt, HOST);
    await someone.ask('DELETE', '/client/sessions');
    await expect(identity.verifyToken(jwt, HOST)).rejects.toMatchObject({ reason: 'session ended' });
    someone.cookies.set('__client', secret);
    expect(await someone.client()).toBeNull();
    expect(refusal(await someone.ask('POST', `/client/sessions/${session?.id}/tokens`))).toBe(
      '401 authentication_invalid',
    );
  });

  test.each([
    ['end', 'ended'],
    ['remove', 'removed'],
  ])('%s: says so, and ends it as signing out does', async (action, status) => {
    const someone = browser();
    await someone.signUp(`greta-${action}`);
    const session = await someone.session();
    const path = `/client/sessions/${session?.id}`;
    const shown = { id: session?.id, status: 'active', user: { username: `greta-${action}` } };
    expect((await someone.ask('GET', path)).body).toMatchObject({ response: shown, client: { sessions: [shown] } });
    const { body } = await someone.ask('POST', `${path}/${action}`);
    expect(body.response).toMatchObject({ status, last_active_token: null });
    expect([someone.cookies.has('__client'), someone.cookies.get('__client_uat')]).toEqual([false, '0']);
    await expect(identity.verifyToken(session?.last_active_token.jwt ?? '', HOST)).rejects.toThrow(TokenError);
    expect((await someone.ask('DELETE', '/client/sessions')).body.response).toBeNull();
    // Begun, and never signed in.
    await someone.ask('POST', '/client/sign_ins', { identifier: 'greta' });
    expect((await someone.ask('DELETE', '/client/sessions')).body.response).toMatchObject({
      sessions: [],
      sign_in: null,
    });
    expect(someone.cookies.has('__client')).toBe(false);
  });

  test.each([
    ['GET', ''],
    ['POST', 'touch'],
    ['POST', 'tokens'],
  ] as const)('are in use with %s %s, which is written once a minute', async (method, action) => {
    const someone = browser();
    await someone.signUp(`used-${action}`);
    const { id } = (await someone.session())!;
    const path = action ? `/client/sessions/${id}/${action}` : '/client';
    const age = async (before: string): Promise<number | undefined> => {
      await database.pool.query('update identity_session set last_active_at = now() - $2::interval where id = $1', [
        id,
        before,
      ]);
      expect((await someone.ask(method, path)).status).toBe(200);
      const { rows } = await database.pool.query<{ age: string }>(
        'select extract(epoch from now() - last_active_at) as age from identity_session where id = $1',
        [id],
      );
      return Math.round(Number(rows[0]?.age) / 10);
    };
    expect([await age('50 s'), await age('70 s')]).toEqual([5, 0]);
  });

  test('a session that another server revoked stays ended after a restart', async () => {
    const someone = browser();
    await someone.signUp('gerd');
    const session = await someone.session();
    await database.pool.query("update identity_session set status = 'revoked' where id = $1", [session?.id]);
    const again = await startService(database.pool);
    const jwt = session?.last_active_token.jwt ?? '';
    await expect(again.identity.verifyToken(jwt, HOST)).rejects.toMatchObject({ reason: 'session ended' });
    await again.app.close();
  });

  test('tokens: RS256, 60 s, the claims clerk-js reads', async () => {
    const someone = browser();
    await someone.signUp('heidi');
    const session = await someone.session();
    const { body } = await someone.ask('POST', `/client/sessions/${session?.id}/tokens`);
    const claims = decodeJwt(body.jwt ?? '');
    expect(decodeProtectedHeader(body.jwt ?? '')).toMatchObject({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) });
    expect(claims).toMatchObject({
      sid: session?.id,
      sub: session?.user.id,
      iss: 'https://pool.localhost',
      azp: `http://${HOST}`,
      fva: [0, -1],
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(60);
    expect(refusal(await someone.ask('POST', '/client/sessions/sess_another/tokens'))).toBe('404 resource_not_found');
  });

  test('are listed with their device and can be revoked in another browser', async () => {
    const phone = browser();
    await phone.signUp('ivan');
    const laptop = browser();
    const firefox = { 'user-agent': `Firefox/140.0 ${'x'.repeat(400)}` };
    await laptop.ask('POST', '/client/sign_ins', { identifier: 'ivan', password: PASSWORD }, firefox);
    const { rows } = await database.pool.query(
      `select length(user_agent) as length from identity_session where user_agent ~ '^Firefox/140.0 '`,
    );
    expect(rows).toEqual([{ length: 300 }]);
    const phoneSession = await phone.session();
    const list = (await laptop.ask('GET', '/me/sessions/active', undefined, { 'user-agent': 'x' })).body as unknown as {
      id: string;
      latest_activity: { ip_address: string };
    }[];
    expect(list).toHaveLength(2);
    expect(list.map((s) => s.latest_activity.ip_address)).toContainEqual(expect.stringMatching(/^10\.1\./));
    expect((await laptop.ask('POST', `/me/sessions/${phoneSession?.id}/revoke`)).body.response).toMatchObject({
      status: 'revoked',
    });
    expect(await phone.session()).toBeUndefined();
    await expect(identity.verifyToken(phoneSession?.last_active_token.jwt ?? '', HOST)).rejects.toThrow();
    const stranger = browser();
    await stranger.signUp('judy');
    expect(refusal(await stranger.ask('POST', `/me/sessions/${(await laptop.session())?.id}/revoke`))).toBe(
      '404 resource_not_found',
    );
  });

  test('changing the password asks for the old one, and ends the other sessions unless told not to', async () => {
    const here = browser();
    await here.signUp('ken');
    const there = browser();
    await there.signIn('ken');
    const change = (body: Record<string, string>) => here.ask('POST', '/me/change_password', body);
    expect(refusal(await change({ current_password: 'not it at all', new_password: 'brand new 8' }))).toBe(
      '422 form_password_incorrect current_password',
    );
    expect(refusal(await change({ current_password: PASSWORD, new_password: 'short' }))).toBe(
      '422 form_password_length_too_short new_password',
    );
    expect(refusal(await change({ current_password: PASSWORD, new_password: PASSWORD }))).toBe(
      '422 form_new_password_matches_current new_password',
    );
    expect(
      (await change({ current_password: PASSWORD, new_password: 'brand new 7', sign_out_of_other_sessions: 'false' }))
        .status,
    ).toBe(200);
    expect((await there.session())?.user.username).toBe('ken');
    expect((await change({ current_password: 'brand new 7', new_password: 'brand new 8' })).status).toBe(200);
    expect(await there.session()).toBeUndefined();
    expect((await here.session())?.user.username).toBe('ken');
    expect((await browser().signIn('ken', 'brand new 8')).status).toBe(200);
  });

  test('a password that was replaced while it was checked is not changed once more', async () => {
    const someone = browser();
    await someone.signUp('kurt');
    jest.mocked(passwords.verifyPassword).mockImplementationOnce(async () => {
      await resetPassword(database.pool, 'kurt', 'brand new 9');
      return true;
    });
    const fields = { current_password: PASSWORD, new_password: 'another horse 8' };
    expect(refusal(await someone.ask('POST', '/me/change_password', fields))).toBe(
      '422 form_password_incorrect current_password',
    );
    expect((await browser().signIn('kurt', 'brand new 9')).status).toBe(200);
  });

  test('an app, or backup codes, of who was shut out meanwhile do not count', async () => {
    const rows = (sql: string, ...values: unknown[]) => database.pool.query(sql, values);
    const { app: slow } = await startService(database.pool, {
      ...noAccounts,
      twoStepChanged: async (id, change, _ip, work) => {
        await rows("update identity_user set password_hash = password_hash || 'x' where id = $1", id);
        if (change === 'on') await rows("update identity_session set status = 'revoked' where user_id = $1", id);
        return transaction(database.pool, work);
      },
    });
    const thief = new Browser(slow, '10.3.0.2');
    await thief.signUp('karl');
    const { secret } = (await thief.ask('POST', '/me/totp', {})).body.response as unknown as { secret: string };
    const code = await new Authenticator(secret).next();
    expect(refusal(await thief.ask('POST', '/me/totp/attempt_verification', { code }))).toBe(
      '401 authentication_invalid',
    );
    const turnedOn =
      "update identity_user set totp_since = now() where user_name = 'karl' and totp_since is null returning id";
    const [karl] = (await rows(turnedOn)).rows as { id: string }[];
    await rows("update identity_session set status = 'active', second_factor_at = now() where user_id = $1", karl?.id);
    expect(refusal(await thief.ask('POST', '/me/backup_codes/', {}))).toBe('404 resource_not_found');
    await slow.close();
  });

  test('entering the password again makes the sign-in recent', async () => {
    const someone = browser();
    await someone.signUp('laura');
    const session = await someone.session();
    await database.pool.query("update identity_session set signed_in_at = now() - interval '1 hour' where id = $1", [
      session?.id,
    ]);
    const age = async () => decodeJwt((await someone.session())?.last_active_token.jwt ?? '').fva;
    expect(await age()).toEqual([60, -1]);
    const url = `/client/sessions/${session?.id}/verify`;
    expect((await someone.ask('POST', url, { level: 'first_factor' })).body.response).toMatchObject({
      status: 'needs_first_factor',
      supported_second_factors: [],
    });
    expect(
      refusal(
        await someone.ask('POST', `${url}/attempt_first_factor`, { strategy: 'password', password: 'no no no no' }),
      ),
    ).toBe('422 form_password_incorrect password');
    const done = await someone.ask('POST', `${url}/attempt_first_factor`, { strategy: 'password', password: PASSWORD });
    const fresh = { id: session?.id, factor_verification_age: [0, -1] };
    expect(done.body.response).toMatchObject({ status: 'complete', session: fresh });
    expect(await age()).toEqual([0, -1]);
    jest.mocked(passwords.verifyPassword).mockImplementationOnce(async () => {
      await database.pool.query("update identity_session set status = 'revoked' where id = $1", [session?.id]);
      return true;
    });
    const late = await someone.ask('POST', `${url}/attempt_first_factor`, { strategy: 'password', password: PASSWORD });
    expect(refusal(late)).toBe('401 authentication_invalid');
  });

  test("an admin's session ends after twelve hours without use, a miner's does not", async () => {
    const someone = browser();
    await someone.signUp('nora');
    const ids = [(await someone.session())?.id ?? ''];
    const idle = async (role: string) => {
      const { pool } = database;
      await pool.query(
        `insert into app_user (identity_id, user_name, role)
         select id, user_name, $1 from identity_user where user_name = 'nora'
         on conflict (identity_id) do update set role = excluded.role`,
        [role],
      );
      await pool.query(
        `update identity_session set last_active_at = now() - interval '13 hours'
         where user_id = (select id from identity_user where user_name = 'nora')`,
      );
    };
    await idle('miner');
    expect((await someone.session())?.user.username).toBe('nora');
    expect([...(await identity.workingSessions(ids))]).toEqual(ids);
    await idle('admin');
    expect(await someone.session()).toBeUndefined();
    expect([...(await identity.workingSessions(ids))]).toEqual([]);
  });

  test('an expired session is refused', async () => {
    const someone = browser();
    await someone.signUp('mike');
    await database.pool.query("update identity_session set expires_at = now() - interval '1 second' where id = $1", [
      (await someone.session())?.id,
    ]);
    expect(await someone.session()).toBeUndefined();
    expect(someone.cookies.get('__client_uat')).toBe('0');
  });
});

describe('a page', () => {
  test('sets a new token for a signed-in user', async () => {
    const someone = browser();
    await someone.signUp('olga');
    const { body } = await someone.ask('GET', '/page');
    expect(body).toMatchObject({ identityId: expect.stringMatching(/^user_/) });
    expect(someone.lines.find((line) => line.startsWith('__session='))).toMatch(/Max-Age=60; Path=\/; SameSite=Lax/);
    const { identityId } = body as unknown as { identityId: string };
    await expect(identity.verifyToken(someone.cookies.get('__session') ?? '', HOST)).resolves.toMatchObject({
      identityId,
    });
  });

  test('deletes invalid cookies', async () => {
    const someone = browser();
    for (const [name, value] of [
      ['__client', 'made-up'],
      ['__client_uat', '1700000000'],
      ['__session', 'x.y.z'],
    ] as const)
      someone.cookies.set(name, value);
    await someone.ask('GET', '/page');
    expect(Object.fromEntries(someone.cookies)).toEqual({ __client_uat: '0' });
  });

  test('with a form preloads the scripts of that form, and only that one', () => {
    expect(identity.preloads('/sign-in/factor-one').join()).toMatch(/clerk\.browser\.js" crossorigin.*signin_clerk/s);
    expect(identity.preloads('/sign-up').join()).not.toContain('signin_');
    expect(identity.preloads('/sign-inside')).toEqual([]);
  });

  test('sets nothing for a visitor', async () => {
    const visitor = browser();
    await visitor.ask('GET', '/page');
    expect(visitor.lines).toEqual([]);
  });
});

test('what is over is swept, however much it is; what works stays', async () => {
  const { pool } = database;
  const someone = browser();
  await someone.signUp('sweeper');
  const over = browser();
  await over.signUp('swept');
  await pool.query(
    `update identity_session set expires_at = now()
     where user_id = (select id from identity_user where user_name = 'swept');
     update identity_client set updated_at = now() - interval '25 hours';
     insert into identity_client (id, secret_hash, updated_at)
     select 'client_' || n, n, now() - make_interval(hours => case n when 0 then 23 else 25 end)
     from generate_series(0, 2001) as given (n);
     insert into identity_link (token_hash, user_id, kind, expires_at)
     select n, id, 'not_me', now() + make_interval(hours => n) from identity_user, unnest(array[-1, 1]) as given (n)
     where user_name = 'sweeper';
     update identity_device set seen_at = now() - make_interval(days => case u.user_name when 'swept' then 181 else 179 end)
     from identity_user u where u.id = user_id and u.user_name like 'swe%'`,
  );
  await sweep(pool);
  expect([await someone.session(), await over.client()]).toEqual([expect.anything(), null]);
  await expect(setFlow(pool, 'client_1', null)).rejects.toMatchObject({ status: 422 });
  const { rows } = await pool.query(
    `select (select array_agg(id) from identity_client where id ~ '^client_[0-9]{1,4}$') as browsers,
       (select array_agg(token_hash) from identity_link) as links,
       (select array_agg(u.user_name) from identity_device d join identity_user u on u.id = d.user_id
        where u.user_name like 'swe%') as devices`,
  );
  expect(rows).toEqual([{ browsers: ['client_0'], links: ['1'], devices: ['sweeper'] }]);
});
