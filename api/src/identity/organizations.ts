/** Organizations as clerk-js reads them: roles, permissions, and the objects of its calls. */
import { ORGANIZATION_ROLES, type OrganizationRole } from '@pool/shared/roles';
import type { Invitation } from '../accounts/organizations/invitations';
import type { KnownMember } from '../accounts/organizations/members';
import {
  MAX_MEMBERS,
  type Member,
  type Membership,
  type Organization,
  type OrganizationErrorCode,
} from '../accounts/organizations/organizations';
import { errors, fieldError, refusal, type IdentityError } from './errors';
import type { UserRow } from './store';

const ms = (time: Date): number => time.getTime();

/** Roles of the hosted service that have another name here. */
const CLERK_ROLES: Record<string, OrganizationRole> = { admin: 'owner', member: 'viewer' };
const isRole = (text: string): text is OrganizationRole => ORGANIZATION_ROLES.some((role) => role === text);
/** The role of `org:owner` or `owner`; undefined: not one of ours. */
export function roleIn(text: string | undefined): OrganizationRole | undefined {
  const name = text?.replace(/^org:/, '') ?? '';
  return CLERK_ROLES[name] ?? (isRole(name) ? name : undefined);
}
export function checkRole(text: string | undefined): OrganizationRole {
  if (!text) throw errors.missing('role');
  const role = roleIn(text);
  if (!role) throw fieldError('form_param_value_invalid', 'role', 'There is no such role.');
  return role;
}

/** Permission to see the members. */
const READS = 'org:sys_memberships:read';
const permissionsOf = (role: OrganizationRole): string[] =>
  role === 'owner' ? [READS, 'org:sys_memberships:manage', 'org:sys_profile:manage'] : [READS];

/** What a session token says of the organization that the session acts in. */
export const organizationClaims = ({ organization: { id, slug }, member: { role } }: Membership) => ({
  org_id: id,
  org_role: `org:${role}`,
  org_slug: slug,
  org_permissions: permissionsOf(role),
});

const nameOfRole = (role: OrganizationRole): string => role[0]?.toUpperCase() + role.slice(1);
const roleFields = ({ role }: Pick<Member, 'role'>) => ({ role: `org:${role}`, role_name: nameOfRole(role) });
const times = ({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }) => ({
  created_at: ms(createdAt),
  updated_at: ms(updatedAt),
});
const publicOrganization = ({ id, name, slug }: Organization) => ({ id, name, slug, image_url: '', has_image: false });

export const organizationJson = (organization: Organization, { members, invitations }: Counts) => ({
  object: 'organization',
  ...publicOrganization(organization),
  public_metadata: {},
  members_count: members,
  pending_invitations_count: invitations,
  max_allowed_memberships: MAX_MEMBERS,
  admin_delete_enabled: false,
  ...times(organization),
});
type Counts = Pick<Membership, 'members' | 'invitations'>;

type Names = Pick<UserRow, 'userName' | 'firstName' | 'lastName' | 'email'>;
export const publicUser = (id: string, { userName, firstName, lastName, email }: Names) => ({
  user_id: id,
  username: userName,
  first_name: firstName,
  last_name: lastName,
  image_url: '',
  has_image: false,
  identifier: email ?? userName,
});

export const membershipJson = ({ organization, member, ...counts }: Membership) => ({
  object: 'organization_membership',
  id: member.id,
  organization: organizationJson(organization, counts),
  public_metadata: {},
  permissions: permissionsOf(member.role),
  ...roleFields(member),
  ...times(member),
});

export const memberJson = (within: Membership, member: KnownMember) => ({
  ...membershipJson({ ...within, member }),
  public_user_data: publicUser(member.identityId, member),
});

export const invitationJson = (invitation: Invitation) => ({
  object: 'organization_invitation',
  id: invitation.id,
  organization_id: invitation.organizationId,
  email_address: invitation.email ?? '',
  public_metadata: {},
  status: invitation.status,
  ...roleFields(invitation),
  ...times(invitation),
});

/** An invitation as its receiver sees it. */
export const ownInvitationJson = (invitation: Invitation, organization: Organization) => ({
  ...invitationJson(invitation),
  public_organization_data: publicOrganization(organization),
});

export const rolesJson = (now: Date) =>
  ORGANIZATION_ROLES.map((role) => ({
    object: 'role',
    id: `role_${role}`,
    key: `org:${role}`,
    name: nameOfRole(role),
    description: '',
    permissions: permissionsOf(role).map((key) => ({
      object: 'permission',
      id: `perm_${key}`,
      key,
      name: key,
      description: '',
      type: 'system',
      ...times({ createdAt: now, updatedAt: now }),
    })),
    ...times({ createdAt: now, updatedAt: now }),
  }));

export function pageOf<T>(all: readonly T[], { limit, offset }: { limit: number; offset: number }) {
  return { data: all.slice(offset, offset + limit), total_count: all.length };
}

/** Refusals in Clerk's own codes where it has one. */
const REFUSALS: Record<OrganizationErrorCode, [status: number, code: string, text: string, param?: string]> = {
  already_invited: [422, 'duplicate_record', 'This address is invited already.', 'email_address'],
  already_member: [422, 'already_a_member_in_organization', 'This is a member already.', 'email_address'],
  inviter_gone: [410, 'organization_invitation_revoked', 'Who invited you is no owner any more. Ask for another one.'],
  invalid_limits: [422, 'form_param_value_invalid', 'This role cannot be limited so.', 'accounts'],
  invalid_name: [422, 'form_param_format_invalid', 'A name has 1 to 100 characters.', 'name'],
  invitation_expired: [410, 'organization_invitation_expired', 'This invitation has expired. Ask for another one.'],
  invitation_revoked: [410, 'organization_invitation_revoked', 'This invitation was taken back.'],
  invitation_unknown: [404, 'resource_not_found', 'There is no such invitation.'],
  invitation_used: [410, 'organization_invitation_already_accepted', 'This invitation was used already.'],
  last_owner: [
    409,
    'organization_minimum_permissions_needed',
    'An organization keeps an owner: make another member an owner first.',
  ],
  no_mail: [422, 'mail_unavailable', 'The pool sends no mail: invite by a link.', 'email_address'],
  not_member: [404, 'organization_not_found_or_unauthorized', 'You are a member of no such organization.'],
  not_owner: [403, 'not_an_admin_in_organization', 'Only an owner of the organization may do this.'],
  not_possible: [403, 'organization_creation_not_possible', 'This account can neither make nor join organizations.'],
  owner_of_too_many: [403, 'organization_quota_exceeded', 'You own as many organizations as one person can.'],
  owner_protected: [409, 'owner_protected', 'An owner steps down himself, or is removed after 72 hours.', 'role'],
  other_address: [
    403,
    'other_address',
    'This invitation is for another address: sign in with the account that has confirmed that one.',
  ],
  owner_by_mail: [422, 'owner_by_mail', 'An owner is invited by mail, to an address.', 'role'],
  own_removal: [409, 'own_removal', 'Another owner stops it, or who asked for it.'],
  second_owner: [
    409,
    'second_owner',
    'Another owner has to confirm this. Make the change on the page of the organization: it is kept for him there.',
  ],
  too_many_invitations: [429, 'organization_invitation_quota_exceeded', 'Twenty invitations a day are enough.'],
  too_many_members: [
    403,
    'organization_membership_quota_exceeded',
    `An organization has at most ${MAX_MEMBERS} members and open invitations.`,
  ],
  unknown_member: [404, 'resource_not_found', 'There is no such member.'],
};
export function organizationRefusal(code: OrganizationErrorCode): IdentityError {
  const [status, ...problem] = REFUSALS[code];
  return refusal(status, ...problem);
}
export const organizationStays = (): IdentityError =>
  refusal(409, 'organization_delete_refused', 'It owns mining accounts. Delete its account under “Account” instead.');
export const byInvitationOnly = (): IdentityError =>
  refusal(422, 'organization_invitation_needed', 'Nobody is added without being asked: send an invitation.', 'user_id');
export const noLogo = (): IdentityError =>
  refusal(422, 'organization_logo_refused', 'Organizations have no picture here.', 'file');
