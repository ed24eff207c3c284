import type { Contract, SecondOwnerKind, ShownChange, WaitingKind } from '@pool/shared/api/contract';
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
import { changeMember, grantOf, membersOf } from '../../../accounts/organizations/members';
import {
  createOrganization,
  organizationsOf,
  renameOrganization,
  type Grant,
} from '../../../accounts/organizations/organizations';
import { setSecondOwner } from '../../../accounts/organizations/second-owner';
import { waitingIn } from '../../../accounts/waiting/waiting';
import { mayDo } from '../../../accounts/waiting/who-decides';
import { type Doer, writeAudit } from '../../../platform/audit';
import { originOf } from '../../../platform/origin-of';
import type { Deps } from '../../context/deps';
import { cancelRemoval, removalFor, removeMember } from '../../../accounts/organizations/removals';
import { type Acting, actorOf, doerOf, personOf, type Principal } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import { deciderOf, waitsOf } from '../../auth/waiting';
import { found, problems } from '../../../platform/refused';

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
function acted(c: Acting): [by: Doer, organizationId: string] {
  const { member } = c.me;
  if (!member) throw problems.conflict('not_member', 'You act in no organization.');
  return [doerOf(c), member.organizationId];
}

/** The kinds of today in those of 1.0.0. */
const OLD_KINDS: Partial<Record<WaitingKind, SecondOwnerKind>> = {
  address_back: 'address',
  list_undo: 'list',
  hold_off: 'list',
  hold_back: 'list',
  member_kept: 'member',
};
/** What pages of 1.0.0 show of a change. */
function aboutOf({ account, name, before, after }: ShownChange): Shown['requests'][number]['about'] {
  const { address, url, user, places, role, money = false, accounts = null } = after ?? before ?? {};
  const grant = role && { role, money, accounts };
  return { account, name: name ?? after?.name, address, url, user, grant, pools: places?.map((place) => place.name) };
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
    requests: (await waitingIn(pool, id)).flatMap((row) => {
      const kind = waitsOf(row.call)?.shows;
      const old = kind && (OLD_KINDS[kind] ?? (kind as SecondOwnerKind));
      if (!old || row.endsAs === 'done' || !mayDo(row, deciderOf(me)).see) return [];
      const times = { at: row.askedAt.toISOString(), expiresAt: row.endsAt.toISOString() };
      return [
        {
          id: row.id,
          kind: old,
          by: row.name ?? '',
          own: row.askedBy === person.id,
          ...times,
          about: aboutOf(row.shown),
        },
      ];
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
  const done = async (me: Principal, change?: Promise<unknown>) => {
    await change;
    return { organization: await shownOrganization(pool, me) };
  };
  const shownInvitation = async ({ token }: { token: string }) => {
    const { name, role, money, expiresAt } = await invitationOf(pool, token);
    return { organization: name, role, money, expiresAt: expiresAt.toISOString() };
  };
  const limits = async (me: Principal, given: Named): Promise<Grant> =>
    numbered(given, given.accounts ? await subAccountsOf(pool, me.user.id) : []);
  const known = async (me: Principal, id: number) =>
    found((await membersOf(pool, me.member?.organizationId ?? '')).find(({ userId }) => userId === id));
  return {
    'GET /organization': async ({ me }) =>
      me.member
        ? { organization: await shownOrganization(pool, me) }
        : { organization: null, ownName: await freeName(pool, me.user.userName) },
    'POST /organization': async ({ body, ...c }) => {
      const made = await createOrganization(organizations, doerOf(c), body.name, c.me.unlinked);
      accounts.forget();
      return { id: made.organization.id };
    },
    'PUT /organization': async ({ body, ...c }) =>
      done(c.me, renameOrganization(organizations, ...acted(c), body.name)),
    'PUT /organization/secondOwner': {
      shows: ({ body }) => ({ before: { on: true }, after: { on: body.wanted } }),
      handle: async ({ body, ...c }) => done(c.me, setSecondOwner(organizations, ...acted(c), body.wanted)),
    },
    'PUT /organization/members/{id}': {
      shows: async ({ me, params, body }) => {
        // Nobody has to agree when a member gives up rights of his own.
        if (params.id === personOf(me).id) return null;
        const member = await known(me, params.id);
        return { name: member.userName, before: await grantOf(pool, member), after: body };
      },
      handle: async ({ params, body, ...c }) =>
        done(c.me, changeMember(organizations, ...acted(c), params.id, await limits(c.me, body))),
    },
    'DELETE /organization/members/{id}': {
      shows: async ({ me, params: { id } }) => {
        const member = await known(me, id);
        return { name: member.userName, before: await grantOf(pool, member), after: null, against: id };
      },
      handle: async ({ params, ...c }) => {
        if (params.id === personOf(c.me).id) throw problems.conflict('not_possible', 'Leave the organization.');
        return done(c.me, removeMember(organizations, ...acted(c), params.id));
      },
    },
    'DELETE /organization/members/{id}/removal': {
      shows: async ({ me, params: { id } }) => {
        const member = await known(me, id);
        const waits = await removalFor(pool, member.organizationId, id);
        // What one owner asked, one owner takes back.
        if (!waits?.confirmedBy || id === personOf(me).id) return null;
        return { name: member.userName, before: null, after: await grantOf(pool, member), against: id };
      },
      handle: async ({ params, ...c }) => {
        if (!(await cancelRemoval(organizations, ...acted(c), params.id))) throw problems.notFound();
        return done(c.me);
      },
    },
    'POST /exports': async ({ body: { file }, ...c }) => {
      await writeAudit(pool, actorOf(c), 'export', c.me.user.userName, { after: { file } });
      return { logged: true as const };
    },
    'POST /organization/leave': async (c) => {
      await removeMember(organizations, ...acted(c), personOf(c.me).id);
      return { left: true as const };
    },
    'POST /organization/invitations': {
      shows: ({ body: { language: _, ...after } }) => ({ before: null, after }),
      handle: async ({ body: { email, language, ...given }, ...c }) => {
        const invited = { ...(await limits(c.me, given)), email, language };
        const { secret } = await invite(organizations, ...acted(c), invited);
        const link = secret === null ? null : invitationLink(originOf(c.request), secret);
        return { ...(await done(c.me)), link };
      },
    },
    'DELETE /organization/invitations/{id}': async ({ params, ...c }) =>
      done(c.me, revokeInvitation(organizations, ...acted(c), params.id)),
    'GET /organization/invitation': ({ query }) => shownInvitation(query),
    'POST /organization/invitation': ({ body }) => shownInvitation(body),
    'POST /organization/join': async ({ body, ...c }) => {
      const { organization } = await acceptInvitation(organizations, doerOf(c), body.token);
      return { id: organization.id, name: organization.name };
    },
  } satisfies Partial<Handlers>;
}
