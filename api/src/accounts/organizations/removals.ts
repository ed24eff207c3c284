/** Members who leave or are removed; the removal of an owner by another owner waits, and any owner cancels it. */
import { writeAudit } from '../../platform/audit';
import { oneRow, type Querier, rowsOf, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { every } from '../../platform/every';
import type { Logger } from '../../platform/log';
import type { PoolChanges } from '../../stratum/pool-changes';
import type { Pool } from 'pg';
import { endUnheld } from './ended';
import { keepOwner, logged, nameOf, ownersOf, endRemoval, soleOwned } from './members';
import {
  change,
  lockOrganization,
  memberOf,
  OrganizationError,
  tell,
  type Doer,
  type Locked,
  type Member,
  type Changing,
  type OrganizationDeps,
} from './organizations';

/** Hours until an owner whom another owner removes is out, as long as a changed payout address is held. */
const REMOVAL_H = 72;
const EVERY_MS = 30_000;

/** Takes the member out, and his sessions out of the organization. */
async function drop(tx: Querier, organization: Locked, member: Member, by: Doer): Promise<void> {
  const { organizationId, userId } = member;
  await tx.query(sql`delete from organization_member where id = ${member.id}`);
  await endRemoval(tx, organizationId, userId);
  await tx.query(sql`
    delete from organization_request where organization_id = ${organizationId} and user_id = ${userId}`);
  await tx.query(sql`update identity_session set organization_id = null
    where organization_id = ${organizationId} and user_id = (select identity_id from app_user where id = ${userId})`);
  const action = userId === by.actorId ? 'organization.leave' : 'organization.remove';
  await writeAudit(tx, by, action, organization.account, { before: await logged(tx, userId, member) });
}

/** Removes a member, or lets him leave; an owner removed by another stays for 72 hours, whose end is returned. */
export const removeMember = (
  deps: OrganizationDeps,
  by: Doer,
  organizationId: string,
  userId: number,
): Promise<Date | null> =>
  change(deps, async (tx) => {
    const leaves = userId === by.actorId;
    const organization = await lockOrganization(tx, organizationId, leaves ? undefined : by.actorId);
    const member = await memberOf(tx, organizationId, userId);
    if (!member) throw new OrganizationError(leaves ? 'not_member' : 'unknown_member');
    if (member.role === 'owner') {
      await keepOwner(tx, organizationId, userId);
      if (!leaves) return askRemoval(tx, organization, member, by);
    }
    await drop(tx, organization, member, by);
    if (!leaves) await tell(tx, [userId], 'organization_removed', { organization: organization.name });
    return null;
  });

async function askRemoval(tx: Querier, { id, name, account }: Locked, { userId }: Member, by: Doer): Promise<Date> {
  const { rowCount } = await tx.query(sql`insert into owner_removal (organization_id, user_id, asked_by, due_at)
    values (${id}, ${userId}, ${by.actorId}, now() + make_interval(hours => ${REMOVAL_H})) on conflict do nothing`);
  const { dueAt: until } = await oneRow<{ dueAt: Date }>(tx)`
    select due_at from owner_removal where organization_id = ${id} and user_id = ${userId}`;
  if (rowCount) {
    const user = await nameOf(tx, userId);
    await writeAudit(tx, by, 'organization.ask_removal', account, { after: { user, holdUntil: until } });
    const values = { organization: name, user: await nameOf(tx, by.actorId), name: user, until: until.toISOString() };
    await tell(tx, await ownersOf(tx, id), 'organization_owner_removal', values);
  }
  return until;
}

/** Any owner, the one to be removed too, ends the wait for his removal: he stays. False: nobody waits. */
export const cancelRemoval = (
  deps: OrganizationDeps,
  by: Doer,
  organizationId: string,
  userId: number,
): Promise<boolean> =>
  change(deps, async (tx) => {
    const { name, account } = await lockOrganization(tx, organizationId, by.actorId);
    if (!(await endRemoval(tx, organizationId, userId))) return false;
    const user = await nameOf(tx, userId);
    await writeAudit(tx, by, 'organization.keep', account, { after: { user } });
    const values = { organization: name, user: await nameOf(tx, by.actorId), name: user };
    await tell(tx, await ownersOf(tx, organizationId), 'organization_owner_kept', values);
    return true;
  });

/** Removes the owners whose 72 hours are over. One who is the last owner by then stays, or whose remover owns nothing. */
export async function finishRemovals(deps: Changing): Promise<void> {
  const due = await rowsOf<{ organizationId: string; userId: number; askedBy: number }>(deps.db)`
    select * from owner_removal where due_at <= now() order by due_at`;
  for (const { organizationId, userId, askedBy } of due)
    await change(deps, async (tx) => {
      const organization = await lockOrganization(tx, organizationId);
      const member = await memberOf(tx, organizationId, userId);
      const asked = await memberOf(tx, organizationId, askedBy);
      const waited = await endRemoval(tx, organizationId, userId);
      if (!waited || !member || asked?.role !== 'owner') return;
      if ((await soleOwned(tx, [userId], organizationId)).length > 0) return;
      await drop(tx, organization, member, { actorId: askedBy, ip: null });
      await tell(tx, [userId], 'organization_removed', { organization: organization.name });
    });
  // The hosted sign-in service, or the end of an account, may have taken a role meanwhile.
  await transaction(deps.db, endUnheld);
}

/** Removes owners when their time is over. */
export function startRemovals(db: Pool, changes: PoolChanges, log: Logger): { stop(): Promise<void> } {
  const finish = () => finishRemovals({ db, changed: () => changes.callers() });
  return every(EVERY_MS, finish, log, 'owners were not removed; it is tried again');
}
