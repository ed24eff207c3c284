/** Invitations into an organization, by mail or by a link that is shown once: 256 random bits, stored as a hash. */
import { createHash, randomBytes } from 'node:crypto';
import type { Language } from '@pool/shared/i18n/languages';
import { type Doer, writeAudit } from '../../platform/audit';
import { firstRow, oneRow, type Querier, raw, rowsOf, sql } from '../../platform/db/querier';
import type { AppUser } from '../accounts';
import { checkLimits, logged, nameOf, ownersOf } from './members';
import {
  addMember,
  change,
  lockOrganization,
  MAX_MEMBERS,
  memberOf,
  newId,
  tell,
  type Grant,
  type Organization,
  type OrganizationDeps,
} from './organizations';
import { problems } from '../../platform/refused';

/** A row of `organization_invitation`. `email` null: anybody who has the link may use it. */
export type Invitation = Grant & {
  id: string;
  organizationId: string;
  email: string | null;
  invitedBy: number;
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  usedBy: number | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
};
export type NewInvitation = Partial<Grant> & Pick<Grant, 'role'> & { email: string | null; language: Language };

const VALID_DAYS = 7;
const MAX_A_DAY = 20;
/** Mails to one address in a day, of one organization and of all. */
const MAX_MAILS = { own: 3, all: 10 };

/** What its mail is known by in the outbox. */
const mailOf = (id: string): string => `invitation ${id}`;
const hashOf = (secret: string): string => createHash('sha256').update(`invitation ${secret}`).digest('hex');

/** Address of the page where the invitation is accepted: its secret is in the part that a browser sends nobody. */
export const invitationLink = (publicUrl: string, secret: string): string =>
  new URL(`/invitation#${secret}`, publicUrl).href;

const COLUMNS = `v.id, v.organization_id, v.email, v.role, v.money, v.accounts, v.invited_by, v.used_by, v.created_at,
  v.updated_at, v.expires_at,
  case when v.status = 'pending' and v.expires_at <= now() then 'expired' else v.status end as status`;

/** Invitations of an organization, newest first. */
export const invitationsOf = (db: Querier, organizationId: string): Promise<Invitation[]> =>
  rowsOf<Invitation>(db)`
    select ${raw(COLUMNS)} from organization_invitation v where v.organization_id = ${organizationId}
    order by v.created_at desc, v.id`;

/** Invites by a mail to `email`, or by a link without it: `secret` is shown once. */
export async function invite(
  deps: OrganizationDeps,
  by: Doer,
  organizationId: string,
  { email: address, language, role, money = false, accounts = null }: NewInvitation,
): Promise<{ invitation: Invitation; secret: string | null }> {
  const { mailer, publicUrl } = deps;
  const email = address?.trim().toLowerCase() ?? null;
  if (email !== null && !mailer) throw problems.conflict('no_mail');
  const secret = randomBytes(32).toString('base64url');
  const invitation = await change(deps, async (tx) => {
    const organization = await lockOrganization(tx, organizationId, by.actorId);
    if (email === null && role === 'owner') throw problems.conflict('owner_by_mail');
    await checkLimits(tx, organization, { role, money, accounts });
    await checkRoom(tx, organizationId, email);
    const id = newId('orginv');
    const made = await oneRow<Invitation>(tx)`
      insert into organization_invitation as v
        (id, organization_id, email, token_hash, role, money, accounts, invited_by, expires_at)
      values (${id}, ${organizationId}, ${email}, ${hashOf(secret)}, ${role}, ${money}, ${accounts}, ${by.actorId},
        now() + make_interval(days => ${raw(VALID_DAYS)})) returning ${raw(COLUMNS)}`;
    await writeAudit(tx, by, 'organization.invite', organization.account, {
      after: { id, email, ...(await logged(tx, null, made)), expiresAt: made.expiresAt },
    });
    if (email !== null)
      await mailer?.queue(tx, {
        kind: 'invitation',
        to: email,
        language,
        values: { organization: organization.name, name: await nameOf(tx, by.actorId) },
        link: publicUrl ? invitationLink(publicUrl, secret) : null,
        dedupe: mailOf(id),
        lifeS: VALID_DAYS * 86_400,
      });
    return made;
  });
  return { invitation, secret: email === null ? secret : null };
}

/** Throws when the address is a member's or invited already, or the organization has had too many of both. */
async function checkRoom(tx: Querier, organizationId: string, email: string | null): Promise<void> {
  const room = await oneRow<{
    member: boolean;
    invited: boolean;
    today: number;
    own: number;
    all: number;
    people: number;
  }>(tx)`
    select
      exists (
        select from organization_member m
        join app_user u on u.id = m.user_id left join identity_user i on i.id = u.identity_id
        where m.organization_id = ${organizationId} and lower(coalesce(i.email, u.email)) = ${email}) as member,
      coalesce(bool_or(v.email = ${email} and v.status = 'pending' and v.expires_at > now()), false) as invited,
      count(*) filter (where v.created_at > now() - interval '1 day') as today,
      count(*) filter (where v.email = ${email} and v.created_at > now() - interval '1 day') as own,
      (select count(*) from organization_invitation
        where email = ${email} and created_at > now() - interval '1 day') as all,
      count(*) filter (where v.status = 'pending' and v.expires_at > now())
        + (select count(*) from organization_member where organization_id = ${organizationId}) as people
    from organization_invitation v where v.organization_id = ${organizationId}`;
  if (room.member) throw problems.conflict('already_member');
  if (room.invited) throw problems.conflict('already_invited');
  if (room.today >= MAX_A_DAY || room.own >= MAX_MAILS.own || room.all >= MAX_MAILS.all)
    throw problems.conflict('too_many_invitations');
  if (room.people >= MAX_MEMBERS) throw problems.conflict('too_many_members');
}

const REFUSALS = { accepted: 'invitation_used', revoked: 'invitation_revoked', expired: 'invitation_expired' } as const;

/** Takes a pending invitation back. */
export const revokeInvitation = (
  deps: OrganizationDeps,
  by: Doer,
  organizationId: string,
  id: string,
): Promise<Invitation> =>
  change(deps, async (tx) => {
    const { account } = await lockOrganization(tx, organizationId, by.actorId);
    const before = (await invitationsOf(tx, organizationId)).find((each) => each.id === id);
    if (!before) throw problems.notFound('invitation_unknown');
    if (before.status !== 'pending') throw problems.conflict(REFUSALS[before.status]);
    const after = await firstRow<Invitation>(tx)`
      update organization_invitation v set status = 'revoked', updated_at = now() where id = ${id}
      returning ${raw(COLUMNS)}`;
    await tx.query(sql`delete from outbox where channel = 'mail' and dedupe = ${mailOf(id)} and status = 'waiting'`);
    await writeAudit(tx, by, 'organization.uninvite', account, { before: { id, email: before.email } });
    return after!;
  });

/** The open invitation of a link, with its organization's name; throws where it opens nothing. */
export async function invitationOf(db: Querier, secret: string): Promise<Invitation & { name: string }> {
  const found = await firstRow<Invitation & { name: string }>(db)`
    select ${raw(COLUMNS)}, o.name
    from organization_invitation v join organization o on o.id = v.organization_id
    where v.token_hash = ${hashOf(secret)}`;
  if (!found) throw problems.notFound('invitation_unknown');
  if (found.status !== 'pending') throw problems.conflict(REFUSALS[found.status]);
  return found;
}

/** Makes the person a member, once, if the inviter is still an owner; the same person may ask again. `secret`: the link's. */
export const acceptInvitation = (
  deps: OrganizationDeps,
  by: Doer,
  secret: string,
): Promise<{ organization: Organization; invitation: Invitation }> =>
  change(deps, async (tx) => {
    const read = async (): Promise<Invitation> => {
      const found = await firstRow<Invitation>(tx)`
        select ${raw(COLUMNS)} from organization_invitation v where token_hash = ${hashOf(secret)}`;
      if (!found) throw problems.notFound('invitation_unknown');
      return found;
    };
    const { organizationId } = await read();
    const organization = await lockOrganization(tx, organizationId);
    const invitation = await read();
    // The hosted service has confirmed the address that it tells.
    const person = await firstRow<AppUser & { isOrganization: boolean; confirmed: string | null }>(tx)`
      select u.*, exists (select from organization o where o.user_id = u.id) as is_organization,
        lower(case when i.id is null then u.email when i.email_verified_at is not null then i.email end) as confirmed
      from app_user u left join identity_user i on i.id = u.identity_id where u.id = ${by.actorId} for share of u`;
    if (!person || person.isLegacyUser || person.isOrganization) throw problems.conflict('not_possible');
    const isMember = (await memberOf(tx, organizationId, person.id)) !== undefined;
    if (isMember && invitation.usedBy === person.id) return { organization, invitation };
    if (invitation.status !== 'pending') throw problems.conflict(REFUSALS[invitation.status]);
    if (isMember) throw problems.conflict('already_member');
    const { id, role, money, accounts, email, invitedBy } = invitation;
    const owners = await ownersOf(tx, organizationId);
    if (!owners.includes(invitedBy)) throw problems.conflict('inviter_gone');
    if (email === null && role === 'owner') throw problems.conflict('owner_by_mail');
    if (email !== null && email !== person.confirmed) throw problems.conflict('other_address');
    await addMember(tx, organizationId, person.id, { role, money, accounts }, invitedBy);
    await tx.query(sql`
      update organization_invitation set status = 'accepted', used_by = ${person.id}, updated_at = now()
      where id = ${id}`);
    const user = await nameOf(tx, person.id);
    await writeAudit(tx, by, 'organization.join', organization.account, {
      before: { id, email },
      after: await logged(tx, person.id, invitation),
    });
    await tell(tx, owners, 'organization_joined', { organization: organization.name, name: user });
    return { organization, invitation: { ...invitation, status: 'accepted', usedBy: person.id } };
  });
