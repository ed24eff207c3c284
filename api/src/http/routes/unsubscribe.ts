/** Where the links of mails lead that end them: a page that asks, and a POST without signing in, which ends. */
import type { TelegramEvent } from '@pool/shared/api/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { endMails } from '../../accounts/alert-setting';
import { unsubscribePage } from '../../messages/mail/mail';
import { sendPage } from '../../messages/mail/plain-page';
import { PATH, tokenOf } from '../../messages/mail/unsubscribe';
import { languageOf } from '../../messages/outbox/texts';
import type { Secrets } from '../../platform/secrets';
import type { ZodApp } from '../server/server';

/** Following the link only asks: mail programs look at links. */
export async function unsubscribeRoutes(
  app: ZodApp,
  { pool, secrets, now }: { pool: Pool; secrets: Secrets; now(): number },
): Promise<void> {
  const answer = (
    request: FastifyRequest,
    reply: FastifyReply,
    events: TelegramEvent[] | null,
    done: boolean,
  ): FastifyReply => {
    const language = languageOf(request.headers['accept-language']);
    reply.header('referrer-policy', 'no-referrer');
    return sendPage(reply, events ? 200 : 400, language, unsubscribePage(language, events, done));
  };
  await app.register(async (scope) => {
    // `List-Unsubscribe=One-Click` as a form of either kind; the link says everything.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined));
    const options = { schema: { hide: true }, config: { rate: { name: 'unsubscribe', perMinute: 60 } } };
    scope.get(PATH, options, (request, reply) =>
      answer(request, reply, tokenOf(secrets, request.query, now())?.events ?? null, false),
    );
    scope.post(PATH, options, async (request, reply) => {
      const token = tokenOf(secrets, request.query, now());
      if (token) await endMails(pool, { actorId: token.userId, ip: request.ip }, token.events);
      return answer(request, reply, token?.events ?? null, true);
    });
  });
}
