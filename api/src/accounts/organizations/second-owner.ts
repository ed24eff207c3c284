/** The rule that another owner confirms what moves money, hashpower and people. */
import { type Doer, writeAudit } from '../../platform/audit';
import { hasRow, type Querier, sql } from '../../platform/db/querier';
import { ownersOf } from './members';
import { change, lockOrganization, type Changing } from './organizations';
import { problems } from '../../platform/refused';

/**
 * Whether changes of this person wait: the organization wants that, and has another owner who can sign in. The one
 * `against` whom a change is does not count: who is to be removed cannot keep it from being confirmed.
 */
export const needsSecondOwner = (
  db: Querier,
  organizationId: string,
  userId: number,
  against: number | null = null,
): Promise<boolean> =>
  hasRow(db)`
    select o.id from organization o join organization_member m on m.organization_id = o.id and m.role = 'owner'
    join app_user u on u.id = m.user_id and not u.disabled
    where o.id = ${organizationId} and o.second_owner and u.id <> ${userId} and u.id is distinct from ${against} limit 1`;

export const setSecondOwner = (deps: Changing, by: Doer, organizationId: string, wanted: boolean): Promise<void> =>
  change(deps, async (tx) => {
    const { account, secondOwner } = await lockOrganization(tx, organizationId, by.actorId);
    if (wanted && (await ownersOf(tx, organizationId)).length < 2) throw problems.conflict('not_possible');
    await tx.query(sql`update organization set second_owner = ${wanted} where id = ${organizationId}`);
    const [before, after] = [secondOwner, wanted].map((secondOwners) => ({ secondOwners }));
    await writeAudit(tx, by, 'organization.second_owner', account, { before, after });
  });
