/** Organizations of the signed-in person: members, invitations, roles, and which one the session acts in. */
import { z } from 'zod';
import { userOf } from '../accounts/accounts';
import {
  acceptInvitation,
  invitationsOf,
  invitationsTo,
  invite,
  revokeInvitation,
} from '../accounts/organizations/invitations';
import { changeMember, membersOf } from '../accounts/organizations/members';
import {
  createOrganization,
  OrganizationError,
  organizationsOf,
  renameOrganization,
  type Doer,
  type Membership,
} from '../accounts/organizations/organizations';
import { removeMember } from '../accounts/organizations/removals';
import { needsSecondOwner } from '../accounts/organizations/second-owner';
import { type Call, clientOf, type Register, signedIn } from './calls';
import { errors } from './errors';
import {
  byInvitationOnly,
  checkRole,
  invitationJson,
  memberJson,
  membershipJson,
  noLogo,
  organizationJson,
  organizationStays,
  ownInvitationJson,
  pageOf,
  rolesJson,
} from './organizations';
import type { IdentityService } from './service';
import { checkRecent } from './two-step';
import { checkEmail } from './users';

const LIMIT = 10;
const LIMIT_MAX = 100;
const words = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat())
  .optional()
  .catch(undefined);
const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX).catch(LIMIT),
  offset: z.coerce.number().int().min(0).catch(0),
  status: words,
  role: words,
  query: z.string().max(256).catch(''),
});
const queryOf = ({ request }: Call) => listQuery.parse(request.query);
const has = (wanted: readonly string[] | undefined, value: string): boolean => !wanted || wanted.includes(value);

export function organizationRoutes(on: Register, service: IdentityService): void {
  const { db, organizations: deps } = service;
  const doerOf = async (call: Call): Promise<Doer> => {
    const person = await userOf(db, signedIn(call).user.id);
    if (!person) throw errors.notFound();
    return { actorId: person.id, ip: call.device.ip };
  };
  /** The person, when no other owner has to confirm a change of the members: it would be kept on the pool's page only. */
  const aloneIn = async (call: Call, against: number | null = null): Promise<Doer> => {
    const by = await doerOf(call);
    if (await needsSecondOwner(db, idOf(call), by.actorId, against)) throw new OrganizationError('second_owner');
    return by;
  };
  const idOf = ({ request }: Call): string => request.params.id ?? '';
  /** The organization of the path, as the caller is its member. */
  const within = async (call: Call, id = idOf(call)): Promise<Membership> => {
    const found = (await organizationsOf(db, signedIn(call).user.id)).find(
      ({ organization }) => organization.id === id,
    );
    if (!found) throw new OrganizationError('not_member');
    return found;
  };
  const answer = async (call: Call, response: unknown) => ({
    response,
    client: await clientOf(service, signedIn(call), call.origin),
  });
  const list = <T>(call: Call, all: readonly T[]) => ({ response: pageOf(all, queryOf(call)), client: null });
  /** The members as the caller may know them: addresses of others are for owners. */
  const knownTo = async ({ organization, member: { role, userId } }: Membership) =>
    (await membersOf(db, organization.id)).map((each) =>
      role === 'owner' || each.userId === userId ? each : { ...each, email: null },
    );
  const memberIn = async (call: Call) => {
    const membership = await within(call);
    const member = (await knownTo(membership)).find(({ identityId }) => identityId === call.request.params.user);
    if (!member) throw new OrganizationError('unknown_member');
    return { membership, member };
  };

  on('/v1/organizations', {
    POST: async (call) => {
      const by = await doerOf(call);
      if (!call.body.name) throw errors.missing('name');
      checkRecent(signedIn(call));
      const { organization } = await createOrganization(deps, by, call.body.name);
      return answer(call, organizationJson(organization, { members: 1, invitations: 0 }));
    },
  });
  on('/v1/organizations/:id', {
    GET: async (call) => {
      const { organization, ...counts } = await within(call);
      return { response: organizationJson(organization, counts), client: null };
    },
    PATCH: async (call) => {
      const counts = await within(call);
      const by = await doerOf(call);
      const { name = counts.organization.name } = call.body;
      return answer(call, organizationJson(await renameOrganization(deps, by, idOf(call), name), counts));
    },
    DELETE: async (call) => {
      await within(call);
      throw organizationStays();
    },
  });
  on('/v1/organizations/:id/logo', {
    DELETE: async (call) => {
      await within(call);
      throw noLogo();
    },
  });
  on('/v1/organizations/:id/roles', {
    GET: async (call) => {
      const { organization } = await within(call);
      const { response } = list(call, rolesJson(organization.createdAt));
      return { response: { ...response, has_role_set_migration: false }, client: null };
    },
  });
  on('/v1/organizations/:id/memberships', {
    GET: async (call) => {
      const membership = await within(call);
      const { role: roles, query } = queryOf(call);
      const text = query.toLowerCase();
      const found = (await knownTo(membership)).filter(
        ({ role, userName, firstName, lastName, email }) =>
          has(roles, `org:${role}`) && [userName, firstName, lastName, email].join(' ').toLowerCase().includes(text),
      );
      return list(
        call,
        found.map((member) => memberJson(membership, member)),
      );
    },
    POST: async (call) => {
      await within(call);
      throw byInvitationOnly();
    },
  });
  on('/v1/organizations/:id/memberships/:user', {
    PATCH: async (call) => {
      const visitor = signedIn(call);
      const { membership, member } = await memberIn(call);
      const role = checkRole(call.body.role);
      checkRecent(visitor);
      const changed = await changeMember(deps, await aloneIn(call), idOf(call), member.userId, { role });
      return answer(call, memberJson(membership, { ...member, ...changed }));
    },
    DELETE: async (call) => {
      const visitor = signedIn(call);
      const { membership, member } = await memberIn(call);
      const leaves = member.identityId === visitor.user.id;
      if (!leaves) checkRecent(visitor);
      const by = await (leaves ? doerOf(call) : aloneIn(call, member.userId));
      await removeMember(deps, by, idOf(call), member.userId);
      return answer(call, memberJson(membership, member));
    },
  });
  on('/v1/organizations/:id/membership_requests', {
    GET: async (call) => {
      await within(call);
      return list(call, []);
    },
  });

  /** Invites the addresses one after the other: those before a refused one are invited. */
  const inviteAll = async (call: Call, addresses: readonly string[]) => {
    const visitor = signedIn(call);
    await within(call);
    const emails = addresses.map((address) => checkEmail(address));
    const role = checkRole(call.body.role);
    checkRecent(visitor);
    const by = await aloneIn(call);
    const { language } = call.device;
    const made = [];
    for (const email of emails)
      made.push(invitationJson((await invite(deps, by, idOf(call), { email, role, language })).invitation));
    return made;
  };
  on('/v1/organizations/:id/invitations', {
    GET: async (call) => {
      const { member } = await within(call);
      if (member.role !== 'owner') throw new OrganizationError('not_owner');
      const { status } = queryOf(call);
      const found = (await invitationsOf(db, idOf(call))).filter((invitation) => has(status, invitation.status));
      return list(call, found.map(invitationJson));
    },
    POST: async (call) => {
      const [made] = await inviteAll(call, [call.body.email_address ?? '']);
      return answer(call, made);
    },
  });
  on('/v1/organizations/:id/invitations/bulk', {
    POST: async (call) => answer(call, await inviteAll(call, call.body.email_addresses)),
  });
  on('/v1/organizations/:id/invitations/:invitation/revoke', {
    POST: async (call) => {
      const by = await doerOf(call);
      const revoked = await revokeInvitation(deps, by, idOf(call), call.request.params.invitation ?? '');
      return answer(call, invitationJson(revoked));
    },
  });

  on('/v1/me/organization_memberships', {
    GET: async (call) => list(call, (await organizationsOf(db, signedIn(call).user.id)).map(membershipJson)),
  });
  on('/v1/me/organization_memberships/:id', {
    DELETE: async (call) => {
      const { organization, member } = await within(call);
      await removeMember(deps, await doerOf(call), organization.id, member.userId);
      return answer(call, {
        object: 'organization_membership',
        id: member.id,
        slug: organization.slug,
        deleted: true,
      });
    },
  });
  /** Only a confirmed address shows what was sent to it. */
  const confirmed = (call: Call): string | null => {
    const { user } = signedIn(call);
    return user.emailVerifiedAt && user.email;
  };
  on('/v1/me/organization_invitations', {
    GET: async (call) => {
      const email = confirmed(call);
      const found = email ? await invitationsTo(db, email) : [];
      return list(
        call,
        found.map(({ invitation, organization }) => ownInvitationJson(invitation, organization)),
      );
    },
  });
  on('/v1/me/organization_invitations/:id/accept', {
    POST: async (call) => {
      const email = confirmed(call);
      if (!email) throw new OrganizationError('invitation_unknown');
      const accepted = await acceptInvitation(deps, await doerOf(call), { id: idOf(call), email });
      return answer(call, ownInvitationJson(accepted.invitation, accepted.organization));
    },
  });
  on('/v1/me/organization_suggestions', {
    GET: async (call) => {
      signedIn(call);
      return list(call, []);
    },
  });
}
