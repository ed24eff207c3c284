/** Members of organizations and their roles, read together for many. */
import type { Pool } from 'pg';
import type { AppUser } from '../../accounts/accounts';
import { followHosted, type Member as MemberRow } from '../../accounts/organizations/organizations';
import { firstRow, joinedRows } from '../../platform/db/querier';
import { TtlCache } from '../../platform/ttl-cache';
import type { Member } from './principal';

type Asked = { organizationId: string; userId: number };
/** `owner`: the row whose data are the organization's. */
type Membership = { row: MemberRow; owner: AppUser; first: string | null };

const keyOf = ({ organizationId, userId }: Asked) => `${organizationId} ${userId}`;

export const asMember = (user: AppUser, { row, first }: Membership): Member => {
  const { organizationId, role, money, accounts } = row;
  return { user, organizationId, role, money, accounts, first };
};

export class Memberships {
  readonly known: TtlCache<Membership | null>;

  constructor(
    private readonly db: Pool,
    cacheMs: number,
  ) {
    this.known = new TtlCache(cacheMs, 10_000);
  }

  private async read(asked: readonly Asked[]): Promise<Map<string, Membership>> {
    if (asked.length === 0) return new Map();
    const rows = await joinedRows<[MemberRow, AppUser, { first: string | null } | null]>(
      this.db,
      `select m.*, u.*,
         (select s.name from sub_account s
          where s.id = any(m.accounts) and s.deleted_at is null order by s.id limit 1) as first
       from organization_member m
       join organization o on o.id = m.organization_id
       join app_user u on u.id = o.user_id and not u.disabled
       where (m.organization_id, m.user_id) in (select * from unnest($1::text[], $2::int[]))`,
      [asked.map(({ organizationId }) => organizationId), asked.map(({ userId }) => userId)],
    );
    return new Map(rows.map(([row, owner, computed]) => [keyOf(row), { row, owner, first: computed?.first ?? null }]));
  }

  /** `hostedRole`: what the hosted sign-in service says that the person is, which is followed. */
  async find(asked: Asked, hostedRole?: MemberRow['role']): Promise<Membership | null> {
    const key = keyOf(asked);
    const read = () => this.known.get(key, async () => (await this.read([asked])).get(key) ?? null);
    const found = await read();
    if (!hostedRole || found?.row.role === hostedRole) return found;
    await followHosted(this.db, { ...asked, role: hostedRole });
    this.known.forget(key);
    return read();
  }

  async named(owner: AppUser, name: string): Promise<Member | undefined> {
    const person = await firstRow<AppUser & { organizationId: string }>(this.db)`
      select p.*, o.id as organization_id from organization o
      join organization_member m on m.organization_id = o.id join app_user p on p.id = m.user_id
      where o.user_id = ${owner.id} and p.user_name = ${name}`;
    if (!person) return undefined;
    const asked = { organizationId: person.organizationId, userId: person.id };
    const found = (await this.read([asked])).get(keyOf(asked));
    return found && asMember(person, found);
  }

  /** Tells of each member whether the role is what it was. */
  async unchanged(members: readonly Member[]): Promise<(member: Member) => boolean> {
    const askedOf = ({ organizationId, user }: Member): Asked => ({ organizationId, userId: user.id });
    const rows = await this.read(members.map(askedOf));
    return (member) => {
      const row = rows.get(keyOf(askedOf(member)))?.row;
      return (
        row?.role === member.role && row.money === member.money && String(row.accounts) === String(member.accounts)
      );
    };
  }
}
