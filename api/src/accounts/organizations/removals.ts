/** Members who leave or are removed; the removal of an owner by another owner waits, and other owners cancel it. */
import { type Doer, writeAudit } from '../../platform/audit';
import { type Querier, rowsOf, sql } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { endUnheld } from './ended';
import { endHeld, holdUntil, settle, waitingIn, type Waiting } from '../waiting/waiting';
import { mayDo } from '../waiting/who-decides';
import { grantOf, keepOwner, logged, nameOf, ownersOf, REMOVAL, removalOf, soleOwned } from './members';
import {
  change,
  lockOrganization,
  memberOf,
  tell,
  type Locked,
  type Member,
  type Changing,
  type OrganizationDeps,
} from './organizations';
import { problems } from '../../platform/refused';

/** Hours until an owner whom another owner removes is out, as long as a changed payout address is held. */
const REMOVAL_H = 72;

/** Takes the member out, and his sessions out of the organization. */
async function drop(tx: Querier, organization: Locked, member: Member, by: Doer): Promise<void> {
  const { organizationId, userId } = member;
  await tx.query(sql`delete from organization_member where id = ${member.id}`);
  await endHeld(tx, removalOf(organization, userId), 'replaced');
  await tx.query(sql`update waiting_change set state = 'taken_back', content = null
    where organization_id = ${organizationId} and asked_by = ${userId} and state = 'waits' and ends_as = 'expired'`);
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
    if (!member) throw leaves ? problems.forbidden('not_member') : problems.notFound('unknown_member');
    if (member.role === 'owner') {
      await keepOwner(tx, organizationId, userId);
      if (!leaves && !isTakenBack(member, by)) return askRemoval(tx, organization, member, by);
    }
    await drop(tx, organization, member, by);
    if (!leaves) await tell(tx, [userId], 'organization_removed', { organization: organization.name });
    return null;
  });

/** The owner who made another one takes that back at once, as long as the removal of an owner would wait. */
const isTakenBack = ({ ownerBy, ownerAt }: Member, { actorId }: Doer): boolean =>
  ownerBy === actorId && ownerAt !== null && Date.now() - ownerAt.getTime() < REMOVAL_H * 3_600_000;

/** The removal of an owner that waits. */
export const removalFor = async (tx: Querier, organizationId: string, userId: number): Promise<Waiting | undefined> =>
  (await waitingIn(tx, organizationId)).find(({ against, endsAs }) => against === userId && endsAs === 'done');

async function askRemoval(tx: Querier, organization: Locked, member: Member, by: Doer): Promise<Date> {
  const { id, name, account } = organization;
  const { userId } = member;
  const known = await removalFor(tx, id, userId);
  if (known) return known.endsAt;
  const until = new Date(Date.now() + REMOVAL_H * 3_600_000);
  const user = await nameOf(tx, userId);
  const shown = { name: user, before: await grantOf(tx, member), after: null };
  const asked = { organizationId: id, userId: organization.userId, askedBy: by.actorId, against: userId, shown, until };
  await holdUntil(tx, { ...removalOf(organization, userId), ...asked });
  await writeAudit(tx, by, 'organization.ask_removal', account, { after: { user, holdUntil: until } });
  const values = { organization: name, user: await nameOf(tx, by.actorId), name: user, until: until.toISOString() };
  await tell(tx, await ownersOf(tx, id), 'organization_owner_removal', values);
  return until;
}

/** Another owner, or who asked for it, ends the wait for an owner's removal: he stays. False: nobody waits. */
export const cancelRemoval = (
  deps: OrganizationDeps,
  by: Doer,
  organizationId: string,
  userId: number,
): Promise<boolean> =>
  change(deps, async (tx) => {
    const organization = await lockOrganization(tx, organizationId, by.actorId);
    const waits = await removalFor(tx, organizationId, userId);
    if (!waits) return false;
    if (!mayDo(waits, { id: by.actorId, owns: organizationId, isAdmin: false }).end)
      throw problems.conflict('own_removal');
    await settle(tx, waits.id, 'waits', 'taken_back', waits.confirmedBy);
    const user = await nameOf(tx, userId);
    await writeAudit(tx, by, 'organization.keep', organization.account, { after: { user } });
    const values = { organization: organization.name, user: await nameOf(tx, by.actorId), name: user };
    await tell(tx, await ownersOf(tx, organizationId), 'organization_owner_kept', values);
    return true;
  });

/** Removes the owners whose 72 hours are over. One who is the last owner by then stays, or whose remover owns nothing. */
export async function finishRemovals(deps: Changing): Promise<void> {
  const due = await rowsOf<{ id: number; organizationId: string; against: number; askedBy: number }>(deps.db)`
    select id, organization_id, against, asked_by from waiting_change
    where call = ${REMOVAL} and state = 'waits' and ends_as = 'done' and ends_at <= now() order by ends_at, id`;
  for (const { id, organizationId, against: userId, askedBy } of due)
    await change(deps, async (tx) => {
      const organization = await lockOrganization(tx, organizationId);
      const member = await memberOf(tx, organizationId, userId);
      const asked = await memberOf(tx, organizationId, askedBy);
      const isDue = member && asked?.role === 'owner' && !(await soleOwned(tx, [userId], organizationId)).length;
      const { rowCount } = await tx.query(sql`
        update waiting_change set state = ${isDue ? 'done' : 'expired'} where id = ${id} and state = 'waits'`);
      if (!rowCount || !isDue) return;
      await drop(tx, organization, member, { actorId: askedBy, ip: null });
      await tell(tx, [userId], 'organization_removed', { organization: organization.name });
    });
  // The hosted sign-in service, or the end of an account, may have taken a role meanwhile.
  await transaction(deps.db, endUnheld);
}
