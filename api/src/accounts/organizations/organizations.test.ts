/** Organizations and their members: making one, roles and limits, the last owner, removals, invitations. */
import type { Doer } from '../../platform/audit';
import type { Database } from '../../platform/db/database';
import { emptyTables, insertUsers, testDatabase } from '../../platform/db/testing/test-database';
import { Bus } from '../../platform/bus';
import type { Mail } from '../../messages/mail';
import { announceOn } from '../../platform/bus';
import { soleOwned, changeMember, membersOf } from './members';
import {
  acceptInvitation,
  invitationLink,
  invitationOf,
  invitationsOf,
  invite,
  revokeInvitation,
  type NewInvitation,
} from './invitations';
import {
  createOrganization,
  organizationsOf,
  renameOrganization,
  type Grant,
  type OrganizationDeps,
} from './organizations';
import { cancelRemoval, finishRemovals, removeMember } from './removals';

let database: Database;
let deps: OrganizationDeps;
let told: number[];
let mails: Mail[];
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await emptyTables(database);
  // Ids 1 to 4, identities user_1 to user_4.
  await insertUsers(database, 'alice', 'bob', 'carol', 'dave');
  told = [];
  mails = [];
  const bus = new Bus();
  bus.subscribe(({ userId }) => told.push(userId ?? 0));
  announceOn(bus, database.pool);
  deps = {
    db: database.pool,
    changed: () => undefined,
    mailer: { queue: async (_tx, mail) => void mails.push(mail) },
    publicUrl: 'https://pool.test/',
  };
});
afterAll(() => database.close());

const rows = async <T = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await database.pool.query(sql, values)).rows as T[];
const by = (actorId: number): Doer => ({ actorId, ip: '192.0.2.1' });
const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );

/** An organization made by Alice, whose own row is new. */
async function farm(): Promise<{ id: string; alice: number }> {
  const { organization, person } = await createOrganization(deps, by(1), ' North Farm ');
  return { id: organization.id, alice: person.id };
}
const linkInvitation = (grant: Partial<Grant> & Pick<Grant, 'role'>): NewInvitation => ({
  email: null,
  language: 'en',
  ...grant,
});
/** Makes the person a member by a link of the owner, and an owner as of long ago. */
async function join(id: string, owner: number, userId: number, grant: Partial<Grant> & Pick<Grant, 'role'>) {
  const { role } = grant;
  const { secret } = await invite(
    deps,
    by(owner),
    id,
    linkInvitation({ ...grant, role: role === 'owner' ? 'viewer' : role }),
  );
  await acceptInvitation(deps, by(userId), secret ?? '');
  if (role !== 'owner') return;
  await changeMember(deps, by(owner), id, userId, { role });
  await rows("update organization_member set owner_at = now() - interval '73 hours'");
}
const roles = async (id: string): Promise<Record<number, string>> =>
  Object.fromEntries((await membersOf(database.pool, id)).map(({ userId, role }) => [userId, role]));

describe('making an organization', () => {
  it('changes nothing for the miners, and the person keeps what is his own', async () => {
    await rows("update sub_account set ports = '{\"SHA256\": 5000}', btc_address = 'x' where user_id = 1");
    await rows("insert into sub_account (user_id, name) values (1, 'barn')");
    await rows(
      "insert into balance (party, owner_id, owed_sat, paid_sat, payouts) select 'account', id, 100 + id, 7, 1 from sub_account",
    );
    await rows("insert into notification (user_id, kind) values (1, 'worker_offline')");
    await rows("insert into alert_setting (user_id, mail_events) values (1, '{offline}')");
    await rows(`insert into access_token (user_id, made_by, kind, name, token_hash, prefix, scopes)
      values (1, 1, 'api_key', 'k', '', '', '{workers}')`);
    await rows("insert into webhook (user_id, made_by, url, secret, events) values (1, 1, '', '', '{offline}')");
    await rows("update app_user set email = 'alice@example.com', fee_percent = 1.5 where id = 1");
    const facts = () =>
      Promise.all([
        rows('select * from sub_account where user_id = 1 order by id'),
        rows('select * from balance where owner_id <= 5 order by owner_id'),
        rows('select user_name, fee_percent, role, disabled from app_user where id = 1'),
      ]);
    const before = await facts();
    const { id, alice } = await farm();
    expect(await facts()).toEqual(before);
    const [person] = await rows('select identity_id, user_name, email from app_user where id = $1', alice);
    expect(person).toEqual({ identity_id: 'user_1', user_name: 'alice-2', email: 'alice@example.com' });
    expect(await rows('select user_id from notification union all select user_id from alert_setting')).toEqual([
      { user_id: alice },
      { user_id: alice },
    ]);
    // Links, keys and webhooks are the organization's; they work as long as this person may have them.
    expect(
      await rows('select user_id, made_by from access_token union all select user_id, made_by from webhook'),
    ).toEqual(Array(2).fill({ user_id: 1, made_by: alice }));
    const [mine] = await organizationsOf(database.pool, 'user_1');
    expect(mine).toMatchObject({
      organization: { id, userId: 1, name: 'North Farm', slug: 'alice' },
      member: { userId: alice, role: 'owner', money: false, accounts: null },
    });
    const after = { name: 'North Farm', user: 'alice-2' };
    expect(await rows('select user_id, action, subject, after from audit')).toEqual([
      { user_id: alice, action: 'organization.create', subject: 'alice', after },
    ]);
  });

  it('a second one is made of the new row, and the memberships of the person stay', async () => {
    const first = await farm();
    const second = await createOrganization(deps, by(first.alice), 'South');
    expect(second.person.userName).toBe('alice-2-2');
    const mine = await organizationsOf(database.pool, 'user_1');
    expect(mine.map(({ organization, member }) => [organization.slug, member.userId])).toEqual([
      ['alice', second.person.id],
      ['alice-2', second.person.id],
    ]);
  });

  it('is done by one person ten times', async () => {
    let who = 1;
    for (let n = 0; n < 10; n += 1) who = (await createOrganization(deps, by(who), `Farm ${n}`)).person.id;
    expect(await code(createOrganization(deps, by(who), 'Farm 10'))).toBe('owner_of_too_many');
  });

  it('a name of one line is taken, without characters that nobody sees', async () => {
    const { id, alice } = await farm();
    for (const name of [
      'North\nFarm: pay here',
      'North\u202e Farm',
      'North\u200bFarm',
      'North\u2028Farm',
      'x'.repeat(101),
    ]) {
      expect(await code(renameOrganization(deps, by(alice), id, name))).toBe('invalid_name');
      expect(await code(createOrganization(deps, by(2), name))).toBe('invalid_name');
    }
    expect((await renameOrganization(deps, by(alice), id, 'مزرعة الشمال')).name).toBe('مزرعة الشمال');
  });

  it('is refused to legacy users, admins, an organization itself, and without a name', async () => {
    await rows("update app_user set is_legacy_user = id = 2, role = case when id = 3 then 'admin' else role end");
    expect(await code(createOrganization(deps, by(2), 'Farm'))).toBe('not_possible');
    expect(await code(createOrganization(deps, by(3), 'Farm'))).toBe('not_possible');
    expect(await code(createOrganization(deps, by(4), ' '))).toBe('invalid_name');
    const { id, alice } = await farm();
    expect(await code(createOrganization(deps, by(1), 'Farm'))).toBe('not_possible');
    expect(await code(renameOrganization(deps, by(2), id, 'Mine'))).toBe('not_member');
    expect((await renameOrganization(deps, by(alice), id, 'South')).name).toBe('South');
    expect(await rows("select before, after from audit where action = 'organization.rename'")).toEqual([
      { before: { name: 'North Farm' }, after: { name: 'South' } },
    ]);
  });
});

describe('roles and limits', () => {
  it('an owner changes them, to sub-accounts of the organization only', async () => {
    const { id, alice } = await farm();
    await join(id, alice, 2, { role: 'technician', accounts: [1] });
    await rows("insert into sub_account (user_id, name, deleted_at) values (1, 'gone', now())");
    const set = (wanted: Partial<Grant>) => changeMember(deps, by(alice), id, 2, wanted);
    for (const wanted of [
      { accounts: [2] },
      { accounts: [1, 2] },
      { accounts: [6] },
      { accounts: [] },
      { money: true },
    ]) {
      expect([wanted, await code(set(wanted))]).toEqual([wanted, 'invalid_limits']);
      const invited = invite(deps, by(alice), id, linkInvitation({ role: 'technician', ...wanted }));
      expect([wanted, await code(invited)]).toEqual([wanted, 'invalid_limits']);
    }
    expect(await code(set({ role: 'owner', accounts: [1] }))).toBe('invalid_limits');
    expect(await set({ role: 'viewer', money: true })).toMatchObject({ role: 'viewer', money: true, accounts: [1] });
    expect(await set({ role: 'manager' })).toMatchObject({ role: 'manager', money: false, accounts: [1] });
    expect(await set({ role: 'owner' })).toMatchObject({ role: 'owner', money: false, accounts: null });
    // A change to the role that an owner has already is no loss of an owner.
    expect(await set({ role: 'owner' })).toMatchObject({ role: 'owner' });
    expect(await code(changeMember(deps, by(alice), id, 4, { role: 'viewer' }))).toBe('unknown_member');
    const [entry] = await rows(
      "select user_id, before, after from audit where action = 'organization.member' order by id",
    );
    expect(entry).toEqual({
      user_id: alice,
      before: { user: 'bob', role: 'technician', money: false, accounts: ['alice'] },
      after: { user: 'bob', role: 'viewer', money: true, accounts: ['alice'] },
    });
    await join(id, alice, 3, { role: 'technician', accounts: [1] });
    const [barn] = await rows<{ id: number }>(
      "insert into sub_account (user_id, name) values (1, 'barn') returning id",
    );
    for (const accounts of [[barn!.id], [1, barn!.id], null])
      expect(await changeMember(deps, by(alice), id, 3, { accounts })).toMatchObject({ role: 'technician', accounts });
  });

  it('nobody else changes anything', async () => {
    const { id, alice } = await farm();
    await join(id, alice, 2, { role: 'manager' });
    for (const [who, expected] of [
      [2, 'forbidden'],
      [3, 'not_member'],
      [1, 'not_member'],
    ] as const) {
      expect(await code(changeMember(deps, by(who), id, 2, { role: 'owner' }))).toBe(expected);
      expect(await code(removeMember(deps, by(who), id, alice))).toBe(expected);
      expect(await code(invite(deps, by(who), id, linkInvitation({ role: 'viewer' })))).toBe(expected);
    }
  });
});

describe('the last owner', () => {
  it('neither leaves nor steps down; a disabled owner does not count', async () => {
    const { id, alice } = await farm();
    await join(id, alice, 2, { role: 'owner' });
    await rows('update app_user set disabled = true where id = 2');
    expect(await code(removeMember(deps, by(alice), id, alice))).toBe('last_owner');
    expect(await code(changeMember(deps, by(alice), id, alice, { role: 'manager' }))).toBe('last_owner');
    expect(await soleOwned(database.pool, [alice])).toEqual(['North Farm']);
    await rows('update app_user set disabled = false where id = 2');
    expect(await soleOwned(database.pool, [alice])).toEqual([]);
    expect(await soleOwned(database.pool, [alice, 2])).toEqual(['North Farm']);
    expect(await code(removeMember(deps, by(alice), id, alice))).toBe('done');
    expect(await roles(id)).toEqual({ 2: 'owner' });
  });

  it('of two owners who leave, or step down, at once one stays', async () => {
    for (const go of [
      (id: string, who: number) => removeMember(deps, by(who), id, who),
      (id: string, who: number) => changeMember(deps, by(who), id, who, { role: 'viewer' }),
    ]) {
      await emptyTables(database);
      await insertUsers(database, 'alice', 'bob');
      const { id, alice } = await farm();
      await join(id, alice, 2, { role: 'owner' });
      const codes = await Promise.all([alice, 2].map((who) => code(go(id, who))));
      expect(codes.sort()).toEqual(['done', 'last_owner']);
      expect(Object.values(await roles(id)).filter((role) => role === 'owner')).toHaveLength(1);
    }
  });
});

describe('removal', () => {
  it('of a member is at once, and his session leaves the organization', async () => {
    const { id, alice } = await farm();
    await join(id, alice, 2, { role: 'technician' });
    await rows("update organization_member set owner_at = now() - interval '73 hours'");
    await rows("insert into identity_user (id, user_name, password_hash) values ('user_2', 'bob', '')");
    await rows("insert into identity_client (id, secret_hash) values ('client_1', '')");
    await rows(
      `insert into identity_session (id, client_id, user_id, expires_at, organization_id)
       values ('sess_1', 'client_1', 'user_2', now() + interval '1 day', $1)`,
      id,
    );
    expect(await removeMember(deps, by(alice), id, 2)).toBeNull();
    expect(await rows('select organization_id from identity_session')).toEqual([{ organization_id: null }]);
    expect(await roles(id)).toEqual({ [alice]: 'owner' });
    expect(await rows('select kind, values from notification where user_id = 2')).toEqual([
      { kind: 'organization_removed', values: { organization: 'North Farm' } },
    ]);
    expect(await code(removeMember(deps, by(alice), id, 2))).toBe('unknown_member');
    expect(await code(removeMember(deps, by(2), id, 2))).toBe('not_member');
    // A member who leaves gets no message about it.
    await join(id, alice, 3, { role: 'technician' });
    await removeMember(deps, by(3), id, 3);
    expect(await rows('select kind from notification where user_id = 3')).toEqual([]);
    const before = { role: 'technician', money: false, accounts: null };
    expect(await rows("select action, before from audit where action ~ '(leave|remove)$' order by id")).toEqual([
      { action: 'organization.remove', before: { user: 'bob', ...before } },
      { action: 'organization.leave', before: { user: 'carol', ...before } },
    ]);
  });

  it('of another owner waits 72 hours with notices to both, and any owner cancels it', async () => {
    const { id, alice } = await farm();
    await join(id, alice, 2, { role: 'owner' });
    expect(await code(changeMember(deps, by(alice), id, 2, { role: 'viewer' }))).toBe('owner_protected');
    told = [];
    const until = await removeMember(deps, by(alice), id, 2);
    expect(((until?.getTime() ?? 0) - Date.now()) / 3_600_000).toBeCloseTo(72, 0);
    expect(told).toEqual([2, alice]);
    const owner = { role: 'owner', money: false, accounts: null };
    expect(await rows('select shown from waiting_change')).toEqual([
      { shown: { name: 'bob', before: owner, after: null } },
    ]);
    expect(await removeMember(deps, by(alice), id, 2)).toEqual(until);
    expect(told).toHaveLength(2);
    await finishRemovals(deps);
    expect(await roles(id)).toEqual({ [alice]: 'owner', 2: 'owner' });
    // The owner who is to be removed has no say in stopping it.
    expect(await code(cancelRemoval(deps, by(2), id, 2))).toBe('own_removal');
    expect(await cancelRemoval(deps, by(alice), id, 2)).toBe(true);
    expect(await cancelRemoval(deps, by(alice), id, 2)).toBe(false);
    const people = { organization: 'North Farm', user: 'alice-2', name: 'bob' };
    const end = until?.toISOString();
    expect(await rows('select kind, values from notification where user_id = 2 order by id')).toEqual([
      { kind: 'organization_owner_removal', values: { ...people, until: end } },
      { kind: 'organization_owner_kept', values: people },
    ]);
    await removeMember(deps, by(alice), id, 2);
    await rows('update waiting_change set ends_at = now()');
    await finishRemovals(deps);
    expect(await roles(id)).toEqual({ [alice]: 'owner' });
    expect(await rows('select kind, values from notification where user_id = 2 order by id desc limit 1')).toEqual([
      { kind: 'organization_removed', values: { organization: 'North Farm' } },
    ]);
    const log = await rows(
      "select member_id, user_id, ip, action, before, after from audit where action ~ '(removal|keep|remove)$' order by id",
    );
    expect(log).toMatchObject([
      { action: 'organization.ask_removal', after: { user: 'bob', holdUntil: end } },
      { action: 'organization.keep', after: { user: 'bob' } },
      { action: 'organization.ask_removal' },
      { action: 'organization.remove', before: { user: 'bob', ...owner }, user_id: alice, ip: null },
    ]);
  });

  it('of a new owner is at once by who made it one, for 72 hours', async () => {
    const { id, alice } = await farm();
    for (const who of [2, 3]) await join(id, alice, who, { role: 'owner' });
    await rows('update organization_member set owner_at = now() where user_id = 3');
    expect(await removeMember(deps, by(2), id, 3)).toBeInstanceOf(Date);
    expect(await removeMember(deps, by(alice), id, 2)).toBeInstanceOf(Date);
    // Each removal waits for itself.
    expect(await rows("select against from waiting_change where state = 'waits' order by 1")).toEqual([
      { against: 2 },
      { against: 3 },
    ]);
    expect(await removeMember(deps, by(alice), id, 3)).toBeNull();
    expect(await roles(id)).toEqual({ [alice]: 'owner', 2: 'owner' });
  });

  it('of an owner whose beginning nobody knows waits, whatever else waits against that one', async () => {
    const { id, alice } = await farm();
    await join(id, alice, 2, { role: 'owner' });
    await rows('update organization_member set owner_at = null');
    await rows(
      `insert into waiting_change (call, organization_id, asked_by, against, content, shown, ends_at, ends_as)
       values ('PUT /organization/members/{id}', $1, $2, 2, '', '{}', now() + interval '1 hour', 'expired')`,
      id,
      alice,
    );
    const until = await removeMember(deps, by(alice), id, 2);
    expect(((until?.getTime() ?? 0) - Date.now()) / 3_600_000).toBeCloseTo(72, 0);
  });

  it('is dropped when the remover steps down or leaves, or the removed one leaves and comes back', async () => {
    const { id, alice } = await farm();
    for (const who of [2, 3]) await join(id, alice, who, { role: 'owner' });
    const over = async () => {
      await rows('update waiting_change set ends_at = now()');
      await finishRemovals(deps);
      return roles(id);
    };
    await removeMember(deps, by(alice), id, 2);
    await changeMember(deps, by(alice), id, alice, { role: 'viewer' });
    expect(await over()).toEqual({ [alice]: 'viewer', 2: 'owner', 3: 'owner' });
    await removeMember(deps, by(3), id, 2);
    await removeMember(deps, by(2), id, 2);
    await join(id, 3, 2, { role: 'owner' });
    expect(await over()).toEqual({ [alice]: 'viewer', 2: 'owner', 3: 'owner' });
    await removeMember(deps, by(3), id, 2);
    await changeMember(deps, by(2), id, 2, { role: 'viewer' });
    expect(await over()).toEqual({ [alice]: 'viewer', 2: 'viewer', 3: 'owner' });
    await changeMember(deps, by(3), id, 2, { role: 'owner' });
    await rows('update organization_member set owner_at = null');
    await removeMember(deps, by(3), id, 2);
    await removeMember(deps, by(3), id, 3);
    expect(await over()).toEqual({ [alice]: 'viewer', 2: 'owner' });
  });

  it('is dropped when the remover was disabled: the last owner stays', async () => {
    const { id, alice } = await farm();
    await join(id, alice, 2, { role: 'owner' });
    await removeMember(deps, by(alice), id, 2);
    await rows('update app_user set disabled = true where id = $1', alice);
    await rows('update waiting_change set ends_at = now()');
    await finishRemovals(deps);
    expect(await roles(id)).toEqual({ [alice]: 'owner', 2: 'owner' });
    expect(await rows('select state from waiting_change')).toEqual([{ state: 'expired' }]);
  });
});

describe('an invitation', () => {
  it('by link: the secret is not stored, works once, and the owners are told', async () => {
    const { id, alice } = await farm();
    const { invitation, secret = '' } = await invite(deps, by(alice), id, linkInvitation({ role: 'accountant' }));
    const proof = secret ?? '';
    expect(proof).toHaveLength(43);
    expect(JSON.stringify(await rows('select * from organization_invitation, audit'))).not.toContain(proof);
    // A browser sends this part of an address to nobody.
    expect(new URL(invitationLink('https://pool.test', proof)).hash).toBe(`#${proof}`);
    expect(await invitationOf(database.pool, proof)).toMatchObject({ name: 'North Farm', role: 'accountant' });
    expect(await code(invitationOf(database.pool, 'wrong'))).toBe('invitation_unknown');
    expect(await code(acceptInvitation(deps, by(2), 'wrong'))).toBe('invitation_unknown');
    expect(await code(acceptInvitation(deps, by(alice), proof))).toBe('already_member');
    expect(await code(acceptInvitation(deps, by(1), proof))).toBe('not_possible');
    const both = await Promise.all([2, 3].map((who) => code(acceptInvitation(deps, by(who), proof))));
    expect(both.sort()).toEqual(['done', 'invitation_used']);
    const [member] = (await membersOf(database.pool, id)).slice(1);
    const who = member?.userId ?? 0;
    const user = who === 2 ? 'bob' : 'carol';
    const granted = { role: 'accountant', money: false, accounts: null };
    expect(member).toMatchObject(granted);
    const accepted = { id: invitation.id, status: 'accepted', usedBy: who };
    expect(await acceptInvitation(deps, by(who), proof)).toMatchObject({ organization: { id }, invitation: accepted });
    expect(await rows('select user_id, kind, values from notification')).toEqual([
      { user_id: alice, kind: 'organization_joined', values: { organization: 'North Farm', name: user } },
    ]);
    const of = { id: invitation.id, email: null };
    expect(await rows("select before, after from audit where action ~ '(invite|join)$' order by id")).toEqual([
      { before: null, after: { ...of, ...granted, expiresAt: invitation.expiresAt.toISOString() } },
      { before: of, after: { user, ...granted } },
    ]);
    expect(await invitationsOf(database.pool, id)).toMatchObject([accepted]);
    await removeMember(deps, by(alice), id, who);
    expect(await code(acceptInvitation(deps, by(who), proof))).toBe('invitation_used');
  });

  it('by mail is for its address, whoever has the link; a link makes nobody an owner', async () => {
    const { id, alice } = await farm();
    expect(await code(invite(deps, by(alice), id, linkInvitation({ role: 'owner' })))).toBe('owner_by_mail');
    await invite(deps, by(alice), id, { ...linkInvitation({ role: 'owner' }), email: 'Bob@example.com' });
    const secret = new URL(mails[0]?.link ?? '').hash.slice(1);
    const accept = (who: number) => code(acceptInvitation(deps, by(who), secret));
    await rows(
      "insert into identity_user (id, user_name, password_hash, email) values ('user_2', 'bob', '', 'bob@example.com')",
    );
    await rows("update app_user set email = 'bob@example.com' where id = 2");
    expect([await accept(3), await accept(2)]).toEqual(['other_address', 'other_address']);
    await rows('update identity_user set email_verified_at = now()');
    expect(await acceptInvitation(deps, by(2), secret)).toMatchObject({
      organization: { id },
      invitation: { role: 'owner', status: 'accepted', usedBy: 2 },
    });
    expect((await membersOf(database.pool, id))[1]).toMatchObject({ role: 'owner', ownerBy: alice });
    // One of the build before.
    await rows("update organization_invitation set email = null, status = 'pending'");
    expect(await accept(3)).toBe('owner_by_mail');
  });

  it('by mail: to an address of nobody who is a member or invited', async () => {
    const { id, alice } = await farm();
    await rows("update app_user set email = 'bob@example.com' where id = 2");
    await join(id, alice, 2, { role: 'viewer' });
    const mail = (email: string) => ({ ...linkInvitation({ role: 'technician' }), email });
    expect(await code(invite(deps, by(alice), id, mail('Bob@Example.com')))).toBe('already_member');
    const { secret } = await invite(deps, by(alice), id, mail(' Carol@Example.com '));
    expect(secret).toBeNull();
    expect(mails).toMatchObject([
      { to: 'carol@example.com', values: { organization: 'North Farm', name: 'alice-2' }, lifeS: 7 * 86_400 },
    ]);
    expect(mails[0]?.link).toMatch(/^https:\/\/pool\.test\/invitation#[\w-]{43}$/);
    expect(await code(invite(deps, by(alice), id, mail('carol@example.com')))).toBe('already_invited');
    const silent = { ...deps, mailer: null };
    expect(await code(invite(silent, by(alice), id, mail('dave@example.com')))).toBe('no_mail');
    expect(await code(invite(silent, by(alice), id, linkInvitation({ role: 'viewer' })))).toBe('done');
  });

  it('expired, taken back, or of somebody who is no owner any more, it opens nothing', async () => {
    const { id, alice } = await farm();
    await join(id, alice, 2, { role: 'owner' });
    const made = () => invite(deps, by(2), id, linkInvitation({ role: 'viewer' }));
    const [old, revoked, orphan] = [await made(), await made(), await made()];
    const accept = ({ secret }: { secret: string | null }) => code(acceptInvitation(deps, by(3), secret ?? ''));
    await rows('update organization_invitation set expires_at = now() where id = $1', old.invitation.id);
    expect(await accept(old)).toBe('invitation_expired');
    expect((await revokeInvitation(deps, by(alice), id, revoked.invitation.id)).status).toBe('revoked');
    expect(await rows("select before from audit where action = 'organization.uninvite'")).toEqual([
      { before: { id: revoked.invitation.id, email: null } },
    ]);
    expect(await accept(revoked)).toBe('invitation_revoked');
    expect(await code(invitationOf(database.pool, revoked.secret ?? ''))).toBe('invitation_revoked');
    expect(await code(revokeInvitation(deps, by(alice), id, revoked.invitation.id))).toBe('invitation_revoked');
    expect(await code(revokeInvitation(deps, by(alice), id, 'orginv_0'))).toBe('invitation_unknown');
    await rows('update app_user set disabled = id = 2');
    expect(await accept(orphan)).toBe('inviter_gone');
    await removeMember(deps, by(2), id, 2);
    expect(await accept(orphan)).toBe('inviter_gone');
    await rows('update app_user set is_legacy_user = true where id = 3');
    expect(await accept(orphan)).toBe('not_possible');
    expect(await roles(id)).toEqual({ [alice]: 'owner' });
  });

  it('is limited to twenty a day, three to an address, those taken back included, and to fifty people', async () => {
    const { id, alice } = await farm();
    const mail = async (email: string) => {
      const made = await invite(deps, by(alice), id, { ...linkInvitation({ role: 'viewer' }), email });
      await revokeInvitation(deps, by(alice), id, made.invitation.id);
    };
    for (let times = 0; times < 3; times += 1) await mail('carol@example.com');
    expect(await code(mail('Carol@example.com'))).toBe('too_many_invitations');
    expect(await code(mail('dave@example.com'))).toBe('done');
    // An address gets ten from all organizations together.
    const other = await createOrganization(deps, by(2), 'South');
    await rows(
      `insert into organization_invitation (id, organization_id, email, token_hash, role, invited_by, status, expires_at)
       select n, $1, 'erin@example.com', n, 'viewer', $2, 'revoked', now() from generate_series(1, 10) n`,
      other.organization.id,
      other.person.id,
    );
    expect(await code(mail('erin@example.com'))).toBe('too_many_invitations');
    await rows('delete from organization_invitation');
    const made = () => invite(deps, by(alice), id, linkInvitation({ role: 'viewer' }));
    const first = await made();
    await revokeInvitation(deps, by(alice), id, first.invitation.id);
    const many = (count: number, at: string) =>
      rows(
        `insert into organization_invitation (id, organization_id, token_hash, role, invited_by, created_at, expires_at)
         select $2 || n, $1, $2 || n, 'viewer', $3, ${at}, now() + interval '1 day' from generate_series(1, ${count}) n`,
        id,
        at,
        alice,
      );
    await many(18, 'now()');
    expect(await code(made())).toBe('done');
    expect(await code(made())).toBe('too_many_invitations');
    await rows("update organization_invitation set created_at = now() - interval '2 days'");
    await many(29, "now() - interval '25 hours'");
    expect(await code(made())).toBe('done');
    expect(await code(made())).toBe('too_many_members');
  });
});
