/** The caller of a request: a person, a member of an organization, a token, or an admin who looks as another. */
import type { PoolAbility } from '@pool/shared/ability';
import type { Scope } from '@pool/shared/api/contract';
import type { AppUser } from '../../accounts/accounts';
import type { Doer } from '../../platform/audit';
import type { Grant } from '../../accounts/organizations/organizations';

export type Member = Grant & {
  user: AppUser;
  organizationId: string;
  /** Name of the first sub-account that the role is limited to; null: the organization's primary. */
  first: string | null;
};

export type Principal = {
  /** Whose data it is: the caller's own, or the organization's. */
  user: AppUser;
  member?: Member;
  /** The organization of the hosted sign-in service that its owner acts in, while it has no account here. */
  unlinked?: string;
  /** What the caller may do (shared/src/contract/ability.ts). */
  ability: PoolAbility;
  identityId: string;
  signedInAt: Date;
  /** An admin who has to set up two-step sign-in first, and may do what a miner may until then. */
  twoStepRequired?: true;
  /** Session of the sign-in service; empty for a token. */
  sessionId: string;
  /** Set when a watcher link or an API key is used: it can only read, and only what its scopes allow. */
  token?: { id: number; scopes: readonly Scope[]; expiresAt: Date | null };
  /** The admin who looks at this user's pages (view-as.ts). */
  viewer?: Principal;
};

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** Name of the sub-account that a call is about which names none. */
export const homeOf = ({ user, member }: Principal): string => member?.first ?? user.userName;

/** The person who calls, whose notifications and connections they are; never the organization. */
export const personOf = ({ user, member }: Principal): AppUser => member?.user ?? user;

export type Acting = { me: Principal; request: { ip: string } };
/** The actor in the log of a change of an account's data: that account. */
export const actorOf = ({ me, request: { ip } }: Acting): Doer => ({ actorId: me.user.id, ip });
/** The actor in the log of a change of a person's own data: the person, also in an organization. */
export const doerOf = ({ me, request: { ip } }: Acting): Doer => ({ actorId: personOf(me).id, ip });
