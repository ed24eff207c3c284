/** Pages of the sign-in service outside of the shell. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plain } from '../messages/outbox/texts';
import { documentOf, POLICY, type PlainPage } from '../messages/mail/plain-page';
import { languageOfBrowser } from './cookies';
import { IdentityError } from './errors';
import { RateLimit } from '../platform/limits/rate-limit';

const REQUESTS_A_MINUTE = 30;
/** A page at one path: `get` and `post` return what it shows. */
export type PageCall = {
  request: FastifyRequest;
  fields: Record<string, string>;
  /** A text of the pages, in the browser's language. */
  say(key: string, values?: Record<string, string>): string;
  /** Title and text of `key`, and the way to the sign-in. */
  page(key: string, values?: Record<string, string>): PlainPage;
};
type Answer = PlainPage | { status: number; page: PlainPage };

/** Registers a page. Its texts are those of mails whose keys begin with `link.`. */
export function plainPage(
  app: FastifyInstance,
  path: string,
  signInUrl: string,
  handlers: Record<'get' | 'post', (call: PageCall) => Promise<Answer>>,
): void {
  const byAddress = new RateLimit(REQUESTS_A_MINUTE);
  const callOf = (request: FastifyRequest): PageCall => {
    const say: PageCall['say'] = (key, values) => plain.say(languageOfBrowser(request), `link.${key}`, values);
    return {
      request,
      fields: { ...(request.query as Record<string, string>), ...(request.body as Record<string, string> | undefined) },
      say,
      page: (key, values) => ({
        title: say(`${key}.title`),
        text: say(`${key}.text`, values),
        link: { words: say('sign_in'), to: signInUrl },
      }),
    };
  };
  const send = (request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply => {
    const { status, page } = 'page' in answer ? answer : { status: 200, page: answer };
    return reply
      .code(status)
      .headers({ 'cache-control': 'no-store', 'content-security-policy': POLICY })
      .type('text/html; charset=utf-8')
      .send(documentOf(languageOfBrowser(request), page));
  };
  const busy = (request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply =>
    send(request, reply, { status, page: callOf(request).page('busy') });
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const status = error instanceof IdentityError ? error.status : (error.statusCode ?? 500);
      if (status >= 500) request.log.error({ err: error }, 'a page of the sign-in service failed');
      return busy(request, reply, status);
    });
    for (const method of ['get', 'post'] as const)
      scope[method](path, async (request, reply) => {
        const wait = byAddress.takeFrom(request.ip);
        if (wait) return busy(request, reply.header('retry-after', wait), 429);
        return send(request, reply, await handlers[method](callOf(request)));
      });
  });
}
