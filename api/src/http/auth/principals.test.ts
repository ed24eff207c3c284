/** The caller that a request is recognised as, and the changes after which it is another one. */
import type { FastifyRequest } from 'fastify';
import { isAdmin } from '@pool/shared/ability';
import { makeToken } from '../../accounts/access-tokens';
import { TokenError, type Verified } from '../../identity';
import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import { PoolChanges } from '../../stratum/pool-changes';
import { personOf, type Principal } from './principal';
import { Principals } from './principals';

const database = databaseOfFile();
const [ANNA, BOSS] = [1, 4];
const NAMES = ['anna', 'ben', 'farm', 'boss', 'chief'];
const idOf = (name: string): string => `user_${NAMES.indexOf(name) + 1}`;
const signedInAt = new Date();
const session = (name: string, organizationId?: string): Verified => ({
  identityId: idOf(name),
  sessionId: `sess_${name}`,
  signedInAt,
  ...(organizationId === undefined ? {} : { organizationId }),
});

/** Sessions that were ended. */
let ended: Set<string>;
let key = '';

/** A sign-in service whose tokens are `xx.<name>.xx`, or `xx.<name>-<organization>.xx`. */
const identity = {
  verifyToken: async (token: string) => {
    const [name = '', organizationId] = token.split('.')[1]?.split('-') ?? [];
    if (!NAMES.includes(name)) throw new TokenError('unknown');
    return session(name, organizationId);
  },
  workingSessions: async (ids: readonly string[]) => new Set(ids.filter((id) => !ended.has(id))),
  sessionsEnded: (ids: readonly string[]) => ids.forEach((id) => ended.add(id)),
};
const principals = (options: Partial<ConstructorParameters<typeof Principals>[3]> = {}) =>
  new Principals(database.pool, identity, new PoolChanges(), { requireTwoStep: true, hasBot: true, ...options });

beforeEach(async () => {
  ended = new Set();
  await emptyTables(database);
  await insertUsers(database, ...NAMES);
  await database.pool.query(
    `update app_user set role = 'admin' where user_name in ('boss', 'chief');
     insert into identity_user (id, user_name, password_hash, totp_secret, totp_since)
     select identity_id, user_name, 'x', 'x', case when user_name not in ('chief', 'anna') then now() end
     from app_user;
     insert into organization (id, user_id, name, slug) values ('org', 3, 'Farm', 'farm');
     insert into organization_member (id, organization_id, user_id, role) values ('orgmem', 'org', 2, 'manager')`,
  );
  const holder = { userId: ANNA, madeBy: ANNA, ip: '192.0.2.1' };
  key = (await makeToken(database.pool, holder, 'api_key', { name: 'k', scopes: ['workers'], expiresAt: null })).token;
});

const requestOf = (change: object): FastifyRequest =>
  ({
    method: 'GET',
    headers: {},
    cookies: {},
    ip: '192.0.2.9',
    host: 'pool.test',
    log: { debug: () => undefined },
    routeOptions: { url: '/api/liveWorkers/' },
    ...change,
  }) as unknown as FastifyRequest;
const headers = (authorization: string) => ({ authorization });

test.each<[what: string, request: () => object, who: string | null]>([
  ['nobody', () => ({}), null],
  ['the cookie reads', () => ({ cookies: { __session: 'xx.anna.xx' } }), 'anna'],
  ['also the head alone', () => ({ method: 'HEAD', cookies: { __session: 'xx.anna.xx' } }), 'anna'],
  ['the cookie writes nothing', () => ({ method: 'POST', cookies: { __session: 'xx.anna.xx' } }), null],
  ['a session writes', () => ({ method: 'POST', headers: headers('Bearer xx.anna.xx') }), 'anna'],
  [
    'the header is above the cookie',
    () => ({ headers: headers('Bearer xx.ben.xx'), cookies: { __session: 'xx.anna.xx' } }),
    'ben',
  ],
  ['a bad header too', () => ({ headers: headers('Basic xx.ben.xx'), cookies: { __session: 'xx.anna.xx' } }), null],
  ['an unknown session', () => ({ headers: headers('Bearer xx.carl.xx') }), null],
  ['no session', () => ({ headers: headers('Bearer xx.anna') }), null],
  ['a session by another scheme', () => ({ headers: headers('NoBearer xx.anna.xx') }), null],
  ['the cookie of a former member', () => ({ cookies: { __session: 'xx.anna-org.xx' } }), 'anna'],
  ['a session and more', () => ({ headers: headers('Bearer xx.anna.xx x') }), null],
  ['a key reads', () => ({ headers: headers(`Bearer ${key}`) }), 'anna'],
  ['a key by another scheme', () => ({ headers: headers(`Digest ${key}`) }), null],
  ['a key writes nothing', () => ({ method: 'POST', headers: headers(`Bearer ${key}`) }), null],
  ['a key does not read the head alone', () => ({ method: 'HEAD', headers: headers(`Bearer ${key}`) }), null],
])('%s', async (_, request, who) => {
  const me = await principals().find(requestOf(request()), 'workers');
  expect(me && me.user.userName).toBe(who);
});

test('a key is nobody in a call without a scope', async () => {
  expect(await principals().find(requestOf({ headers: headers(`Bearer ${key}`) }))).toBeNull();
});

test("only an admin's request names another user, in calls for everybody too", async () => {
  const asked = principals();
  const named = (name: string) => requestOf({ headers: { ...headers(`Bearer xx.${name}.xx`), 'x-view-as': 'ben' } });
  expect((await asked.find(named('boss')))?.user.userName).toBe('ben');
  await asked.checkViewer(named('boss'));
  await asked.checkViewer(requestOf({}));
  await expect(asked.find(named('anna'))).rejects.toMatchObject({ code: 'forbidden' });
  await expect(asked.checkViewer(named('anna'))).rejects.toMatchObject({ code: 'forbidden' });
});

test('a failure of the sign-in service is no unknown session', async () => {
  const failing = { ...identity, verifyToken: () => Promise.reject(new Error('away')) };
  const asked = new Principals(database.pool, failing, new PoolChanges(), { requireTwoStep: false, hasBot: true });
  await expect(asked.find(requestOf({ headers: headers('Bearer xx.anna.xx') }))).rejects.toThrow('away');
});

test('a disabled person is nobody; an admin is one with the two-step sign-in that is required', async () => {
  await database.pool.query("update app_user set disabled = true where user_name = 'anna'");
  expect(await principals().of(session('anna'))).toBeNull();
  const rights = async (name: string, requireTwoStep: boolean) => {
    const me = await principals({ requireTwoStep }).of(session(name));
    return [isAdmin(me!.ability), me!.twoStepRequired];
  };
  expect(await rights('boss', true)).toEqual([true, undefined]);
  expect(await rights('chief', true)).toEqual([false, true]);
  expect(await rights('chief', false)).toEqual([true, undefined]);
  await database.pool.query("update app_user set disabled = false where user_name = 'anna'");
  expect(await rights('anna', true)).toEqual([false, undefined]);
});

test.each([
  ['ben', {}, true, 'manager'],
  ['anna', {}, true, 'alone'],
  ['anna', {}, undefined, 'alone'],
  ['anna', {}, false, 'not_member'],
  // The hosted service says who is a member: one who is not yet known here is not sent away.
  ['anna', { hosted: true }, false, 'alone'],
  ['anna', { hosted: true, role: 'owner' }, true, 'unlinked'],
  ['anna', { hosted: true, role: 'viewer' }, true, 'alone'],
  ['anna', { role: 'owner' }, true, 'alone'],
] as const)('%s in an organization, %j, whole %s: %s', async (name, given, whole, expected) => {
  const { hosted, role } = { hosted: undefined, role: undefined, ...given };
  // The hosted service's organization that has no account here.
  const organizationId = hosted ? 'other' : 'org';
  const verified = { ...session(name, organizationId), ...(role ? { organizationRole: role } : {}) };
  const found = await principals(hosted ? { hosted } : {})
    .of(verified, whole)
    .then(
      (me) => me?.member?.role ?? (me?.unlinked ? 'unlinked' : 'alone'),
      (error: { code: string }) => error.code,
    );
  expect(found).toBe(expected);
});

test('a former member is told so by his session, and an admin has no right of his own in an organization', async () => {
  const former = principals().find(requestOf({ headers: headers('Bearer xx.anna-org.xx') }));
  await expect(former).rejects.toMatchObject({ code: 'not_member' });
  await database.pool.query(
    "insert into organization_member (id, organization_id, user_id, role) values ('b', 'org', 4, 'viewer')",
  );
  const rights = async (name: string) => {
    const { ability } = (await principals().of(session(name, 'org')))!;
    return [
      ability.can('manage', 'workers'),
      ability.can('read', 'payments'),
      ability.can('read', 'telegram'),
      isAdmin(ability),
    ];
  };
  expect([await rights('ben'), await rights('boss')]).toEqual([
    [true, true, true, false],
    [false, false, true, false],
  ]);
});

test.each([
  [null, true],
  ['5 minutes 10 seconds', true],
  ['4 minutes 50 seconds', false],
])('who was last seen %s ago is seen now: %s, and not again while he is known', async (ago, expected) => {
  const set = () => database.pool.query('update app_user set last_seen_at = now() - $1::interval where id = 1', [ago]);
  const isSeen = async () =>
    (await database.pool.query("select last_seen_at > now() - interval '1 minute' as seen from app_user where id = 1"))
      .rows[0].seen === true;
  await set();
  const asked = principals({ cacheMs: 3_600_000 });
  await asked.of(session('anna'));
  expect(await isSeen()).toBe(expected);
  await set();
  await asked.of(session('anna'));
  expect(await isSeen()).toBe(false);
});

test('who is new has an account by the name that the sign-in service knows, if it does', async () => {
  await database.pool.query(
    "insert into identity_user (id, user_name, email, password_hash) values ('user_9', 'nina', 'nina@pool.test', 'x')",
  );
  const made = async (identityId: string) => (await principals().of({ ...session('anna'), identityId }))?.user;
  expect(await made('user_9')).toMatchObject({ userName: 'nina', email: 'nina@pool.test' });
  expect(await made('user_10')).toMatchObject({ identityId: 'user_10', email: null });
});

test('callers are known for a while, and read again once a change is told', async () => {
  const asked = principals({ cacheMs: 3_600_000 });
  const ofKey = requestOf({ headers: headers(`Bearer ${key}`) });
  const known = async () => [
    await asked.of(session('anna')),
    await asked.find(ofKey, 'workers'),
    (await asked.of(session('ben', 'org')))?.member ?? null,
  ];
  const before = await known();
  await database.pool.query("update app_user set disabled = true where user_name in ('anna', 'farm')");
  expect([before.includes(null), (await known()).includes(null)]).toEqual([false, false]);
  asked.forget();
  expect(await known()).toEqual([null, null, null]);
});

test.each<[what: string, change: string | ((asked: Principals) => void), changed: string[]]>([
  ['nothing', 'select', []],
  ['a user is disabled', "update app_user set disabled = true where user_name = 'anna'", ['anna', 'key']],
  ['a user is made an admin', "update app_user set role = 'admin' where user_name = 'anna'", ['anna', 'key']],
  [
    'a user is one of the old pool',
    "update app_user set is_legacy_user = true where user_name = 'anna'",
    ['anna', 'key'],
  ],
  ['a session has ended', (asked) => asked.sessionsEnded(['sess_anna']), ['anna']],
  ['a key is revoked', 'update access_token set revoked_at = now()', ['key']],
  ['a key is over', 'update access_token set expires_at = now()', ['key']],
  ['a member has another role', "update organization_member set role = 'viewer'", ['ben']],
  ['a member is removed', 'delete from organization_member', ['ben']],
  ['the person of a member is disabled', "update app_user set disabled = true where user_name = 'ben'", ['ben']],
  [
    'the account of an organization is disabled',
    "update app_user set disabled = true where user_name = 'farm'",
    ['ben'],
  ],
  ['an admin is none any more', "update app_user set role = 'miner' where user_name = 'boss'", ['boss', 'view']],
  ['the session of who looks has ended', () => ended.add('sess_boss'), ['boss', 'view']],
  [
    'an admin turns two-step sign-in off',
    "update identity_user set totp_since = null where id = 'user_4'",
    ['boss', 'view'],
  ],
  ['an admin turns it on', "update identity_user set totp_since = now() where id = 'user_5'", ['chief']],
])('callers are others when %s', async (_, change, expected) => {
  const asked = principals();
  const people = ['anna', 'boss', 'chief'].map((name) => asked.of(session(name)));
  const [anna, boss, chief] = (await Promise.all(people)) as [Principal, Principal, Principal];
  const ben = (await asked.of(session('ben', 'org')))!;
  const ofKey = (await asked.find(requestOf({ headers: headers(`Bearer ${key}`) }), 'workers'))!;
  const view = await asked.viewAs.named(boss, 'anna', requestOf({}));
  const all = { anna, key: ofKey, ben, boss, view, chief };
  expect([personOf(ben).userName, ben.user.userName, personOf(boss).id]).toEqual(['ben', 'farm', BOSS]);
  if (typeof change === 'string') await database.pool.query(change);
  else change(asked);
  const changed = await asked.changed(Object.values(all));
  expect(Object.entries(all).flatMap(([name, me]) => (changed.has(me) ? [name] : []))).toEqual(expected);
});
