/** Whom an admin may look as, with which rights, and what the log has of it. */
import type { FastifyRequest } from 'fastify';
import { abilityFor } from '@pool/shared/ability';
import type { AppUser } from '../../accounts/accounts';
import { rowsOf } from '../../platform/db/querier';
import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import { Memberships } from './memberships';
import type { Principal } from './principal';
import { looksAt, ViewAs } from './view-as';

const database = databaseOfFile();
let users: Record<string, AppUser>;
let views: ViewAs;
beforeEach(async () => {
  await emptyTables(database);
  await insertUsers(database, 'anna', 'ben', 'farm', 'boss');
  await database.pool.query(
    `update app_user set role = 'admin' where user_name in ('boss', 'ben');
     insert into sub_account (user_id, name) values (3, 'hall');
     insert into organization (id, user_id, name, slug) values ('org', 3, 'Farm', 'farm');
     insert into organization_member (id, organization_id, user_id, role) values ('orgmem', 'org', 1, 'technician')`,
  );
  const rows = await rowsOf<AppUser>(database.pool)`select * from app_user`;
  users = Object.fromEntries(rows.map((user) => [user.userName, user]));
  views = new ViewAs(database.pool, new Memberships(database.pool, 0));
});

const personOf = (name: string, hasBot = true): Principal => {
  const user = users[name]!;
  const ability = abilityFor({ ...user, hasBot });
  return { user, ability, identityId: user.identityId, sessionId: 's', signedInAt: new Date() };
};
const requestOf = (change: object = {}): FastifyRequest =>
  ({ method: 'GET', ip: '192.0.2.9', routeOptions: { url: '/api/wallet/' }, query: {}, ...change }) as FastifyRequest;
const code = <T>(work: Promise<T>): Promise<unknown> =>
  work.then(
    () => 'seen',
    (error: { code: string }) => error.code,
  );
const logged = async () =>
  (
    await database.pool.query<{ user_id: number; subject: string; after: object; ip: string }>(
      'select user_id, subject, after, ip from audit order by id',
    )
  ).rows.map(({ user_id: by, subject, after, ip }) => ({ by, subject, after, ip }));
const BOSS = { by: 4, ip: '192.0.2.9' };

test.each<[who: string | null, name: string, method: string, expected: string]>([
  ['boss', 'anna', 'GET', 'seen'],
  ['boss', 'anna', 'HEAD', 'seen'],
  ['boss', 'farm~anna', 'GET', 'seen'],
  ['boss', 'anna', 'POST', 'view_as_read_only'],
  ['boss', 'anna', 'DELETE', 'view_as_read_only'],
  ['boss', 'nobody', 'GET', 'not_found'],
  // The name of a sub-account is no user, and a user is a member of his own organizations alone.
  ['boss', 'hall', 'GET', 'not_found'],
  ['boss', 'farm~ben', 'GET', 'not_found'],
  ['boss', 'farm~', 'GET', 'not_found'],
  ['boss', 'anna~anna', 'GET', 'not_found'],
  ['boss', 'nobody~anna', 'GET', 'not_found'],
  ['anna', 'ben', 'GET', 'forbidden'],
  ['anna', 'anna', 'GET', 'forbidden'],
  [null, 'anna', 'GET', 'unauthorized'],
])('%s looks as %s by a %s: %s', async (who, name, method, expected) => {
  expect(await code(views.named(who === null ? null : personOf(who), name, requestOf({ method })))).toBe(expected);
  expect(await logged()).toHaveLength(expected === 'seen' ? 1 : 0);
});

test("a look has rights to read: the user's, of an admin a miner's, of a member the role's", async () => {
  const rights = async (name: string, hasBot = true) => {
    const { ability, viewer, user, member } = await views.named(personOf('boss', hasBot), name, requestOf());
    expect(viewer?.user.userName).toBe('boss');
    return [
      [user.userName, member?.user.userName],
      (['wallet', 'workers', 'admin', 'telegram'] as const).map((subject) =>
        ability.can('manage', subject) ? 'manage' : ability.can('read', subject),
      ),
    ];
  };
  expect(await rights('anna')).toEqual([
    ['anna', undefined],
    [true, true, false, true],
  ]);
  expect(await rights('ben', false)).toEqual([
    ['ben', undefined],
    [true, true, false, false],
  ]);
  expect(await rights('farm~anna')).toEqual([
    ['farm', 'anna'],
    [false, true, false, true],
  ]);
});

test('each call about each user, or member, is in the log once in ten minutes', async () => {
  const boss = personOf('boss');
  const other = requestOf({ routeOptions: { url: '/api/audit' } });
  for (const [name, request] of [
    ['anna', requestOf()],
    ['anna', requestOf()],
    ['anna', other],
    ['farm', requestOf()],
    ['farm~anna', requestOf()],
  ] as const)
    await views.named(boss, name, request);
  await views.named(personOf('ben'), 'anna', requestOf());
  expect(await logged()).toEqual([
    { ...BOSS, subject: 'anna', after: { call: '/wallet/' } },
    { ...BOSS, subject: 'anna', after: { call: '/audit' } },
    { ...BOSS, subject: 'farm', after: { call: '/wallet/' } },
    { ...BOSS, subject: 'farm', after: { call: '/wallet/', member: 'anna' } },
    { ...BOSS, by: 2, subject: 'anna', after: { call: '/wallet/' } },
  ]);
});

/** `expected`: it is in the log. */
test.each<[what: string, me: () => Promise<Principal | null>, method: string, of: string, expected: boolean]>([
  ['an admin at another', async () => personOf('boss'), 'GET', 'anna', true],
  ['an admin at his own', async () => personOf('boss'), 'GET', 'boss', false],
  ['an admin who changes something', async () => personOf('boss'), 'PUT', 'anna', false],
  ['a user', async () => personOf('anna'), 'GET', 'farm', false],
  ['a visitor', async () => null, 'GET', 'anna', false],
])('a look by %s', async (_, me, method, of, expected) => {
  const caller = await me();
  await views.looking(caller, '/liveWorkers/', requestOf({ method }), () =>
    looksAt(caller ?? personOf('ben'), users[of]!.id),
  );
  expect(await logged()).toEqual(expected ? [{ ...BOSS, subject: of, after: { call: '/liveWorkers/' } }] : []);
});

test.each<[who: string, query: Record<string, unknown>, expected: unknown]>([
  ['boss', { userName: 'farm' }, ['farm', { userName: 'farm', accountName: 'farm' }]],
  ['boss', { userName: 'hall' }, ['farm', { userName: 'hall', accountName: 'hall' }]],
  ['boss', { userName: 'farm', accountName: 'hall' }, ['farm', { userName: 'farm', accountName: 'hall' }]],
  [
    'boss',
    { userName: 'farm', isMainAccount: true },
    ['farm', { userName: 'farm', isMainAccount: true, accountName: 'farm' }],
  ],
  ['boss', { userName: 'hall', isMainAccount: true }, 'not_found'],
  ['boss', { userName: 'nobody' }, 'not_found'],
  ['anna', { userName: 'farm' }, 'forbidden'],
])("%s's call about %j becomes one of %j", async (who, query, expected) => {
  const request = requestOf({ query, principal: personOf(who) });
  const become = views.become(request, { call: 'GET /wallet/', field: 'accountName' });
  const found = await become.then(
    () => [request.principal?.user.userName, request.query],
    (error: { code: string }) => error.code,
  );
  expect(found).toEqual(expected);
});
