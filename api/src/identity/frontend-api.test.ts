/**
 * Clerk's Frontend API as the installed clerk-js asks it: every call that it can make is answered here or switched off,
 * pictures, and the organization that a session acts in.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { decodeJwt } from 'jose';
import { addMember, createOrganization } from '../accounts/organizations/organizations';
import { removeMember } from '../accounts/organizations/removals';
import { publishableKey } from './tokens/keys';
import { PICTURE_MAX } from './people/picture';
import { Browser, HOST, refusal, type Answer } from './testing/identity';
import { mailedService } from './testing/mailed';

const it0 = mailedService();
const cookiesOf = ({ cookies }: Browser): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

const DIST = join(dirname(createRequire(import.meta.url).resolve('@clerk/clerk-js/package.json')), 'dist');
const PATTERNS: [pattern: RegExp, name: (found: string) => string][] = [
  [/\bpath:(?:[\w.]+\.path\()?["`](\/[^"`]+)["`]/g, (path) => path],
  [/pathRoot=["`](\/[^"`]+)["`]/g, (path) => path],
  // Below a resource of its own: `this.path() + "/verify"`, `action: "end"`.
  [/this\.path\(\)(?:\}|\+")(\/\w+)/g, (path) => `…${path}`],
  [/_base\w+\(\{[^;]{0,200}?\baction:"(\w+)"/g, (action) => `…/${action}`],
];

/** Paths as clerk-js writes them; `:id` for what it fills in. */
function pathsOfClerk(): string[] {
  const files = readdirSync(DIST).filter((name) => /^clerk\.browser\.js$|_clerk\.browser_.*\.js$/.test(name));
  const text = files.map((name) => readFileSync(join(DIST, name), 'utf8')).join('\n');
  const found = PATTERNS.flatMap(([pattern, name]) =>
    [...text.matchAll(pattern)].map((match) => name((match[1] ?? '').replaceAll(/\$\{[^}]*\}/g, ':id'))),
  );
  return [...new Set(found)].sort();
}

/** Calls that clerk-js does not make, by what `environment.ts` switches off. */
const OFF: [paths: RegExp, why: string][] = [
  [/^\/organizations\b|^(\/me|…)\/organization_/, 'organizations are changed by calls of the pool'],
  [/^\/(checkouts|payers|payment_\w+|statements|subscription|subscription_items)\b/, 'nothing is sold to users'],
  [/^\/api_keys\b/, 'the pool has API keys of its own'],
  [/_accounts$|^…\/reauthorize$|enterprise_connections$/, 'no sign-in by other services'],
  [/^…\/phone_numbers$/, 'no phone numbers'],
  [/^…\/web3_wallets$/, 'no sign-in by wallets'],
  [/^\/waitlist$/, 'anybody may sign up'],
  [/^…\/remove_password$/, 'everybody has a password'],
  [/^…\/verify$/, 'no captcha'],
  [/\/verify\/prepare_second_factor$|^…\/prepare_second_factor$/, 'no codes are sent as a second step'],
  [/^\/dev_/, 'no development instance'],
  [/^\/client\/touch$/, 'cookies are of the same origin'],
];

/** A path of clerk-js is registered as it is, or below a resource of its own. */
const isAnswered = (path: string): boolean =>
  it0.routes.some((route) => {
    const registered = route.replace('/__clerk/v1', '').replaceAll(/:\w+/g, ':id').replace(/\/$/, '');
    return path.startsWith('…') ? registered.endsWith(path.slice(1)) : registered === path;
  });

test('every path of clerk-js is answered, or what asks for it is switched off', () => {
  const paths = pathsOfClerk();
  const off = (path: string): boolean => OFF.some(([pattern]) => pattern.test(path));
  expect(paths.filter((path) => !isAnswered(path) && !off(path))).toEqual([]);
  expect(OFF.filter(([pattern]) => !paths.some((path) => pattern.test(path))).map(([, why]) => why)).toEqual([]);
});

const HEADS = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/webp': [...Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
};
const image = (type: keyof typeof HEADS, size = 100) => Buffer.concat([Buffer.from(HEADS[type]), Buffer.alloc(size)]);

/** What clerk-js sends for a `File`: a form with one part. */
async function send(someone: Browser, bytes: Buffer, origin = `http://${HOST}`) {
  const form = new FormData();
  // Its name and its type are the browser's word, which counts for nothing.
  form.append('file', new Blob([Uint8Array.from(bytes)], { type: 'image/png' }), 'me.png');
  const body = new Response(form);
  return it0.app.inject({
    method: 'POST',
    url: '/__clerk/v1/me/profile_image',
    headers: {
      host: HOST,
      origin,
      cookie: cookiesOf(someone),
      'content-type': body.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
}
const get = (someone: Browser, url: string) =>
  it0.app.inject({ method: 'GET', url, headers: { host: HOST, cookie: cookiesOf(someone) } });
const userOf = async (someone: Browser) =>
  (await someone.session())?.user as unknown as { has_image: boolean; image_url: string };

test.each(['image/png', 'image/webp'] as const)('%s: set, read by its owner alone, removed', async (type) => {
  const owner = await it0.member('anna');
  expect(await userOf(owner)).toMatchObject({ has_image: false, image_url: '' });
  const bytes = image(type);
  const set = await send(owner, bytes);
  expect(set.statusCode).toBe(200);
  const { image_url: url, ...user } = await userOf(owner);
  expect(user).toMatchObject({ has_image: true });
  expect(set.json()).toMatchObject({ response: { object: 'image', public_url: url } });

  const shown = await get(owner, url);
  expect(shown.headers).toMatchObject({
    'content-type': type,
    'cache-control': 'private, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  expect(shown.rawPayload).toEqual(bytes);
  expect((await get(new Browser(it0.app), url)).statusCode).toBe(401);
  expect((await get(await it0.member('bela'), url)).statusCode).toBe(404);

  await send(owner, image(type, 200));
  expect((await get(owner, url)).statusCode).toBe(404);
  expect((await owner.ask('DELETE', '/me/profile_image')).body.response).toMatchObject({ object: 'deleted_object' });
  expect(await userOf(owner)).toMatchObject({ has_image: false, image_url: '' });
  expect(await it0.rows('select from identity_picture')).toEqual([]);
});

test('is stored ten times an hour, so that nobody fills the database with those of before', async () => {
  const owner = await it0.member('anna');
  for (let n = 0; n < 10; n += 1) expect((await send(owner, image('image/png', 100 + n))).statusCode).toBe(200);
  const { statusCode, headers } = await send(owner, image('image/png'));
  expect([statusCode, Number(headers['retry-after']) > 0]).toEqual([429, true]);
});

test.each<[string, Buffer, string | undefined, number]>([
  ['a drawing that may have scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), undefined, 422],
  ['too large', image('image/png', PICTURE_MAX), undefined, 422],
  ['far too large', image('image/png', 4 * PICTURE_MAX), undefined, 413],
  ['from another origin', image('image/png'), 'https://evil.example', 403],
])('a picture is refused: %s', async (_, bytes, origin, status) => {
  const owner = await it0.member('anna');
  expect((await send(owner, bytes, origin)).statusCode).toBe(status);
  expect(await userOf(owner)).toMatchObject({ has_image: false });
});

test('a picture is refused: no form', async () => {
  const owner = await it0.member('anna');
  for (const [type, body] of [
    ['multipart/form-data', '--x\r\n'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="file"'],
  ] as const)
    expect((await owner.ask('POST', '/me/profile_image', { body }, { 'content-type': type })).status).toBe(422);
});

test('names are one line of visible characters', async () => {
  const alice = await it0.member('alice');
  for (const name of ['North\nFarm', 'North\u202eFarm', 'North\u200bFarm'])
    expect(refusal(await alice.ask('PATCH', '/me', { first_name: name }))).toBe(
      '422 form_param_format_invalid first_name',
    );
});

type Json = Record<string, unknown>;

/** The claims of the session's token, as the pages get it. */
async function claims(browser: Browser, organization?: string): Promise<Json> {
  const session = await browser.session();
  const { body } = await browser.ask(
    'POST',
    `/client/sessions/${session?.id}/tokens`,
    organization === undefined ? {} : { organization_id: organization },
  );
  return decodeJwt(body.jwt ?? '');
}
const touch = async (browser: Browser, organization: string): Promise<Answer> =>
  browser.ask('POST', `/client/sessions/${(await browser.session())?.id}/touch`, {
    active_organization_id: organization,
  });

/** A member of an organization, its id, and what takes the member out. */
async function farm(): Promise<{ bob: Browser; id: string; remove(): Promise<unknown> }> {
  await it0.member('alice');
  const bob = await it0.member('bob');
  const users = await it0.rows<{ id: number }>('select id from app_user order by id');
  const [alice = 0, bobs = 0] = users.map((user) => user.id);
  const deps = { db: it0.database.pool, changed: () => undefined, mailer: null };
  const { organization, person } = await createOrganization(deps, { actorId: alice, ip: '' }, 'North Farm');
  const { id } = organization;
  await addMember(deps.db, id, bobs, { role: 'manager', money: false, accounts: null });
  return { bob, id, remove: () => removeMember(deps, { actorId: person.id, ip: '' }, id, bobs) };
}

test('tokens, pages and the session say the organization that it acts in, until the member is removed', async () => {
  const { bob, id, remove } = await farm();
  expect((await bob.session())?.user).toMatchObject({
    organization_memberships: [{ role: 'org:manager', organization: { id, name: 'North Farm', slug: 'alice' } }],
  });
  expect(await claims(bob)).not.toHaveProperty('org_id');
  expect(refusal(await touch(await it0.member('eve'), id))).toBe('404 organization_not_found_or_unauthorized');
  expect((await touch(bob, id)).body.response).toMatchObject({ last_active_organization_id: id });
  expect(await claims(bob)).toMatchObject({ org_id: id, org_role: 'org:manager', org_slug: 'alice' });
  expect(await claims(bob, '')).not.toHaveProperty('org_id');
  const acts = { organizationId: id, organizationRole: 'manager' };
  expect((await bob.ask('GET', '/page')).body).toMatchObject(acts);
  expect(await it0.identity.verifyToken(bob.cookies.get('__session') ?? '', HOST)).toMatchObject(acts);
  expect((await touch(bob, '')).body.response).toMatchObject({ last_active_organization_id: null });
  await touch(bob, id);
  await remove();
  expect(await bob.session()).toMatchObject({
    last_active_organization_id: null,
    user: { organization_memberships: [] },
  });
  expect(await claims(bob)).not.toHaveProperty('org_id');
  expect(await claims(bob, id)).not.toHaveProperty('org_id');
  expect((await bob.ask('GET', '/page')).body).not.toHaveProperty('organizationId');
});

/** What the test uses of clerk-js. */
type ClerkJs = {
  load(options: Json): Promise<void>;
  __unstable__onBeforeRequest(change: (request: { url: URL; headers: Headers }) => Promise<void>): void;
  setActive(to: Json): Promise<void>;
  organization: { id: string; name: string } | null;
  session: {
    user: { organizationMemberships: unknown[] };
    checkAuthorization(of: Json): boolean;
    getToken(options?: Json): Promise<string | null>;
    reload(): Promise<unknown>;
  };
};

/** The installed clerk-js without a page, with the cookies of a browser. */
async function realClerk(browser: Browser): Promise<ClerkJs> {
  const { port } = it0.app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  // Other tabs, to which an open channel would keep this process running.
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  let clerk!: ClerkJs;
  // What clerk-js knows is of its module: each browser has its own.
  jest.isolateModules(() => {
    const { Clerk } = createRequire(import.meta.url)('@clerk/clerk-js/headless') as {
      Clerk: new (key: string) => ClerkJs;
    };
    clerk = new Clerk(publishableKey());
  });
  clerk.__unstable__onBeforeRequest(async (request) => {
    const { pathname, search } = new URL(request.url);
    request.url = new URL(`/__clerk${pathname}${search}`, origin);
    const { headers } = request;
    headers.set('cookie', cookiesOf(browser));
    headers.set('origin', origin);
  });
  await clerk.load({ standardBrowser: false });
  return clerk;
}

test('the installed clerk-js switches to an organization and back, and hears of its end', async () => {
  const { bob, id, remove } = await farm();
  await it0.app.listen({ port: 0, host: '127.0.0.1' });
  const clerk = await realClerk(bob);
  await clerk.setActive({ organization: id });
  expect(clerk.organization).toMatchObject({ id, name: 'North Farm' });
  expect(clerk.session.checkAuthorization({ role: 'org:manager' })).toBe(true);
  expect(decodeJwt((await clerk.session.getToken()) ?? '')).toMatchObject({ org_id: id, org_role: 'org:manager' });
  await clerk.setActive({ organization: null });
  expect(clerk.organization).toBeNull();
  expect(decodeJwt((await clerk.session.getToken()) ?? '')).not.toHaveProperty('org_id');
  await clerk.setActive({ organization: id });
  await remove();
  await clerk.session.reload();
  expect(clerk.session.user.organizationMemberships).toEqual([]);
  expect(decodeJwt((await clerk.session.getToken({ skipCache: true })) ?? '')).not.toHaveProperty('org_id');
});
