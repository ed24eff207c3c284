/** Pages of the sign-in service outside of the shell. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plain } from '../../messages/outbox/texts';
import { type PlainPage, sendPage } from '../../messages/mail/plain-page';
import { clientSecret, deviceIn, languageOfBrowser } from '../cookies';
import { IdentityError } from '../errors';
import { RateLimit } from '../../platform/limits/rate-limit';
import { findLink, LINK_PATH } from './links';
import { followLink } from './not-me';
import type { IdentityService } from '../service';
import type { PoolAccounts } from '../people/users';
import type { Locked, Recovery } from '../factors/recovery';
import { findVisitor } from '../store';
import { hostOf } from '../../platform/origin-of';

const RECOVERY_PATH = '/account-recovery';

/** The page for who has lost the second factor, from the second step of the sign-in. */
export function recoveryPages(
  app: FastifyInstance,
  { service, recovery, signInUrl }: { service: IdentityService; recovery: Recovery; signInUrl: string },
): void {
  const lockedIn = async (request: FastifyRequest): Promise<Locked | null> =>
    recovery.lockedOut(await findVisitor(service.db, clientSecret(request)));
  const form = (words: string, step: 'send' | 'begin') => ({ path: RECOVERY_PATH, words, hidden: { step } });
  const askCode = (call: PageCall, error?: string) => {
    const { title, text } = call.page('recovery.code');
    const field = { code: call.say('recovery.code.field'), error };
    return { title, text, form: { ...form(call.say('recovery.code.button'), 'begin'), ...field } };
  };
  plainPage(app, RECOVERY_PATH, signInUrl, {
    get: async (call) => {
      const locked = await lockedIn(call.request);
      if (!locked) return call.page('recovery.sign_in');
      if (!(await recovery.isOffered(locked))) return call.page('recovery.operator');
      const { title, text } = call.page('recovery');
      return { title, text, form: form(call.say('recovery.button'), 'send') };
    },
    post: async (call) => {
      const { request, fields } = call;
      const locked = hostOf(request.headers.origin ?? '') === request.host ? await lockedIn(request) : null;
      if (!locked || !(await recovery.isOffered(locked))) return call.page('recovery.sign_in');
      if (fields.step !== 'begin') {
        await recovery.sendCode(locked, deviceIn(request));
        return askCode(call);
      }
      try {
        const until = await recovery.begin(locked, fields.code, deviceIn(request));
        return call.page('recovery.begun', { until: until.toISOString().slice(0, 16).replace('T', ' ') });
      } catch (error) {
        if (!(error instanceof IdentityError) || error.status !== 422) throw error;
        return { status: 422, page: askCode(call, call.say('recovery.code.wrong')) };
      }
    },
  });
}

const MAX_TOKEN = 64;
const tokenIn = ({ fields: { token } }: PageCall): string =>
  typeof token === 'string' && token.length <= MAX_TOKEN ? token : '';

/** The page of a link in a mail: says what it does and asks. Only its button does it: mail scanners follow links. */
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

const REQUESTS_A_MINUTE = 30;
/** A page at one path: `get` and `post` return what it shows. */
type PageCall = {
  request: FastifyRequest;
  fields: Record<string, string>;
  /** A text of the pages, in the browser's language. */
  say(key: string, values?: Record<string, string>): string;
  /** Title and text of `key`, and the way to the sign-in. */
  page(key: string, values?: Record<string, string>): PlainPage;
};
type Answer = PlainPage | { status: number; page: PlainPage };

/** Registers a page. Its texts are those of mails whose keys begin with `link.`. */
function plainPage(
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
    return sendPage(reply, status, languageOfBrowser(request), page);
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
