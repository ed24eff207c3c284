/** Organizations as clerk-js reads them. The pages ask the pool's own calls of them; a session says which it acts in. */
import { ORGANIZATION_ROLES, type OrganizationRole } from '@pool/shared/roles';
import type { Membership } from '../../accounts/organizations/organizations';
import type { UserRow } from '../store';

/** Roles of the hosted service that have another name here. */
const CLERK_ROLES: Record<string, OrganizationRole> = { admin: 'owner', member: 'viewer' };
const isRole = (text: string): text is OrganizationRole => ORGANIZATION_ROLES.some((role) => role === text);
/** The role of `org:owner` or `owner`; undefined: not one of ours. */
export function roleIn(text: string | undefined): OrganizationRole | undefined {
  const name = text?.replace(/^org:/, '') ?? '';
  return CLERK_ROLES[name] ?? (isRole(name) ? name : undefined);
}

/** What a session token says of the organization that the session acts in. */
export const organizationClaims = ({ organization: { id, slug }, member: { role } }: Membership) => ({
  org_id: id,
  org_role: `org:${role}`,
  org_slug: slug,
  org_permissions: [],
});

/** The times of a resource in the form that clerk-js reads: Unix milliseconds. */
export const times = ({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }) => ({
  created_at: createdAt.getTime(),
  updated_at: updatedAt.getTime(),
});

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

export const membershipJson = ({ organization, member }: Membership) => ({
  object: 'organization_membership',
  id: member.id,
  organization: {
    object: 'organization',
    ...{ id: organization.id, name: organization.name, slug: organization.slug },
    image_url: '',
    has_image: false,
    public_metadata: {},
    ...times(organization),
  },
  public_metadata: {},
  permissions: [],
  role: `org:${member.role}`,
  ...times(member),
});
