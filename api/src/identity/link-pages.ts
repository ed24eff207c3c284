/** The page of a link in a mail: says what it does and asks. Only its button does it: mail scanners follow links. */
import type { FastifyInstance } from 'fastify';
import { findLink, LINK_PATH } from './links';
import { followLink } from './not-me';
import { plainPage, type PageCall } from './plain-pages';
import type { IdentityService } from './service';
import type { PoolAccounts } from './users';

const MAX_TOKEN = 64;
const tokenIn = ({ fields: { token } }: PageCall): string =>
  typeof token === 'string' && token.length <= MAX_TOKEN ? token : '';

export function linkPages(
  app: FastifyInstance,
  { service, pool, signInUrl }: { service: IdentityService; pool: PoolAccounts; signInUrl: string },
): void {
  plainPage(app, LINK_PATH, signInUrl, {
    get: async (call) => {
      const token = tokenIn(call);
      const link = await findLink(service.db, token);
      if (!link) return { status: 404, page: call.page('invalid') };
      const { title, text } = call.page(link.kind);
      const words = call.say(`${link.kind}.button`);
      return { title, text, form: { path: LINK_PATH, words, hidden: { token } } };
    },
    post: async (call) => {
      const done = await followLink(service, pool, tokenIn(call), call.request.ip);
      return done ? call.page(`${done}.done`) : { status: 404, page: call.page('invalid') };
    },
  });
}
