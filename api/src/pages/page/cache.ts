/** Rules for caching pages. */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { KEEP_HEADER } from '@pool/shared/page-start';
import type { Principal } from '../../http/auth/principal';
import type { Resolved } from './resolve';

/** Hash of all parts of a page that are the same in its next answer: not its nonce. */
export const etagOf = (parts: readonly unknown[]): string =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`;

/** `etag`: null for a page with a view. */
export function setCaching(reply: FastifyReply, page: Resolved, me: Principal | null, etag: string | null): void {
  // The address of a watcher link is its key: it goes to nobody else.
  if (page.isWatch) reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex');
  reply.header('vary', 'Cookie, Accept-Encoding');
  // The user's figures are in no cache that a sign-out does not empty.
  if (etag === null) reply.header('cache-control', 'private, no-store');
  else reply.header('cache-control', 'private, no-cache').header('etag', etag);
  if (me && page.isSaved) reply.header(KEEP_HEADER, me.identityId);
  else if (page.isVisitor) reply.header(KEEP_HEADER, 'none');
}
