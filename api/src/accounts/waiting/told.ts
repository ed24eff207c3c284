/** The people who hear of a change that waits for another person, and what the log says of it. */
import type { WaitingKind } from '@pool/shared/api/contract';
import { writeAdminNotes } from '../../messages/notifications';
import { writeAudit, type Doer } from '../../platform/audit';
import { hasRow, type Querier } from '../../platform/db/querier';
import { nameOf, ownersOf } from '../organizations/members';
import { lockOrganization, tell } from '../organizations/organizations';
import type { Waiting } from './waiting';

type Change = Pick<Waiting, 'call' | 'organizationId' | 'askedBy' | 'shown'>;

/** Lists in the log are lines of text. */
const logged = ({ call, shown: { account, name, before, after } }: Change) => {
  const facts = (side: typeof before) =>
    Object.fromEntries(
      Object.entries(side ?? {}).map(([key, value]) => [key, Array.isArray(value) ? value.map(lineOf) : value]),
    );
  return { before: before && facts(before), after: { call, account, name, ...facts(after) } };
};
const lineOf = (item: string | object): string => (typeof item === 'string' ? item : Object.values(item).join(' '));

/** Notices to the admins; those of today have the names of what is asked for. */
function adminNote(
  kind: WaitingKind,
  { shown: { before, after } }: Change,
): { kind: string; values: Record<string, string> } {
  const admins = (side: typeof before) => side?.users?.filter((user) => user.admin && !user.disabled) ?? [];
  const missing = (from: typeof before, to: typeof before) =>
    admins(from)
      .map(({ name }) => name)
      .filter((name) => !admins(to).some((user) => user.name === name));
  if (kind === 'one_admin') return { kind: 'admins_rule_asked', values: {} };
  if (kind === 'payment_failed') {
    const failed = after?.payments?.filter(({ status }) => status === 'failed').map(({ id }) => id) ?? [];
    return { kind: 'admins_failed_asked', values: { payment: failed.join(', ') } };
  }
  const out = missing(before, after);
  return out.length
    ? { kind: 'admins_out_asked', values: { name: out.join(', ') } }
    : { kind: 'admins_asked', values: { name: missing(after, before).join(', ') } };
}

/** The others who may confirm it are told; in the transaction of `tx`. */
export async function tellAsked(tx: Querier, by: Doer, change: Change, kind: WaitingKind): Promise<void> {
  const user = await nameOf(tx, by.actorId);
  if (change.organizationId === null) {
    await writeAudit(tx, by, 'admin.ask', change.call, logged(change));
    const { values, ...note } = adminNote(kind, change);
    return writeAdminNotes(tx, { ...note, values: { user, ...values } }, Date.now() / 1000);
  }
  const { account, name: organization } = await lockOrganization(tx, change.organizationId);
  await writeAudit(tx, by, 'organization.request', account, logged(change));
  const others = (await ownersOf(tx, change.organizationId)).filter((id) => id !== by.actorId);
  await tell(tx, others, 'organization_request', { organization, user });
}

/** The person who asked is told what became of it. */
export async function tellEnded(tx: Querier, by: Doer, change: Change, how: 'confirm' | 'decline'): Promise<void> {
  const { organizationId, askedBy } = change;
  const facts = logged(change);
  const after = { ...facts.after, user: askedBy && (await nameOf(tx, askedBy)) };
  if (organizationId === null) return writeAudit(tx, by, `admin.${how}`, change.call, { ...facts, after });
  // The change may have been the end of the organization.
  if (!(await hasRow(tx)`select from organization where id = ${organizationId}`)) return;
  const { account, name: organization } = await lockOrganization(tx, organizationId);
  await writeAudit(tx, by, `organization.${how}`, account, { ...facts, after });
  const values = { organization, user: await nameOf(tx, by.actorId) };
  if (askedBy && askedBy !== by.actorId) await tell(tx, [askedBy], `organization_request_${how}`, values);
}
