/**
 * Clerk's Frontend API as the installed clerk-js asks it: every call that it can make is answered here or switched off,
 * pictures, and organizations.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { decodeJwt } from 'jose';
import { eventually } from '../testing/eventually';
import { publishableKey } from './keys';
import { PICTURE_MAX } from './picture';
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
  [/\/domains\b|suggestions\/:id|membership_requests\/:id/, 'no domains'],
  [/organization_creation_defaults/, 'no defaults of a new organization'],
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

type Json = Record<string, unknown>;
type Listed = { data: Json[]; total_count: number };
const listOf = ({ body }: Answer): Listed => body.response as unknown as Listed;
const idOf = ({ body }: Answer): string => String(body.response?.id);

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
/** An owner who has made an organization, and its id. */
async function farm(): Promise<{ alice: Browser; id: string }> {
  const alice = await it0.member('alice');
  return { alice, id: idOf(await alice.ask('POST', '/organizations', { name: 'North Farm' })) };
}
const inviteMail = (browser: Browser, id: string, name: string, role = 'org:technician'): Promise<Answer> =>
  browser.ask('POST', `/organizations/${id}/invitations`, { email_address: `${name}@example.com`, role });
/** A new member, who has accepted an invitation to the confirmed address. */
async function newMember(alice: Browser, id: string, name: string, role?: string): Promise<Browser> {
  const person = await it0.member(name);
  await inviteMail(alice, id, name, role);
  const [invitation] = listOf(await person.ask('GET', '/me/organization_invitations')).data;
  const accepted = await person.ask('POST', `/me/organization_invitations/${String(invitation?.id)}/accept`);
  expect(accepted.body.response).toMatchObject({ status: 'accepted', public_organization_data: { id } });
  return person;
}
const userId = async (browser: Browser): Promise<string> => (await browser.session())?.user.id ?? '';

test('an organization is made, shown with its owner, renamed, and not deleted', async () => {
  const { alice, id } = await farm();
  expect((await alice.session())?.user).toMatchObject({
    create_organization_enabled: true,
    organization_memberships: [
      { role: 'org:owner', organization: { id, name: 'North Farm', slug: 'alice', members_count: 1 } },
    ],
  });
  const renamed = await alice.ask('PATCH', `/organizations/${id}`, { name: 'South Farm' });
  expect(renamed.body.response).toMatchObject({ id, name: 'South Farm' });
  expect(refusal(await alice.ask('PATCH', `/organizations/${id}`, { name: ' ' }))).toBe(
    '422 form_param_format_invalid name',
  );
  expect(refusal(await alice.ask('POST', '/organizations', {}))).toBe('422 form_param_nil name');
  expect(refusal(await alice.ask('DELETE', `/organizations/${id}`))).toBe('409 organization_delete_refused');
  const roles = listOf(await alice.ask('GET', `/organizations/${id}/roles`));
  expect(roles.data.map(({ key }) => key)).toEqual([
    'org:owner',
    'org:manager',
    'org:technician',
    'org:accountant',
    'org:viewer',
  ]);
  const stranger = await it0.member('eve');
  for (const path of ['', '/roles', '/memberships', '/invitations'])
    expect(refusal(await stranger.ask('GET', `/organizations/${id}${path}`))).toBe(
      '404 organization_not_found_or_unauthorized',
    );
  expect(refusal(await new Browser(it0.app).ask('POST', '/organizations', { name: 'x' }))).toBe(
    '401 authentication_invalid',
  );
});

test('members are listed in pages, get another role, and nobody but an owner changes them', async () => {
  const { alice, id } = await farm();
  const bob = await newMember(alice, id, 'bob');
  const [aliceId, bobId] = [await userId(alice), await userId(bob)];
  const members = (query: string) => bob.ask('GET', `/organizations/${id}/memberships?paginated=true&${query}`);
  expect(listOf(await members('limit=1&offset=1'))).toMatchObject({
    total_count: 2,
    data: [{ role: 'org:technician', public_user_data: { user_id: bobId, identifier: 'bob@example.com' } }],
  });
  expect(listOf(await members('role=org%3Aowner')).data).toMatchObject([{ public_user_data: { user_id: aliceId } }]);
  expect(listOf(await members('query=BOB')).total_count).toBe(1);
  const set = (who: Browser, of: string, role: string) =>
    who.ask('PATCH', `/organizations/${id}/memberships/${of}`, { role });
  expect(refusal(await set(bob, bobId, 'org:owner'))).toBe('403 not_an_admin_in_organization');
  expect(refusal(await set(alice, bobId, 'org:king'))).toBe('422 form_param_value_invalid role');
  expect(refusal(await set(alice, 'user_0', 'org:viewer'))).toBe('404 resource_not_found');
  expect(refusal(await set(alice, aliceId, 'org:viewer'))).toBe('409 organization_minimum_permissions_needed');
  expect((await set(alice, bobId, 'org:accountant')).body.response).toMatchObject({ role: 'org:accountant' });
  expect(refusal(await bob.ask('GET', `/organizations/${id}/invitations`))).toBe('403 not_an_admin_in_organization');
  expect(refusal(await alice.ask('POST', `/organizations/${id}/memberships`, { user_id: bobId }))).toBe(
    '422 organization_invitation_needed user_id',
  );
  expect(refusal(await alice.ask('DELETE', `/me/organization_memberships/${id}`))).toBe(
    '409 organization_minimum_permissions_needed',
  );
  for (const path of ['/me/organization_suggestions', `/organizations/${id}/membership_requests`])
    expect(listOf(await alice.ask('GET', path))).toEqual({ data: [], total_count: 0 });
});

test('addresses of other members are for owners, also in a search', async () => {
  const { alice, id } = await farm();
  const bob = await newMember(alice, id, 'bob', 'org:viewer');
  const seen = async (who: Browser, query = '') =>
    listOf(await who.ask('GET', `/organizations/${id}/memberships?query=${query}`)).data.map(
      ({ public_user_data: user }) => (user as { identifier: string }).identifier,
    );
  expect([await seen(bob), await seen(bob, 'alice%40example')]).toEqual([['alice', 'bob@example.com'], []]);
  expect(await seen(alice, '%40example')).toEqual(['alice@example.com', 'bob@example.com']);
});

test('an account becomes an organization after a recent sign-in only; names are one line of visible characters', async () => {
  const { alice, id } = await farm();
  for (const name of ['North\nFarm', 'North\u202eFarm', 'North\u200bFarm']) {
    const refused = [
      await alice.ask('PATCH', `/organizations/${id}`, { name }),
      await alice.ask('PATCH', '/me', { first_name: name }),
    ];
    expect(refused.map(refusal)).toEqual([
      '422 form_param_format_invalid name',
      '422 form_param_format_invalid first_name',
    ]);
  }
  await it0.rows("update identity_session set signed_in_at = now() - interval '9 days'");
  expect(refusal(await alice.ask('POST', '/organizations', { name: 'South Farm' }))).toBe(
    '403 session_reverification_required',
  );
});

test('members are changed after a recent sign-in; where another owner confirms changes, on the page of the pool', async () => {
  const { alice, id } = await farm();
  const bob = await newMember(alice, id, 'bob', 'org:owner');
  await newMember(alice, id, 'dave', 'org:owner');
  const path = `/organizations/${id}/memberships/${await userId(bob)}`;
  const refusals = async () => [
    refusal(await alice.ask('PATCH', path, { role: 'org:owner' })),
    refusal(await alice.ask('DELETE', path)),
    refusal(await inviteMail(alice, id, 'carol')),
  ];
  await it0.rows('update organization set second_owner = true');
  expect(await refusals()).toEqual(Array(3).fill('409 second_owner'));
  await it0.rows('update organization set second_owner = false');
  await it0.rows("update identity_session set signed_in_at = now() - interval '1 hour'");
  expect(await refusals()).toEqual(Array(3).fill('403 session_reverification_required'));
  // A member leaves without another owner's confirmation.
  expect((await bob.ask('DELETE', `/me/organization_memberships/${id}`)).status).toBe(200);
});

test('invitations are mailed, one or many, and taken back', async () => {
  const { alice, id } = await farm();
  const bulk = await it0.app.inject({
    method: 'POST',
    url: `/__clerk/v1/organizations/${id}/invitations/bulk`,
    headers: {
      host: HOST,
      origin: `http://${HOST}`,
      cookie: cookiesOf(alice),
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'email_address=bob%40example.com&email_address=carol%40example.com&role=org%3Aviewer',
  });
  expect(bulk.json<{ response: Json[] }>().response).toMatchObject([
    { email_address: 'bob@example.com', role: 'org:viewer', status: 'pending' },
    { email_address: 'carol@example.com' },
  ]);
  const mail = await eventually(() => it0.smtp.received.find(({ to }) => to.startsWith('bob')), 'the invitation');
  expect(mail.text).toMatch(/https:\/\/pool\.test:3000\/invitation#[\w-]{43}/);
  const bob = await it0.member('bob');
  const [invitation] = listOf(await bob.ask('GET', '/me/organization_invitations')).data;
  expect(refusal(await inviteMail(alice, id, 'bob'))).toBe('422 duplicate_record email_address');
  expect(refusal(await inviteMail(alice, id, 'alice'))).toBe('422 already_a_member_in_organization email_address');
  expect(refusal(await inviteMail(alice, id, 'no body'))).toBe('422 form_param_format_invalid email_address');
  const path = `/organizations/${id}/invitations/${String(invitation?.id)}/revoke`;
  expect(refusal(await bob.ask('POST', path))).toBe('404 organization_not_found_or_unauthorized');
  expect((await alice.ask('POST', path)).body.response).toMatchObject({ status: 'revoked' });
  const accept = `/me/organization_invitations/${String(invitation?.id)}/accept`;
  expect(refusal(await bob.ask('POST', accept))).toBe('410 organization_invitation_revoked');
  const pending = await alice.ask('GET', `/organizations/${id}/invitations?status=pending`);
  expect(listOf(pending).data).toMatchObject([{ email_address: 'carol@example.com' }]);
  // An address that nobody has confirmed shows no invitations.
  await it0.rows("update identity_user set email_verified_at = null where user_name = 'bob'");
  expect(refusal(await bob.ask('POST', accept))).toBe('404 resource_not_found');
  expect(listOf(await bob.ask('GET', '/me/organization_invitations')).total_count).toBe(0);
});

test('tokens, pages and the session say the organization that it acts in, until the member is removed', async () => {
  const { alice, id } = await farm();
  const bob = await newMember(alice, id, 'bob', 'org:manager');
  expect(await claims(bob)).not.toHaveProperty('org_id');
  expect(refusal(await touch(await it0.member('eve'), id))).toBe('404 organization_not_found_or_unauthorized');
  expect((await touch(bob, id)).body.response).toMatchObject({ last_active_organization_id: id });
  expect(await claims(bob)).toMatchObject({
    org_id: id,
    org_role: 'org:manager',
    org_slug: 'alice',
    org_permissions: ['org:sys_memberships:read'],
  });
  expect(await claims(bob, '')).not.toHaveProperty('org_id');
  const acts = { organizationId: id, organizationRole: 'manager' };
  expect((await bob.ask('GET', '/page')).body).toMatchObject(acts);
  expect(await it0.identity.verifyToken(bob.cookies.get('__session') ?? '', HOST)).toMatchObject(acts);
  expect((await touch(bob, '')).body.response).toMatchObject({ last_active_organization_id: null });
  await touch(bob, id);
  await alice.ask('DELETE', `/organizations/${id}/memberships/${await userId(bob)}`);
  expect(await bob.session()).toMatchObject({
    last_active_organization_id: null,
    user: { organization_memberships: [] },
  });
  expect(await claims(bob)).not.toHaveProperty('org_id');
  expect(await claims(bob, id)).not.toHaveProperty('org_id');
  expect((await bob.ask('GET', '/page')).body).not.toHaveProperty('organizationId');
});

type Paged = {
  data: {
    id: string;
    role: string;
    accept(): Promise<unknown>;
    update(to: Json): Promise<Json>;
    destroy(): Promise<void>;
  }[];
  total_count: number;
};
/** What the test uses of clerk-js. */
type ClerkJs = {
  load(options: Json): Promise<void>;
  __unstable__onBeforeRequest(change: (request: { url: URL; headers: Headers }) => Promise<void>): void;
  createOrganization(of: Json): Promise<{ id: string }>;
  setActive(to: Json): Promise<void>;
  organization: {
    id: string;
    inviteMember(of: Json): Promise<unknown>;
    getInvitations(of: Json): Promise<Paged>;
    getRoles(of: Json): Promise<Paged>;
    getMemberships(): Promise<Paged>;
  } | null;
  session: {
    user: { organizationMemberships: unknown[] };
    checkAuthorization(of: Json): boolean;
    getToken(options?: Json): Promise<string | null>;
    reload(): Promise<unknown>;
  };
  user: { getOrganizationInvitations(): Promise<Paged>; leaveOrganization(id: string): Promise<unknown> };
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

test('the installed clerk-js makes an organization, invites, switches to it and back, and hears of its end', async () => {
  const [alice, bob] = [await it0.member('alice'), await it0.member('bob')];
  await it0.app.listen({ port: 0, host: '127.0.0.1' });
  const clerk = await realClerk(alice);
  const made = await clerk.createOrganization({ name: 'North Farm' });
  await clerk.setActive({ organization: made.id });
  expect(clerk.organization).toMatchObject({ id: made.id, name: 'North Farm' });
  expect(clerk.session.checkAuthorization({ role: 'org:owner' })).toBe(true);
  expect(decodeJwt((await clerk.session.getToken()) ?? '')).toMatchObject({ org_id: made.id, org_role: 'org:owner' });
  await clerk.organization?.inviteMember({ emailAddress: 'bob@example.com', role: 'org:technician' });
  expect((await clerk.organization?.getInvitations({ status: ['pending'] }))?.total_count).toBe(1);
  expect((await clerk.organization?.getRoles({}))?.data).toHaveLength(5);

  const other = await realClerk(bob);
  const [invitation] = (await other.user.getOrganizationInvitations()).data;
  await invitation?.accept();
  await other.setActive({ organization: made.id });
  expect(other.organization?.id).toBe(made.id);
  expect(other.session.checkAuthorization({ role: 'org:technician' })).toBe(true);
  await other.setActive({ organization: null });
  expect(other.organization).toBeNull();
  expect(decodeJwt((await other.session.getToken()) ?? '')).not.toHaveProperty('org_id');

  const memberships = await clerk.organization?.getMemberships();
  const bobs = memberships?.data.find(({ role }) => role === 'org:technician');
  expect((await bobs?.update({ role: 'org:viewer' }))?.role).toBe('org:viewer');
  await other.setActive({ organization: made.id });
  await bobs?.destroy();
  await other.session.reload();
  expect(other.session.user.organizationMemberships).toEqual([]);
  expect(decodeJwt((await other.session.getToken({ skipCache: true })) ?? '')).not.toHaveProperty('org_id');
  await expect(clerk.user.leaveOrganization(made.id)).rejects.toMatchObject({
    errors: [{ code: 'organization_minimum_permissions_needed' }],
  });
});
