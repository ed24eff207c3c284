/** Members of an organization: roles, limits, removal. Whatever happens, an owner stays who can sign in. */
import type { Call } from '@pool/shared/api/contract';
import { type Doer, writeAudit } from '../../platform/audit';
import { oneRow, type Querier, rowsOf, sql, valueOf, valuesOf } from '../../platform/db/querier';
import { endHeld } from '../waiting/waiting';
import {
  change,
  lockOrganization,
  memberOf,
  type Grant,
  type Member,
  type Organization,
  type OrganizationDeps,
} from './organizations';
import { problems } from '../../platform/refused';

/** A member with what he is called. `removalAt`: when another owner's removal of this owner takes effect. */
export type KnownMember = Member & {
  identityId: string;
  userName: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  picture: string | null;
  removalAt: Date | null;
};

/** Members of an organization, oldest first. */
export const membersOf = (db: Querier, organizationId: string): Promise<KnownMember[]> =>
  rowsOf<KnownMember>(db)`
    select m.*, u.identity_id, coalesce(i.user_name, u.user_name) as user_name, i.first_name, i.last_name,
      coalesce(i.email, u.email) as email, i.picture, r.ends_at as removal_at
    from organization_member m
    join app_user u on u.id = m.user_id
    left join identity_user i on i.id = u.identity_id
    left join waiting_change r on r.organization_id = m.organization_id and r.against = m.user_id
      and r.call = ${REMOVAL} and r.state = 'waits' and r.ends_as = 'done'
    where m.organization_id = ${organizationId}
    order by m.created_at, m.id`;

/** Names of the organizations, or of `only`, that would have no enabled owner without these persons. */
export const soleOwned = (db: Querier, userIds: readonly number[], only?: string): Promise<string[]> =>
  valuesOf<string>(db)`
    select o.name from organization o
    where (${only}::text is null or o.id = ${only})
      and exists (
        select from organization_member m
        where m.organization_id = o.id and m.role = 'owner' and m.user_id = any(${userIds}::int[]))
      and not exists (
        select from organization_member m join app_user u on u.id = m.user_id
        where m.organization_id = o.id and m.role = 'owner' and not u.disabled and m.user_id <> all(${userIds}::int[]))
    order by o.id`;

/** Locks the organizations that these persons own, for a change after which they can own none. */
export const lockOwned = (tx: Querier, userIds: readonly number[]): Promise<unknown> =>
  tx.query(sql`select from organization
    where id in (select organization_id from organization_member where role = 'owner'
      and user_id = any(${userIds}::int[]))
    order by id for update`);

/** Throws when the locked organization would have no owner without this person. */
export async function keepOwner(tx: Querier, organizationId: string, userId: number): Promise<void> {
  if ((await soleOwned(tx, [userId], organizationId)).length > 0) throw problems.conflict('last_owner');
}

/** A grant with the names of its sub-accounts. */
export async function grantOf(db: Querier, { role, money, accounts }: Grant) {
  const names = await valuesOf<string>(db)`
    select name from sub_account where id = any(${accounts ?? []}::int[]) order by id`;
  return { role, money, accounts: accounts && names };
}

/** What the log says of a member: sub-accounts by their names. */
export const logged = async (db: Querier, userId: number | null, grant: Grant): Promise<object> => ({
  ...(userId === null ? {} : { user: await nameOf(db, userId) }),
  ...(await grantOf(db, grant)),
});

export const REMOVAL: Call = 'DELETE /organization/members/{id}';
/** What waits while an owner is to be removed. */
export const removalOf = ({ id }: Organization, userId: number) => ({ call: REMOVAL, subject: `${id} ${userId}` });

/** Throws unless these limits make sense: own sub-accounts, none for an owner, and money for a viewer only. */
export async function checkLimits(
  db: Querier,
  { userId }: Organization,
  { role, money, accounts }: Partial<Grant>,
): Promise<void> {
  if ((money && role !== 'viewer') || (accounts && role === 'owner')) throw problems.conflict('invalid_limits');
  if (!accounts) return;
  const own = await valuesOf<number>(db)`
    select id from sub_account where user_id = ${userId} and id = any(${accounts}::int[]) and deleted_at is null`;
  if (own.length === 0 || own.length !== accounts.length) throw problems.conflict('invalid_limits');
}

/** Ids of the owners who can sign in. */
export const ownersOf = (db: Querier, organizationId: string): Promise<number[]> =>
  valuesOf<number>(db)`
    select u.id from organization_member m join app_user u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.role = 'owner' and not u.disabled order by u.id`;

export const nameOf = async (db: Querier, userId: number): Promise<string> => {
  const name = await valueOf<string>(db)`select coalesce(i.user_name, u.user_name)
    from app_user u left join identity_user i on i.id = u.identity_id where u.id = ${userId}`;
  return name ?? '';
};

/** Changes role and limits of a member; an owner loses the role only by a removal, which waits. */
export const changeMember = (
  deps: OrganizationDeps,
  by: Doer,
  organizationId: string,
  userId: number,
  wanted: Partial<Grant>,
): Promise<Member> =>
  change(deps, async (tx) => {
    const organization = await lockOrganization(tx, organizationId, by.actorId);
    const before = await memberOf(tx, organizationId, userId);
    if (!before) throw problems.notFound('unknown_member');
    const role = wanted.role ?? before.role;
    await checkLimits(tx, organization, { ...wanted, role });
    if (before.role === 'owner' && role !== 'owner') {
      if (userId !== by.actorId) throw problems.conflict('owner_protected');
      await keepOwner(tx, organizationId, userId);
      await endHeld(tx, removalOf(organization, userId), 'replaced');
    }
    const kept = wanted.accounts === undefined ? before.accounts : wanted.accounts;
    const after = await oneRow<Member>(tx)`
      update organization_member
      set role = ${role}, money = ${role === 'viewer' && (wanted.money ?? before.money)},
        accounts = ${role === 'owner' ? null : kept}, updated_at = now(),
        owner_by = case when role = 'owner' then owner_by else ${by.actorId}::int end,
        owner_at = case when role = 'owner' then owner_at else now() end
      where id = ${before.id} returning *`;
    await writeAudit(tx, by, 'organization.member', organization.account, {
      before: await logged(tx, userId, before),
      after: await logged(tx, userId, after),
    });
    return after;
  });
