import type { AppUser } from '../../accounts/accounts';
import { rowsOf } from '../../platform/db/querier';
import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import { asMember, Memberships } from './memberships';

const database = databaseOfFile();
let anna: AppUser;
let memberships: Memberships;
const asked = () => ({ organizationId: 'org_1', userId: anna.id });
beforeEach(async () => {
  await emptyTables(database);
  await insertUsers(database, 'farm', 'anna');
  await database.pool.query(
    `insert into organization (id, user_id, name, slug)
     select 'org_1', id, 'Farm', 'farm' from app_user where user_name = 'farm'`,
  );
  await database.pool.query(
    `insert into organization_member (id, organization_id, user_id, role, accounts)
     select 'orgmem_1', 'org_1', id, 'manager', array(select s.id from sub_account s where s.name = 'farm')
     from app_user where user_name = 'anna'`,
  );
  [anna] = (await rowsOf<AppUser>(database.pool)`select * from app_user where user_name = 'anna'`) as [AppUser];
  memberships = new Memberships(database.pool, 3_600_000);
});

test.each([
  ['a role', "update organization_member set role = 'viewer'"],
  ['the sight of money', 'update organization_member set money = true'],
  ['a limit', 'update organization_member set accounts = null'],
  ['the membership', 'delete from organization_member'],
  ['the account of the organization', "update app_user set disabled = true where user_name = 'farm'"],
])('a member who has lost %s is another one, and is read again once that is told', async (_, change) => {
  const before = await memberships.find(asked());
  const member = asMember(anna, before!);
  expect(member).toMatchObject({ role: 'manager', money: false, first: 'farm' });
  expect((await memberships.unchanged([member]))(member)).toBe(true);
  await database.pool.query(change);
  expect((await memberships.unchanged([member]))(member)).toBe(false);
  expect(await memberships.find(asked())).toBe(before);
  memberships.known.clear();
  expect(await memberships.find(asked())).not.toEqual(before);
});

test('a role of the hosted service is followed at once, in organizations that are known', async () => {
  expect((await memberships.find(asked()))?.row.role).toBe('manager');
  expect((await memberships.find(asked(), 'owner'))?.row).toMatchObject({ role: 'owner', accounts: null });
  expect((await memberships.find({ ...asked(), organizationId: 'org_2' }, 'owner')) ?? null).toBeNull();
  await database.pool.query('delete from organization_member');
  memberships.known.clear();
  expect((await memberships.find(asked(), 'viewer'))?.row.role).toBe('viewer');
});

test('a member is found by the name of the person, in that organization only', async () => {
  const [farm] = (await rowsOf<AppUser>(database.pool)`select * from app_user where user_name = 'farm'`) as [AppUser];
  expect(await memberships.named(farm, 'anna')).toMatchObject({ role: 'manager', user: { id: anna.id } });
  expect(await memberships.named(farm, 'farm')).toBeUndefined();
  expect(await memberships.named(anna, 'anna')).toBeUndefined();
});
