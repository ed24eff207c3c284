/** Answers that the service worker may keep for the user it names, for when the pool is away (docs/adr/0013). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Subject } from '@pool/shared/ability';
import type { Call, Endpoint } from '@pool/shared/api/contract';
import { KEEP_HEADER } from '@pool/shared/page-start';
import type { ZodApp } from '../server/server';
import { viewedUser } from './view-as';

/** Their calls that read are what the pages show. */
const SUBJECTS: readonly Subject[] = ['dashboard', 'workers', 'pools', 'payments', 'referral'];
/** Calls about the account that every page needs: no keys, links, devices or log. */
const OF_EVERY_PAGE: readonly string[] = [
  'GET /getUserInfo/',
  'GET /subAccounts/',
  'GET /connectionInfo/',
  'GET /upstreams',
  'GET /wallet/',
  'GET /notifications',
  'GET /timeline',
] satisfies Call[];
/** A longer answer (a list of thousands of workers) is not kept. Bytes before compression. */
const MAX_BYTES = 1024 * 1024;

export const isKept = (call: string, { who, requires }: Pick<Endpoint, 'who' | 'requires'>): boolean =>
  call.startsWith('GET ') &&
  (who === 'visitor' ||
    OF_EVERY_PAGE.includes(call) ||
    (requires?.action === 'read' && SUBJECTS.includes(requires.subject as Subject)));

/** Marks answers to the user's own session: tokens, organizations and viewers may share a browser or an address. */
export function markKept(request: FastifyRequest, reply: FastifyReply, who: Endpoint['who']): void {
  if (viewedUser(request) !== undefined) return;
  const { principal } = request;
  if (who === 'visitor') reply.header(KEEP_HEADER, '*');
  else if (principal && !principal.token && !principal.member) reply.header(KEEP_HEADER, principal.identityId);
}

/** Takes the mark off a long answer, and off one that is not the same for everybody although visitors may call it. */
export function limitKept(app: ZodApp): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > MAX_BYTES;
    const isPublic = String(reply.getHeader('cache-control')).startsWith('public');
    if (isLong || (reply.getHeader(KEEP_HEADER) === '*' && !isPublic)) reply.removeHeader(KEEP_HEADER);
  });
}
