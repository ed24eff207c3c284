/** Which notifications of an organization a member may read, by the role that he has when they are read. */
import { ORGANIZATION_ROLES, rightsOf } from '@pool/shared/roles';

/** What a member must be able to read to get a kind of notification. Other kinds are about a person's own sign-in. */
const SUBJECTS = [
  [/^(workers?|account|upstream)_/, 'workers'],
  [/^pools?_/, 'pools'],
  [/^(payment_|daily_digest$)/, 'payments'],
  [/^wallet_/, 'wallet'],
  [/^webhook_/, 'webhooks'],
  [/^referral_/, 'referral'],
  [/^organization_/, 'organization'],
] as const;

/** Each role with the kinds of notifications that it may read, as rows of SQL. */
const KINDS = ORGANIZATION_ROLES.flatMap((role) =>
  [false, true].flatMap((money) =>
    [false, true].map((limited) => {
      const rights = rightsOf({ role, money, limited });
      const kinds = SUBJECTS.flatMap(([kind, subject]) => (rights[subject] ? [kind.source] : []));
      return `('${role}', ${money}, ${limited}, '${kinds.join('|')}')`;
    }),
  ),
).join(', ');

/** SQL: the members `m` whose role may read a kind of notification (SQL). */
const mayOf = (kind: string): string => `select from organization o
  join organization_member m on m.organization_id = o.id
  join (values ${KINDS}) as may(role, money, limited, kinds)
    on (may.role, may.money, may.limited) = (m.role, m.money, m.accounts is not null) and ${kind} ~ may.kinds`;

/** SQL: `values` without their `sats`, and so in the words that name none, for a member who may not see money. */
export const withoutMoney = (values: string, owner: string, person: string): string => `case
  when ${values} ? 'sats' and not exists (
    ${mayOf("'payment_'")} where o.user_id = ${owner} and m.user_id = ${person})
  then ${values} - 'sats' || '{"context": "place"}' else ${values} end`;

/**
 * SQL condition: the notification `n` of an organization is for this member now. A role that is limited to sub-accounts
 * reads what is about them, and of the whole farm only who belongs to it.
 */
export const isForMember = (n: string, owner: string, person: string): string => `exists (
  ${mayOf(`${n}.kind`)} where o.user_id = ${owner} and m.user_id = ${person}
    and (m.accounts is null or ${n}.accounts <@ m.accounts or ${n}.kind ~ '^organization_'))`;

/** SQL condition: the notification `n` is the user's own, or of an organization in which the user may read it now. */
export const READABLE = `(n.owner_id is null or n.owner_id = n.user_id or ${isForMember('n', 'n.owner_id', 'n.user_id')})`;
