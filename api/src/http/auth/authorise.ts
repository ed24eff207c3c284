/** Whether the caller may make a call: its role and rights, the age of the sign-in, the origin of a write. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { allows } from '@pool/shared/ability';
import type { Endpoint } from '@pool/shared/api/contract';
import { checkWrite, giveXsrfCookie, isWrite } from '../server/guards';
import { problems } from '../../platform/refused';
import { markKept } from './kept';
import type { Principal } from './principal';
import type { Principals } from './principals';
import type { WantedScope } from './token-callers';
import { checkRecent } from './recent';

export type Access = Pick<Endpoint, 'who' | 'requires' | 'sudo'> & { scope?: WantedScope };

/** Throws unless the caller may make the call. Decided by the call itself, never by a prefix of its path. */
export function authorise({ who, requires, sudo }: Access, me: Principal | null): void {
  if (who === 'visitor') return;
  if (!me) throw problems.signedOut();
  if (!allows(me.ability, requires))
    throw me.twoStepRequired
      ? problems.forbidden('two_step_required', 'Turn on two-step sign-in first: Account > Security.')
      : problems.forbidden();
  if (sudo === true) checkRecent(me);
}

/** Runs before the body is read: finds the caller, checks permission, and for a write the request's origin. */
export const guard =
  (access: Access, principals: Principals, kept = false) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { who, scope } = access;
    reply.header('cache-control', who === 'visitor' ? 'public, max-age=10' : 'private, no-store');
    if (!isWrite(request)) giveXsrfCookie(request, reply);
    if (who === 'visitor') await principals.checkViewer(request);
    request.principal = who === 'visitor' ? null : await principals.find(request, scope);
    authorise(access, request.principal);
    if (kept) markKept(request, reply, who);
    if (isWrite(request)) checkWrite(request);
  };
