import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { frontendApi, publishableKey } from './keys';
import { createVerifier, TokenError } from './verify';

const HOST = 'pool.example';
const KID = 'key_1';
const HOSTED = `pk_live_${Buffer.from('clerk.pool.example$').toString('base64')}`;
const ISSUER = 'https://clerk.pool.example';
const now = () => Math.floor(Date.now() / 1000);

let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let other: typeof pair;
let jwks: { keys: Record<string, unknown>[] };

beforeAll(async () => {
  [pair, other] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
  ]);
  jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: KID, alg: 'RS256', use: 'sig' }] };
});

const good = (): JWTPayload => ({
  sub: 'user_1',
  sid: 'sess_1',
  iss: ISSUER,
  azp: `https://${HOST}`,
  iat: now(),
  nbf: now() - 10,
  exp: now() + 60,
  fva: [3, -1],
});
const sign = (payload: JWTPayload, { key = pair.privateKey, kid = KID } = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid }).sign(key);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const without = (name: string): JWTPayload =>
  Object.fromEntries(Object.entries(good()).filter(([key]) => key !== name));

/** A verifier for the hosted service, and how often it fetched the keys. */
function hosted(answer: () => Promise<Response> = async () => Response.json(jwks)) {
  const urls: string[] = [];
  const send = (async (url: string) => {
    urls.push(url);
    return answer();
  }) as unknown as typeof fetch;
  return { verify: createVerifier({ publishableKey: HOSTED, fetch: send }), urls };
}

test('a valid token contains the user and the time of the sign-in', async () => {
  const { verify, urls } = hosted();
  const verified = await verify(await sign(good()), HOST);
  expect(verified).toMatchObject({ identityId: 'user_1', sessionId: 'sess_1' });
  expect(Math.round((Date.now() - verified.signedInAt.getTime()) / 60_000)).toBe(3);
  expect(urls).toEqual(['https://clerk.pool.example/.well-known/jwks.json']);
});

test.each([
  [{ org_id: 'org_1', org_role: 'org:technician', org_slug: 'farm' }, 'technician'],
  [{ v: 2, o: { id: 'org_1', rol: 'owner', slg: 'farm', per: 'read' } }, 'owner'],
  [{ org_id: 'org_1', org_role: 'org:admin' }, 'owner'],
  [{ v: 2, o: { id: 'org_1', rol: 'member' } }, 'viewer'],
  [{ org_id: 'org_1', org_role: 'org:of_their_own' }, undefined],
])('the organization of %j, and the role', async (more, organizationRole) => {
  const verified = await hosted().verify(await sign({ ...good(), ...more }), HOST);
  expect([verified.organizationId, verified.organizationRole]).toEqual(['org_1', organizationRole]);
  expect(await hosted().verify(await sign({ ...good(), org_role: 'org:admin' }), HOST)).not.toHaveProperty(
    'organizationRole',
  );
});

test('without a verification age the sign-in does not count as recent', async () => {
  expect((await hosted().verify(await sign(without('fva')), HOST)).signedInAt.getTime()).toBe(0);
  expect((await hosted().verify(await sign({ ...good(), fva: [-1, -1] }), HOST)).signedInAt.getTime()).toBe(0);
  const justNow = { ...good(), fva: [0, -1] };
  expect((await hosted().verify(await sign(justNow), HOST)).signedInAt.getTime()).toBe(Number(justNow.iat) * 1000);
  // The older of password and code.
  const late = await hosted().verify(await sign({ ...good(), fva: [1, 700] }), HOST);
  expect((Date.now() - late.signedInAt.getTime()) / 60_000).toBeGreaterThan(699);
});

const mutants: [string, () => Promise<string> | string][] = [
  [
    'HS256 with the public key as the secret',
    async () => {
      const head = `${encode({ alg: 'HS256', typ: 'JWT', kid: KID })}.${encode(good())}`;
      return `${head}.${createHmac('sha256', await exportSPKI(pair.publicKey))
        .update(head)
        .digest('base64url')}`;
    },
  ],
  ['another issuer', () => sign({ ...good(), iss: 'https://clerk.evil.example' })],
  ['another origin', () => sign({ ...good(), azp: 'https://evil.example' })],
  ['no origin', () => sign(without('azp'))],
  ...['exp', 'nbf', 'iat'].map((name): (typeof mutants)[number] => [`without ${name}`, () => sign(without(name))]),
  ['run out', () => sign({ ...good(), iat: now() - 120, exp: now() - 10 })],
  ['valid for ten years', () => sign({ ...good(), exp: now() + 315_360_000 })],
  ['signed with another key', () => sign(good(), { key: other.privateKey })],
];

test.each(mutants)('refused: %s', async (_, make) => {
  await expect(hosted().verify(await make(), HOST)).rejects.toBeInstanceOf(TokenError);
});

test('an ended session is refused although its token has not expired', async () => {
  const verify = createVerifier({
    publishableKey: HOSTED,
    jwks: jwks as never,
    session: async () => null,
  });
  await expect(verify(await sign(good()), HOST)).rejects.toMatchObject({ reason: 'session ended' });
});

test('a token is of its session’s user, and its sign-in no more recent than the session’s', async () => {
  const session = { userId: 'user_1', signedInAt: new Date(0) };
  const verify = createVerifier({ publishableKey: HOSTED, jwks: jwks as never, session: async () => session });
  expect((await verify(await sign({ ...good(), fva: [0, 0] }), HOST)).signedInAt).toEqual(new Date(0));
  session.signedInAt = new Date();
  const before = await verify(await sign({ ...good(), fva: [30, -1] }), HOST);
  expect(Math.round((Date.now() - before.signedInAt.getTime()) / 60_000)).toBe(30);
  await expect(verify(await sign({ ...good(), sub: 'user_2' }), HOST)).rejects.toMatchObject({
    reason: 'session of another user',
  });
});

test.each<[string, () => Promise<Response>]>([
  ['answers', async () => Response.json(jwks)],
  ['is down', () => Promise.reject(new Error('no answer'))],
])('many unknown key ids fetch the keys at most once when the service %s', async (_, answer) => {
  const { verify, urls } = hosted(answer);
  for (let i = 0; i < 20; i++)
    await expect(verify(`${encode({ alg: 'RS256', kid: `kid_${i}` })}.${encode(good())}.c2ln`, HOST)).rejects.toThrow();
  expect(urls).toHaveLength(1);
});

test('a hosted service that publishes a key of another kind opens nothing with it', async () => {
  const secret = Buffer.alloc(32, 1);
  const oct = { kty: 'oct', k: secret.toString('base64url'), kid: KID, alg: 'HS256', use: 'sig' };
  const { verify } = hosted(async () => Response.json({ keys: [oct] }));
  const token = await new SignJWT(good()).setProtectedHeader({ alg: 'HS256', kid: KID }).sign(secret);
  await expect(verify(token, HOST)).rejects.toBeInstanceOf(TokenError);
});

/** The tests around it have a clock that stands. */
function stopClock(): void {
  const doNotFake = ['setTimeout', 'setImmediate', 'queueMicrotask', 'nextTick'] as const;
  beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000, doNotFake: [...doNotFake] }));
  afterEach(() => jest.useRealTimers());
}
const later = (hours: number): void => jest.advanceTimersByTime(hours * 3_600_000);
const isTaken = (verified: Promise<unknown>): Promise<boolean> =>
  verified.then(
    () => true,
    (error: unknown) => {
      if (error instanceof TokenError) return false;
      throw error;
    },
  );

describe('a token', () => {
  stopClock();

  test.each([
    ['issued by a clock that is five seconds ahead', 'iat', 5, true],
    ['issued by a clock that is further ahead', 'iat', 6, false],
    ['valid for ten minutes', 'exp', 600, true],
    ['valid for longer', 'exp', 601, false],
  ])('%s', async (_, claim, seconds, taken) => {
    expect(await isTaken(hosted().verify(await sign({ ...good(), [claim]: now() + seconds }), HOST))).toBe(taken);
  });

  test('that is known is not checked again, nor taken longer than one that is not', async () => {
    const checks = jest.spyOn(crypto.subtle, 'verify');
    const known = hosted();
    const token = await sign(good());
    await known.verify(token, HOST);
    checks.mockClear();
    for (const [seconds, taken] of [
      [59, true],
      [5, true],
      [1, false],
    ] as const) {
      later(seconds / 3600);
      expect(await isTaken(known.verify(token, HOST))).toBe(taken);
      if (taken) expect(checks).not.toHaveBeenCalled();
      expect(await isTaken(hosted().verify(token, HOST))).toBe(taken);
      checks.mockClear();
    }
    checks.mockRestore();
  });
});

describe('keys of a hosted service', () => {
  stopClock();

  test('are asked for every hour while nobody waits, and used for half a day while the service is down', async () => {
    let answer = (): Promise<Response> => Promise.resolve(Response.json(jwks));
    const { verify, urls } = hosted(() => answer());
    const works = async () => expect(verify(await sign(good()), HOST)).resolves.toMatchObject({ sessionId: 'sess_1' });
    await works();
    later(11.9);
    // The answer never comes.
    answer = () => new Promise(() => undefined);
    await works();
    expect(urls).toHaveLength(2);

    const next = hosted(() => answer());
    answer = () => Promise.resolve(Response.json(jwks));
    await next.verify(await sign(good()), HOST);
    for (let times = 0; times < 5; times += 1) {
      later(4);
      await next.verify(await sign(good()), HOST);
      await new Promise(setImmediate);
    }
    answer = () => Promise.reject(new Error('down'));
    later(11);
    await next.verify(await sign(good()), HOST);
    later(2);
    await expect(next.verify(await sign(good()), HOST)).rejects.toMatchObject({ statusCode: 503 });
  });

  test('are asked for once an hour, and again soon when the service did not answer', async () => {
    let answer = async (): Promise<Response> => Response.json(jwks);
    const { verify, urls } = hosted(() => answer());
    const asked = async (hours: number): Promise<number> => {
      later(hours);
      await verify(await sign(good()), HOST);
      await new Promise(setImmediate);
      return urls.length;
    };
    expect([await asked(0), await asked(1), await asked(0.1)]).toEqual([1, 1, 2]);
    answer = async () => new Response('', { status: 500 });
    const halfMinute = 1 / 120;
    expect([await asked(1.1), await asked(halfMinute), await asked(0.001)]).toEqual([3, 4, 4]);
  });

  test('that it publishes no more open nothing after an hour', async () => {
    const { verify } = hosted();
    await verify(await sign(good()), HOST);
    const { keys } = jwks;
    jwks.keys = [];
    later(1.1);
    await verify(await sign(good()), HOST);
    await new Promise(setImmediate);
    await expect(verify(await sign({ ...good(), sid: 'sess_2' }), HOST)).rejects.toBeInstanceOf(TokenError);
    jwks.keys = keys;
  });

  test('that did not come yet say nothing of a token: it is tried again', async () => {
    const { verify } = hosted(async () => new Response('', { status: 500 }));
    await expect(verify(await sign(good()), HOST)).rejects.toMatchObject({ statusCode: 503, cause: expect.any(Error) });
  });
});

test('a publishable key contains its service, or is refused', () => {
  expect(publishableKey()).toBe('pk_live_cG9vbC5sb2NhbGhvc3Qk');
  expect(frontendApi(publishableKey())).toBe('pool.localhost');
  const keyOf = (host: string): string => `pk_test_${Buffer.from(host).toString('base64')}`;
  expect(frontendApi(` ${keyOf('Clerk.Pool.Example$')}\n`)).toBe('clerk.pool.example');
  const whole = keyOf('pool.example$');
  const hosts = ['no-dollar.example', 'host$', '/pool.example$', 'pool.example$/'];
  for (const bad of ['', 'pk_live_', 'sk_live_abc', `x${whole}`, `${whole}!`, ...hosts.map(keyOf)])
    expect(() => frontendApi(bad)).toThrow(/publishable key/);
});
