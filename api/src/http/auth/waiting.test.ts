/** Which calls wait for another person, and who makes them then. */
import { abilityFor } from '@pool/shared/ability';
import type { Call, ShownFacts } from '@pool/shared/api/contract';
import type { OrganizationRole } from '@pool/shared/roles';
import type { AppUser } from '../../accounts/accounts';
import { waitingIn } from '../../accounts/waiting/waiting';
import { rowsOf } from '../../platform/db/querier';
import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import { testSecrets } from '../../testing/secrets';
import type { Principal } from './principal';
import { carryOut, confirmWaiting, endWaiting, keepWaiting, type Shown } from './waiting';

const database = databaseOfFile();
const secrets = testSecrets();
const NAMES = ['anna', 'ben', 'max', 'farm', 'boss', 'chief', 'carl'];
const ADDRESS = 'PUT /wallet/' as const;
const RULE = 'PUT /admin/paymentSettings' as const;
const TIMED = 'PUT /admin/wallet' as const;
let users: Record<string, AppUser>;

const sql = (text: string) => database.pool.query(text);
beforeEach(async () => {
  await emptyTables(database);
  await insertUsers(database, ...NAMES, 'ranch');
  await sql(`
    update app_user set role = 'admin' where user_name in ('boss', 'chief');
    insert into organization (id, user_id, name, slug, second_owner)
    select user_name, id, user_name, user_name, true from app_user where user_name in ('farm', 'ranch');
    insert into organization_member (id, organization_id, user_id, role)
    values ('m1', 'farm', 1, 'owner'), ('m2', 'farm', 2, 'owner'), ('m3', 'farm', 3, 'manager'),
      ('m4', 'ranch', 7, 'owner'), ('m5', 'ranch', 5, 'owner')`);
  const rows = await rowsOf<AppUser>(database.pool)`select * from app_user`;
  users = Object.fromEntries(rows.map((user) => [user.userName, user]));
});

const personal = (name: string, signedInAt = new Date()): Principal => {
  const user = users[name]!;
  return { user, ability: abilityFor(user), identityId: user.identityId, sessionId: 's', signedInAt };
};
const member = (name: string, role: OrganizationRole = 'owner', organizationId = 'farm'): Principal => ({
  ...personal(name),
  user: users[organizationId]!,
  ability: abilityFor({ ...users[organizationId]!, member: { role, money: false, limited: false } }),
  member: { user: users[name]!, organizationId, role, money: false, accounts: null, first: null },
});
const code = async <T>(work: Promise<T>): Promise<unknown> =>
  work.then(
    (value) => value ?? 'goes on',
    (error: { code: string }) => error.code,
  );
const contextOf = (me: Principal, address = 'a') => ({
  me,
  request: { ip: '192.0.2.1' },
  params: undefined,
  query: {},
  body: { btcAddress: address },
});
const shownOf = (address: string): Shown => ({ account: 'farm', before: null, after: { address } });
const ask = (me: Principal, address = 'a', shown: Shown | null = shownOf(address), call: Call = ADDRESS) =>
  keepWaiting({ pool: database.pool, secrets }, call, contextOf(me, address), () => shown);
const asked = async (...given: Parameters<typeof ask>) => code(ask(...given));
const waiting = async (organizationId: string | null = 'farm') =>
  (await waitingIn(database.pool, organizationId)).map(({ id, askedBy }) => ({ id, by: askedBy }));
const states = async () => (await sql('select state from waiting_change order by id')).rows.map(({ state }) => state);

const four = (on: boolean) =>
  sql(`insert into setting (name, value) values ('payments.four_eyes', '${on}')
    on conflict (name) do update set value = excluded.value`);

describe("an owner's change", () => {
  test.each<[what: string, change: string, who: () => Principal, shown: Shown | null, expected: string, call?: Call]>([
    ['where another owner is', 'select', () => member('anna'), shownOf('a'), 'second_owner'],
    ['of a manager', 'select', () => member('max', 'manager'), shownOf('a'), 'second_owner'],
    ['that changes nothing', 'select', () => member('anna'), null, 'goes on'],
    ['of no organization', 'select', () => personal('carl'), shownOf('a'), 'goes on'],
    ['by a call that waits for its time only', 'select', () => member('anna'), shownOf('a'), 'goes on', TIMED],
    ['by a call that waits for nobody', 'select', () => member('anna'), shownOf('a'), 'goes on', 'GET /wallet/'],
    [
      'where that is not wanted',
      'update organization set second_owner = false',
      () => member('anna'),
      shownOf('a'),
      'goes on',
    ],
    [
      'where no other one can sign in',
      'update app_user set disabled = true where id = 2',
      () => member('anna'),
      shownOf('a'),
      'goes on',
    ],
    [
      'where no other one is left',
      "delete from organization_member where id = 'm2'",
      () => member('anna'),
      shownOf('a'),
      'goes on',
    ],
    ['against the only other one', 'select', () => member('anna'), { ...shownOf('a'), against: 2 }, 'goes on'],
    [
      'against one of three',
      "update organization_member set role = 'owner'",
      () => member('anna'),
      { ...shownOf('a'), against: 2 },
      'second_owner',
    ],
    [
      'after an old sign-in',
      'select',
      () => ({ ...member('anna'), signedInAt: new Date(0) }),
      shownOf('a'),
      'reverification_required',
    ],
  ])('%s', async (_, change, who, shown, expected, call: Call = ADDRESS) => {
    await sql(change);
    expect(await asked(who(), 'a', shown, call)).toBe(expected);
    expect(await waiting()).toHaveLength(expected === 'second_owner' ? 1 : 0);
  });

  test('that another owner asks for as well is confirmed by it, and by nobody and nothing else', async () => {
    expect(await asked(member('anna'))).toBe('second_owner');
    // The same person, a manager, an owner of another organization, and another address.
    for (const [who, address] of [
      [member('anna'), 'a'],
      [member('max', 'manager'), 'a'],
      [member('carl', 'owner', 'ranch'), 'a'],
      [member('ben'), 'b'],
    ] as const)
      expect(await asked(who, address)).toBe('second_owner');
    expect((await waiting()).map(({ by }) => by)).toEqual([1, 3, 2]);
    expect((await waiting('ranch')).map(({ by }) => by)).toEqual([7]);
    // Another call that shows the same is another change; another build may have kept one that is not known here.
    await sql("update waiting_change set call = 'PUT /barn' where asked_by = 3");
    expect(await asked(member('ben'), 'a', shownOf('a'), 'PUT /referral/wallet' as Call)).toBe('second_owner');
    const taken = await ask(member('ben'));
    expect(taken).toMatchObject({ call: ADDRESS, askedBy: 1 });
    const by = contextOf(member('ben'));
    const deps = { pool: database.pool, secrets };
    await expect(carryOut(deps, by, taken!, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect((await waiting()).map(({ id }) => id)).toContain(taken!.id);
    expect(await carryOut(deps, by, (await ask(member('ben')))!, async () => 'made')).toBe('made');
    expect((await waiting()).map(({ id }) => id)).not.toContain(taken!.id);
  });

  test('is made as it was asked for, once, by an owner of that organization', async () => {
    await asked(member('anna'), 'kept');
    const id = (await waiting())[0]!.id;
    const made: unknown[] = [];
    const confirm = (me: Principal) =>
      code(
        confirmWaiting({ pool: database.pool, secrets }, id, { me, request: { ip: '192.0.2.1' } }, async (...given) => {
          made.push(given);
          return 'made';
        }),
      );
    expect(await confirm(member('anna'))).toBe('same_person');
    for (const who of [
      member('ben', 'manager'),
      member('max', 'manager'),
      member('carl', 'owner', 'ranch'),
      personal('ben'),
      personal('boss'),
    ])
      expect([who.user.userName, await confirm(who)]).toEqual([who.user.userName, 'unknown_request']);
    // What was asked for in one organization opens in no other.
    await sql("update waiting_change set organization_id = 'ranch'");
    expect(await confirm(member('carl', 'owner', 'ranch'))).toBeUndefined();
    await sql("update waiting_change set organization_id = 'farm'");
    expect(made).toEqual([]);
    const both = await Promise.all([confirm(member('ben')), confirm(member('ben'))]);
    expect(both).toContainEqual({ call: ADDRESS, answer: 'made' });
    expect(both).toContain('unknown_request');
    expect(made).toEqual([[ADDRESS, { query: {}, body: { btcAddress: 'kept' } }]]);
    expect(await states()).toEqual(['done']);
  });

  test('is ended by who asked or another owner, and by nobody else', async () => {
    const end = (who: Principal, id: number) =>
      code(endWaiting({ pool: database.pool, secrets }, id, { me: who, request: { ip: '192.0.2.1' } }));
    for (const who of [member('max', 'manager'), member('ben')]) {
      await asked(member('max', 'manager'));
      const id = (await waiting())[0]!.id;
      expect(await end(member('carl', 'owner', 'ranch'), id)).toBe('unknown_request');
      expect(await end(personal('boss'), id)).toBe('unknown_request');
      expect(await end(who, id)).toBe('goes on');
      expect(await end(who, id)).toBe('unknown_request');
    }
    expect(await states()).toEqual(['taken_back', 'taken_back']);
  });
});

test('the others who decide are told of it, who asked what became of it, and nobody what he did himself', async () => {
  const deps = { pool: database.pool, secrets };
  const by = (who: Principal) => ({ me: who, request: { ip: '192.0.2.1' } });
  const told = async () => {
    const { rows } = await sql(`with gone as (delete from notification returning user_id, kind, values)
      select u.user_name || ' ' || kind || ' ' || (values ->> 'organization') || ' ' || (values ->> 'user') as said
      from gone join app_user u on u.id = user_id order by 1`);
    return rows.map(({ said }) => said);
  };
  await asked(member('max', 'manager'));
  expect(await told()).toEqual(['anna organization_request farm max', 'ben organization_request farm max']);
  await endWaiting(deps, (await waiting())[0]!.id, by(member('ben')));
  expect(await told()).toEqual(['max organization_request_decline farm ben']);
  await asked(member('anna'));
  expect(await told()).toEqual(['ben organization_request farm anna']);
  await endWaiting(deps, (await waiting())[0]!.id, by(member('anna')));
  expect(await told()).toEqual([]);
  const eve = { name: 'eve', admin: false, disabled: false, isLegacyUser: false, feePercent: null };
  await asked(member('anna'), 'a', { ...shownOf('a'), after: { address: 'a', accounts: ['barn'], users: [eve] } });
  await told();
  await confirmWaiting(deps, (await waiting())[0]!.id, by(member('ben')), async () => 'made');
  expect(await told()).toEqual(['anna organization_request_confirm farm ben']);
  const { rows } = await sql(`select u.user_name as who, action, before, after from audit a
    join app_user u on u.id = coalesce(a.member_id, a.user_id) order by a.id`);
  const lists = { accounts: ['barn'], users: [expect.stringMatching(/^eve false false /)] };
  const change = { call: ADDRESS, account: 'farm', address: 'a', ...lists };
  expect(rows.slice(-2)).toEqual([
    { who: 'anna', action: 'organization.request', before: null, after: change },
    { who: 'ben', action: 'organization.confirm', before: null, after: { ...change, user: 'anna' } },
  ]);
});

describe("an admin's change", () => {
  const rule = (who: Principal) => asked(who, 'a', { after: {} } as Shown, RULE);
  test('waits where four eyes are wanted, though he is an owner elsewhere, and not for a new admin', async () => {
    expect(await rule(personal('boss'))).toBe('goes on');
    await four(false);
    expect(await rule(personal('boss'))).toBe('goes on');
    await four(true);
    await sql(`update app_user set full_admin_at = now() + interval '1 hour' where user_name = 'chief'`);
    expect(await rule(personal('chief'))).toBe('new_admin');
    expect(await rule(personal('boss'))).toBe('second_admin');
    const id = (await waiting(null))[0]!.id;
    const confirm = (me: Principal) =>
      code(
        confirmWaiting({ pool: database.pool, secrets }, id, { me, request: { ip: '192.0.2.1' } }, async () => 'made'),
      );
    expect(await confirm(personal('boss'))).toBe('same_person');
    expect(await confirm(member('anna'))).toBe('unknown_request');
    expect(await confirm(personal('carl'))).toBe('unknown_request');
    expect(await confirm(personal('chief'))).toBe('new_admin');
    await sql(`update app_user set full_admin_at = now() where user_name = 'chief'`);
    expect(await confirm(personal('chief'))).toEqual({ call: RULE, answer: 'made' });
  });

  const rest = { isLegacyUser: false, feePercent: null };
  const user = (name: string, admin: boolean, disabled = false) => ({ name, admin, disabled, ...rest });
  const payout = { account: 'farm', address: null, amountSat: 1, txid: null };
  const payment = (id: number, status: 'failed' | 'sent') => ({ id, status, ...payout });
  const stays = [user('miner', false), user('gone', true, true), user('chief', true)];
  test.each<[string, Call, ShownFacts | null, ShownFacts | null, string, object]>([
    ['of the rule', RULE, { on: false }, { on: true }, 'admins_rule_asked', {}],
    [
      'of users: admins are new',
      'PUT /users/',
      { users: [user('a', false), user('b', true, true), ...stays] },
      { users: [user('a', true), user('b', true), ...stays] },
      'admins_asked',
      { name: 'a, b' },
    ],
    [
      'of users: admins are out',
      'PUT /bulkUpdateUsers',
      { users: [user('a', true), user('b', true), ...stays] },
      { users: [user('a', false), user('b', true, true), ...stays] },
      'admins_out_asked',
      { name: 'a, b' },
    ],
    ['of a user who was not there', 'PUT /users/', null, { users: [user('a', true)] }, 'admins_asked', { name: 'a' }],
    ['of no users', 'PUT /users/', {}, { on: true }, 'admins_asked', { name: '' }],
    [
      'of payments',
      'PUT /bulkUpdatePayments',
      { payments: [7, 8, 9].map((id) => payment(id, 'sent')) },
      { payments: [payment(7, 'failed'), payment(8, 'sent'), payment(9, 'failed')] },
      'admins_failed_asked',
      { payment: '7, 9' },
    ],
    ['of no payments', 'PUT /payments/', {}, {}, 'admins_failed_asked', { payment: '' }],
    ['of payments that go', 'PUT /payments/', {}, null, 'admins_failed_asked', { payment: '' }],
  ])('%s: all admins are told what is asked for, and the log says how it ended', async (...row) => {
    const [, call, before, after, kind, values] = row;
    await four(true);
    expect(await asked(personal('boss'), 'a', { before, after }, call)).toBe('second_admin');
    expect(
      (await sql("select kind, values from notification n join app_user u on u.id = user_id where user_name = 'chief'"))
        .rows,
    ).toEqual([{ kind, values: { user: 'boss', ...values } }]);
    const chief = { me: personal('chief'), request: { ip: '192.0.2.1' } };
    await endWaiting({ pool: database.pool, secrets }, (await waiting(null))[0]!.id, chief);
    const facts = { subject: call, before: before && expect.any(Object) };
    expect((await sql('select user_id, action, subject, before, after from audit order by id')).rows).toMatchObject([
      { user_id: users.boss!.id, action: 'admin.ask', ...facts, after: { call } },
      { user_id: users.chief!.id, action: 'admin.decline', ...facts, after: { call, user: 'boss' } },
    ]);
  });
});
