/** Organizations: several people, one farm. What the farm has belongs to a row of `app_user` of its own. */
import { randomUUID } from 'node:crypto';
import { organizationName } from '@pool/shared/api/contract';
import type { OrganizationRole } from '@pool/shared/roles';
import type { Pool, PoolClient } from 'pg';
import type { Mailer } from '../../messages/mail';
import { writeNotes } from '../../messages/notifications';
import { writeAudit, type Doer } from '../../platform/audit';
import { firstRow, joinedRows, oneRow, type Querier, raw, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { createUser, freeName, lockNames, type AppUser } from '../accounts';
import { endUnheld } from './ended';
import { problems } from '../../platform/refused';

/** A row of `organization`. */
export type Organization = {
  /** `org_…`; also the identity of the account that owns what the farm has. */
  id: string;
  /** Id of that account in `app_user`. */
  userId: number;
  name: string;
  slug: string;
  /** Its owners confirm one another's changes (second-owner.ts). */
  secondOwner: boolean;
  createdAt: Date;
  updatedAt: Date;
};
/** What a member may do. `money`: a viewer sees money. `accounts`: ids of the sub-accounts he is limited to; null: all. */
export type Grant = { role: OrganizationRole; money: boolean; accounts: number[] | null };
/** A row of `organization_member`; `userId` is the person. `ownerBy`, `ownerAt`: who has made this an owner, and when. */
export type Member = Grant & {
  id: string;
  organizationId: string;
  userId: number;
  createdAt: Date;
  updatedAt: Date;
  ownerBy: number | null;
  ownerAt: Date | null;
};
/** An organization as one of its members has it. */
export type Membership = { organization: Organization; member: Member };

export type OrganizationDeps = {
  db: Pool;
  /** Tells every process that callers may have changed. */
  changed(): void;
  /** Null: the pool sends no mail. */
  mailer: Mailer | null;
  publicUrl?: string;
};

/** Members of an organization, pending invitations included. */
export const MAX_MEMBERS = 50;
/** Organizations that a person owns. */
const MAX_OWNED = 10;

export const newId = (prefix: 'org' | 'orgmem' | 'orginv'): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;

function checkName(text: string): string {
  const { data } = organizationName.safeParse(text);
  if (data === undefined) throw problems.conflict('invalid_name');
  return data;
}

export async function memberOf(db: Querier, organizationId: string, userId: number) {
  const member = await firstRow<Member>(db)`
    select * from organization_member where organization_id = ${organizationId} and user_id = ${userId}`;
  return member;
}

/** Organizations of the person with this identity, oldest membership first. */
export async function organizationsOf(db: Querier, identityId: string): Promise<Membership[]> {
  const rows = await joinedRows<[Organization, Member]>(
    db,
    `select o.*, m.*
     from app_user u join organization_member m on m.user_id = u.id join organization o on o.id = m.organization_id
     where u.identity_id = $1 order by m.created_at, m.id`,
    [identityId],
  );
  return rows.map(([organization, member]) => ({ organization, member }));
}

/** `account`: the name under which its log is kept. */
export type Locked = Organization & { account: string };
/** Locks an organization until the end of the transaction. `owner`: the person that it must have as an owner. */
export async function lockOrganization(tx: Querier, id: string, owner?: number): Promise<Locked> {
  const organization = await firstRow<Locked>(tx)`
    select o.*, (select user_name from app_user where id = o.user_id) as account
    from organization o where o.id = ${id} for update`;
  const member = organization && owner !== undefined && (await memberOf(tx, id, owner));
  if (!organization || member === undefined) throw problems.forbidden('not_member');
  if (member && member.role !== 'owner') throw problems.forbidden();
  return organization;
}

export const addMember = (
  tx: Querier,
  organizationId: string,
  userId: number,
  { role, money, accounts }: Grant,
  by: number | null = null,
): Promise<unknown> =>
  tx.query(sql`insert into organization_member (id, organization_id, user_id, role, money, accounts, owner_by, owner_at)
    values (${newId('orgmem')}, ${organizationId}, ${userId}, ${role}, ${money}, ${accounts}, ${by}, now())`);

/** What every change needs. */
export type Changing = Pick<OrganizationDeps, 'db' | 'changed'>;
/** Runs a change in a transaction, with the end of what nobody could make any more after it; tells the processes. */
export async function change<T>({ db, changed }: Changing, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const result = await transaction(db, async (tx) => {
    const done = await work(tx);
    await endUnheld(tx);
    return done;
  });
  changed();
  return result;
}

/** Tells these persons, after the commit of `tx`. */
export const tell = (
  tx: Querier,
  userIds: readonly number[],
  kind: `organization_${string}`,
  values: Record<string, string>,
): Promise<void> =>
  writeNotes(
    tx,
    userIds.map((userId) => ({ userId, kind, values })),
    Date.now() / 1000,
  );

/** What stays the person's own when the account becomes an organization's. */
const PERSONAL = [
  ['telegram_connection', 'user_id'],
  ['push_subscription', 'user_id'],
  ['alert_setting', 'user_id'],
  ['notification', 'user_id'],
  ['organization_member', 'user_id'],
  ['organization_invitation', 'invited_by'],
  ['organization_invitation', 'used_by'],
  ['organization_member', 'owner_by'],
  ['waiting_change', 'asked_by'],
  ['waiting_change', 'confirmed_by'],
  ['waiting_change', 'against'],
] as const;

/**
 * Makes an organization of the person's account: its row in `app_user` with all that belongs to it becomes the
 * organization's, and the person, its owner, gets a new one. Admins of the pool are refused, because the rule of two
 * admins knows them by their rows. `id`: given by the hosted sign-in service.
 */
export const createOrganization = (
  deps: OrganizationDeps,
  by: Doer,
  text: string,
  id = newId('org'),
): Promise<{ organization: Organization; person: AppUser }> =>
  change(deps, async (tx) => {
    const name = checkName(text);
    await lockNames(tx);
    const user = await firstRow<AppUser & { owned: number; isOrganization: boolean }>(tx)`
      select u.*, exists (select from organization o where o.user_id = u.id) as is_organization,
        (select count(*) from organization_member m where m.user_id = u.id and m.role = 'owner') as owned
      from app_user u where u.id = ${by.actorId} for update`;
    if (!user || user.isLegacyUser || user.role === 'admin' || user.isOrganization)
      throw problems.conflict('not_possible');
    if (user.owned >= MAX_OWNED) throw problems.conflict('owner_of_too_many');
    await tx.query(sql`update app_user set identity_id = ${id}, email = null where id = ${user.id}`);
    const person = await createUser(tx, {
      identityId: user.identityId,
      userName: await freeName(tx, user.userName),
      email: user.email,
    });
    for (const [table, column] of PERSONAL)
      await tx.query(sql`update ${raw(table)} set ${raw(column)} = ${person.id} where ${raw(column)} = ${user.id}`);
    for (const table of ['access_token', 'webhook'])
      await tx.query(sql`update ${raw(table)} set made_by = ${person.id} where user_id = ${user.id}`);
    const organization = await oneRow<Organization>(tx)`
      insert into organization (id, user_id, name, slug) values (${id}, ${user.id}, ${name}, ${user.userName})
      returning *`;
    await addMember(tx, organization.id, person.id, { role: 'owner', money: false, accounts: null });
    await writeAudit(tx, { ...by, actorId: person.id }, 'organization.create', user.userName, {
      after: { name, user: person.userName },
    });
    return { organization, person };
  });

export const renameOrganization = (deps: OrganizationDeps, by: Doer, id: string, text: string): Promise<Organization> =>
  change(deps, async (tx) => {
    const name = checkName(text);
    const before = await lockOrganization(tx, id, by.actorId);
    const organization = await firstRow<Organization>(tx)`
      update organization set name = ${name}, updated_at = now() where id = ${id} returning *`;
    await writeAudit(tx, by, 'organization.rename', before.account, { before: { name: before.name }, after: { name } });
    return organization!;
  });

/** Keeps the member of an organization of the hosted sign-in service as its token says; limits are the pool's own. */
export const followHosted = (
  db: Querier,
  { organizationId, userId, role }: { organizationId: string; userId: number; role: OrganizationRole },
): Promise<unknown> =>
  db.query(sql`insert into organization_member (id, organization_id, user_id, role)
    select ${newId('orgmem')}, o.id, ${userId}, ${role} from organization o where o.id = ${organizationId}
    on conflict (organization_id, user_id)
    do update set role = excluded.role, money = false, updated_at = now(),
      accounts = case when excluded.role <> 'owner' then organization_member.accounts end`);
