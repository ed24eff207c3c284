/** Changes that a second owner confirms, where an organization wants two pairs of eyes: calls that wait for him. */
import type { OrganizationRequest } from '@pool/shared/api/contract';
import { writeAudit } from '../../platform/audit';
import { hasRow, type Querier, raw, rowsOf, sql } from '../../platform/db/querier';
import { nameOf, ownersOf } from './members';
import { change, lockOrganization, memberOf, OrganizationError, tell, type Changing, type Doer } from './organizations';

/** A row of `organization_request`. */
type Row = {
  id: number;
  organizationId: string;
  /** The member who asks. */
  userId: number;
  /** A call of the contract. */
  call: string;
  /** Its parameters and body, encrypted. */
  content: string;
  about: OrganizationRequest['about'];
  createdAt: Date;
};
export type NewRequest = Pick<Row, 'call' | 'content' | 'about'>;

const VALID = "interval '7 days'";
const MAX_OPEN = 50;

/** What the content of a request is encrypted for. */
export const requestOwner = (organizationId: string): string => `request in organization ${organizationId}`;

/** Whether changes of this person wait: the organization wants that, and has another owner who can sign in. */
export const needsSecondOwner = (db: Querier, organizationId: string, userId: number): Promise<boolean> =>
  hasRow(db)`
    select o.id from organization o join organization_member m on m.organization_id = o.id and m.role = 'owner'
    join app_user u on u.id = m.user_id and not u.disabled
    where o.id = ${organizationId} and o.second_owner and u.id <> ${userId} limit 1`;

export const setSecondOwner = (deps: Changing, by: Doer, organizationId: string, wanted: boolean): Promise<void> =>
  change(deps, async (tx) => {
    const { account, secondOwner } = await lockOrganization(tx, organizationId, by.actorId);
    if (wanted && (await ownersOf(tx, organizationId)).length < 2) throw new OrganizationError('not_possible');
    await tx.query(sql`update organization set second_owner = ${wanted} where id = ${organizationId}`);
    const [before, after] = [secondOwner, wanted].map((secondOwners) => ({ secondOwners }));
    await writeAudit(tx, by, 'organization.second_owner', account, { before, after });
  });

/** Requests that wait, oldest first, with the names of those who ask. */
export const requestsOf = (db: Querier, organizationId: string) =>
  rowsOf<Row & { name: string; expiresAt: Date }>(db)`
    select r.*, r.created_at + ${raw(VALID)} as expires_at, coalesce(i.user_name, u.user_name) as name
    from organization_request r join app_user u on u.id = r.user_id left join identity_user i on i.id = u.identity_id
    where r.organization_id = ${organizationId} and r.taken_at is null and r.created_at > now() - ${raw(VALID)}
    order by r.id`;

/** Keeps a change for the other owners, and tells them. The same change asked for again replaces the one that waits. */
export const askSecondOwner = (
  deps: Changing,
  by: Doer,
  organizationId: string,
  { call, content, about }: NewRequest,
): Promise<void> =>
  change(deps, async (tx) => {
    const { account, name } = await lockOrganization(tx, organizationId);
    if (!(await memberOf(tx, organizationId, by.actorId))) throw new OrganizationError('not_member');
    await tx.query(sql`delete from organization_request where organization_id = ${organizationId}
      and (created_at <= now() - ${raw(VALID)} or (user_id = ${by.actorId} and call = ${call}
        and about = ${JSON.stringify(about)} and taken_at is null))`);
    if ((await requestsOf(tx, organizationId)).length >= MAX_OPEN) throw new OrganizationError('too_many_requests');
    await tx.query(sql`
      insert into organization_request (organization_id, user_id, call, content, about)
      values (${organizationId}, ${by.actorId}, ${call}, ${content}, ${JSON.stringify(about)})`);
    await writeAudit(tx, by, 'organization.request', account, { after: { call, ...about } });
    const values = { organization: name, user: await nameOf(tx, by.actorId) };
    const others = (await ownersOf(tx, organizationId)).filter((id) => id !== by.actorId);
    await tell(tx, others, 'organization_request', values);
  });

/** A request that waits. Throws where it does not any more. */
async function open(tx: Querier, organizationId: string, id: number): Promise<Row> {
  const row = (await requestsOf(tx, organizationId)).find((request) => request.id === id);
  if (!row) throw new OrganizationError('unknown_request');
  return row;
}

/** Confirms a request as another owner by `carryOut`; a refused one waits on, to be confirmed later or declined. */
export async function confirmRequest<T>(
  deps: Changing,
  by: Doer,
  organizationId: string,
  id: number,
  carryOut: (request: Row) => Promise<T>,
): Promise<T> {
  const request = await change(deps, async (tx) => {
    await lockOrganization(tx, organizationId, by.actorId);
    const row = await open(tx, organizationId, id);
    if (row.userId === by.actorId) throw new OrganizationError('same_person');
    await tx.query(sql`update organization_request set taken_at = now() where id = ${id}`);
    return row;
  });
  const answer = await carryOut(request).catch(async (error: unknown) => {
    await deps.db.query(sql`update organization_request set taken_at = null where id = ${id}`);
    throw error;
  });
  await end(deps, by, request, 'confirm');
  return answer;
}

/** Declines a request as another owner, or takes the own one back. */
export async function declineRequest(deps: Changing, by: Doer, organizationId: string, id: number): Promise<void> {
  const request = await change(deps, async (tx) => {
    await lockOrganization(tx, organizationId);
    const row = await open(tx, organizationId, id);
    if (row.userId !== by.actorId) await lockOrganization(tx, organizationId, by.actorId);
    return row;
  });
  await end(deps, by, request, 'decline');
}

const end = (
  deps: Changing,
  by: Doer,
  { id, organizationId, userId, call, about }: Row,
  how: 'confirm' | 'decline',
): Promise<void> =>
  change(deps, async (tx) => {
    // The change may have been the end of the organization, which takes its requests along.
    if (!(await hasRow(tx)`select from organization where id = ${organizationId}`)) return;
    const { account, name } = await lockOrganization(tx, organizationId);
    await tx.query(sql`delete from organization_request where id = ${id}`);
    await writeAudit(tx, by, `organization.${how}`, account, {
      after: { call, ...about, user: await nameOf(tx, userId) },
    });
    const values = { organization: name, user: await nameOf(tx, by.actorId) };
    if (userId !== by.actorId) await tell(tx, [userId], `organization_request_${how}`, values);
  });
