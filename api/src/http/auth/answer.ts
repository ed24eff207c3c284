/** What is done around the answer to each call, whichever way it leaves: over HTTP, or in the HTML of a page. */
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '@pool/shared/api/contract';
import { actingMember } from '../../platform/audit';
import { checkAccountLimit, type Given } from './account-limits';
import type { Principal } from './principal';
import type { Principals } from './principals';

/** `path`: below `/api`, as the contract has it. */
type Asked = Given & { path: string; endpoint: Endpoint; me: Principal | null; request: FastifyRequest };

/** A member finds nothing outside the limit and is named in the log; an admin's look at another's data is recorded. */
export async function answerCall<T>(
  { db, viewAs }: Pick<Principals, 'db' | 'viewAs'>,
  { path, endpoint, me, request, ...given }: Asked,
  handle: () => T,
): Promise<Awaited<T>> {
  await checkAccountLimit(db, me, endpoint.names, given);
  const named = () => (me?.member ? actingMember.run(me.member.user.id, handle) : handle());
  return await viewAs.looking(me, path, request, named);
}
