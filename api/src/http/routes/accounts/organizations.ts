import { contract, type Contract, type Endpoint } from '@pool/shared/api/contract';
import type { OrganizationRole } from '@pool/shared/roles';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { freeName, subAccountsOf, type SubAccountRow } from '../../../accounts/accounts';
import {
  acceptInvitation,
  invitationLink,
  invitationOf,
  invitationsOf,
  invite,
  revokeInvitation,
} from '../../../accounts/organizations/invitations';
import { changeMember, membersOf } from '../../../accounts/organizations/members';
import {
  createOrganization,
  OrganizationError,
  organizationsOf,
  renameOrganization,
  type Doer,
  type Grant,
} from '../../../accounts/organizations/organizations';
import { requestsOf, setSecondOwner } from '../../../accounts/organizations/requests';
import { writeAudit } from '../../../platform/audit';
import type { Deps } from '../../context/deps';
import { cancelRemoval, removeMember } from '../../../accounts/organizations/removals';
import { personOf, type Principal } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import { HttpProblem, problems } from '../../server/problem';

const MISSING: readonly string[] = ['invitation_unknown', 'unknown_member', 'unknown_request'];

export function refusal(error: unknown): never {
  if (!(error instanceof OrganizationError)) throw error;
  if (error.code === 'not_owner') throw problems.forbidden();
  if (error.code === 'not_member') throw problems.forbidden('not_member');
  throw new HttpProblem(MISSING.includes(error.code) ? 404 : 409, error.code, { detail: error.message });
}

type Named = { role: OrganizationRole; money: boolean; accounts: string[] | null };
const named = ({ role, money, accounts }: Grant, all: readonly SubAccountRow[]): Named => ({
  role,
  money,
  accounts: accounts && all.filter(({ id }) => accounts.includes(id)).map(({ name }) => name),
});
const numbered = ({ role, money, accounts }: Named, all: readonly SubAccountRow[]): Grant => ({
  role,
  money,
  // A foreign name becomes 0, which no account has: the limit is then refused.
  accounts: accounts && accounts.map((name) => all.find((row) => row.name === name)?.id ?? 0),
});

/** The person who changes the organization that the caller acts in, and its id. */
export function acted({ member }: Principal, ip: string): [by: Doer, organizationId: string] {
  if (!member) throw problems.conflict('not_member', 'You act in no organization.');
  return [{ actorId: member.user.id, ip }, member.organizationId];
}

type Shown = NonNullable<z.input<Contract['GET /organization']['response']>['organization']>;
/** The organization as its member sees it: addresses, invitations and others' requests are for owners. */
export async function shownOrganization(pool: Pool, me: Principal): Promise<Shown> {
  const person = personOf(me);
  const membership = (await organizationsOf(pool, me.identityId)).find(
    ({ organization }) => organization.id === me.member?.organizationId,
  );
  if (!membership) throw problems.forbidden('not_member');
  const { id, name, userId, secondOwner } = membership.organization;
  const all = await subAccountsOf(pool, userId);
  const isOwner = membership.member.role === 'owner';
  const invitations = isOwner ? await invitationsOf(pool, id) : [];
  return {
    id,
    name,
    secondOwner,
    requests: (await requestsOf(pool, id)).flatMap((request) => {
      const kind = (contract as Record<string, Endpoint>)[request.call]?.secondOwner;
      const own = request.userId === person.id;
      if (!kind || !(isOwner || own)) return [];
      const at = request.createdAt.toISOString();
      const expiresAt = request.expiresAt.toISOString();
      return [{ id: request.id, kind, by: request.name, own, at, expiresAt, about: request.about }];
    }),
    members: (await membersOf(pool, id)).map((member) => ({
      id: member.userId,
      userName: member.userName,
      email: isOwner ? member.email : null,
      ...named(member, all),
      own: member.userId === person.id,
      since: member.createdAt.toISOString(),
      removalAt: member.removalAt?.toISOString() ?? null,
    })),
    invitations: invitations
      .filter(({ status }) => status === 'pending')
      .map((invitation) => ({
        id: invitation.id,
        email: invitation.email,
        ...named(invitation, all),
        expiresAt: invitation.expiresAt.toISOString(),
      })),
  };
}

export function organizationRoutes({ pool, organizations, accounts }: Deps) {
  const by = (me: Principal, ip: string): Doer => ({ actorId: personOf(me).id, ip });
  const done = async (me: Principal, change?: Promise<unknown>) => {
    await change?.catch(refusal);
    return { organization: await shownOrganization(pool, me) };
  };
  const shownInvitation = async ({ token }: { token: string }) => {
    const { name, role, money, expiresAt } = await invitationOf(pool, token).catch(refusal);
    return { organization: name, role, money, expiresAt: expiresAt.toISOString() };
  };
  const limits = async (me: Principal, given: Named): Promise<Grant> =>
    numbered(given, given.accounts ? await subAccountsOf(pool, me.user.id) : []);
  return {
    'GET /organization': async ({ me }) =>
      me.member
        ? { organization: await shownOrganization(pool, me) }
        : { organization: null, ownName: await freeName(pool, me.user.userName) },
    'POST /organization': async ({ me, body, request: { ip } }) => {
      const made = await createOrganization(organizations, by(me, ip), body.name, me.unlinked).catch(refusal);
      accounts.forget();
      return { id: made.organization.id };
    },
    'PUT /organization': async ({ me, body, request: { ip } }) =>
      done(me, renameOrganization(organizations, ...acted(me, ip), body.name)),
    'PUT /organization/secondOwner': async ({ me, body, request: { ip } }) =>
      done(me, setSecondOwner(organizations, ...acted(me, ip), body.wanted)),
    'PUT /organization/members/{id}': async ({ me, params, body, request: { ip } }) => {
      const grant = await limits(me, body);
      return done(me, changeMember(organizations, ...acted(me, ip), params.id, grant));
    },
    'DELETE /organization/members/{id}': async ({ me, params, request: { ip } }) => {
      if (params.id === personOf(me).id) throw problems.conflict('not_possible', 'Leave the organization.');
      return done(me, removeMember(organizations, ...acted(me, ip), params.id));
    },
    'DELETE /organization/members/{id}/removal': async ({ me, params, request: { ip } }) => {
      if (!(await cancelRemoval(organizations, ...acted(me, ip), params.id).catch(refusal))) throw problems.notFound();
      return done(me);
    },
    'POST /exports': async ({ me, body: { file }, request: { ip } }) => {
      await writeAudit(pool, { actorId: me.user.id, ip }, 'export', me.user.userName, { after: { file } });
      return { logged: true as const };
    },
    'POST /organization/leave': async ({ me, request: { ip } }) => {
      await removeMember(organizations, ...acted(me, ip), personOf(me).id).catch(refusal);
      return { left: true as const };
    },
    'POST /organization/invitations': async ({ me, body: { email, language, ...given }, request }) => {
      const grant = await limits(me, given);
      const invited = { ...grant, email, language };
      const { secret } = await invite(organizations, ...acted(me, request.ip), invited).catch(refusal);
      const link = secret === null ? null : invitationLink(`${request.protocol}://${request.host}`, secret);
      return { ...(await done(me)), link };
    },
    'DELETE /organization/invitations/{id}': async ({ me, params, request: { ip } }) =>
      done(me, revokeInvitation(organizations, ...acted(me, ip), params.id)),
    'GET /organization/invitation': ({ query }) => shownInvitation(query),
    'POST /organization/invitation': ({ body }) => shownInvitation(body),
    'POST /organization/join': async ({ me, body, request: { ip } }) => {
      const { organization } = await acceptInvitation(organizations, by(me, ip), { secret: body.token }).catch(refusal);
      return { id: organization.id, name: organization.name };
    },
  } satisfies Partial<Handlers>;
}
