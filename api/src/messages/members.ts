/** Notifications of an organization reach its members, each as far as the role goes. */
import { rightsOf, type OrganizationRole } from '@pool/shared/roles';
import { rowsOf, type Querier } from '../platform/db/querier';
import type { Note } from './notifications';

type MemberRow = {
  ownerId: number;
  userId: number;
  role: OrganizationRole;
  money: boolean;
  /** Names of the sub-accounts the role is limited to; null: all. */
  accounts: string[] | null;
};

/** The right to read this is what a notification needs. Other kinds are about a person's own sign-in. */
const SUBJECTS = [
  [/^(workers?|account|upstream)_/, 'workers'],
  [/^pools?_/, 'pools'],
  [/^(payment|payout|daily_digest)/, 'payments'],
  [/^wallet_/, 'wallet'],
  [/^webhook_/, 'webhooks'],
  [/^referral_/, 'referral'],
  [/^organization_/, 'organization'],
] as const;
const subjectOf = (kind: string) => SUBJECTS.find(([kinds]) => kinds.test(kind))?.[1];

function isFor({ role, money, accounts }: MemberRow, { kind, values }: Note): boolean {
  const subject = subjectOf(kind);
  const right = subject && rightsOf({ role, money, limited: accounts !== null })[subject];
  const account = values.account === undefined ? undefined : String(values.account);
  return right !== undefined && (accounts === null || account === undefined || accounts.includes(account));
}

/** The notifications, and of those of organizations one for each member that they are for. */
export async function withMembers(db: Querier, notes: readonly Note[]): Promise<Note[]> {
  const members = await rowsOf<MemberRow>(db)`
    select o.user_id as owner_id, m.user_id, m.role, m.money,
      case when m.accounts is not null
        then array(select s.name from sub_account s where s.id = any(m.accounts)) end as accounts
    from organization o join organization_member m on m.organization_id = o.id
    where o.user_id = any(${[...new Set(notes.map(({ userId }) => userId))]}::int[])
    order by m.user_id`;
  return notes.flatMap((note) => [
    note,
    ...members
      .filter((member) => member.ownerId === note.userId && isFor(member, note))
      .map(({ userId }) => ({ ...note, userId })),
  ]);
}
