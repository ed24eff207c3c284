/** Answers the address of every page: template, configuration, policy with a nonce, view of its remote. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { PublicConfig } from '@pool/shared/config';
import { FACTS_COOKIE } from '@pool/shared/page-start';
import type { Principal } from '../http/auth/principal';
import type { Principals } from '../http/auth/principals';
import type { InnerCalls } from '../http/auth/inner-calls';
import { hasTag, takesPage } from '../http/server/accepts';
import { answerError, retryOf } from '../http/server/errors';
import { giveXsrfCookie } from '../http/server/guards';
import { problems } from '../platform/refused';
import { sendProblem } from '../http/server/problem';
import type { ZodApp } from '../http/server/server';
import type { Identity } from '../identity';
import { clientSecret, languageOfBrowser } from '../identity/cookies';
import { Busy, Semaphore, type Share } from '../platform/limits/semaphore';
import { plain } from '../messages/outbox/texts';
import { sendPage } from '../messages/mail/plain-page';
import { networkOf } from '../platform/network-of';
import type { Language } from '@pool/shared/i18n/languages';
import { isTracing } from '../platform/traces/traces';
import type { RemoteRegistry } from '../remotes/registry';
import { factsOf } from './first-view/facts';
import type { FirstViews } from './first-view/first-views';
import { pageView } from './first-view/page-view';
import type { TextFiles } from './locales';
import { etagOf, formSkeleton, headOf, setCaching } from './page/head';
import { pagePolicy } from './page/policy';
import { PageResolver } from './page/resolve';
import { renderTemplate, type TemplateStore, type Templates } from './templates';

export type PageOptions = {
  templates: TemplateStore;
  registry: RemoteRegistry;
  identity: Identity;
  principals: Principals;
  demo: boolean;
  supportEmail: string;
  withWorker: boolean;
  views: FirstViews;
  calls: InnerCalls;
  texts: TextFiles;
  /** Pages of an account, or of the network of a visitor. */
  perMinute: number;
};

/** Code of the invitation whose form this is (`?ref=CODE`); null without an invitation. */
function invitationOf(query: string | undefined): string | null {
  const params = new URLSearchParams(query);
  return params.has('redirect_url') ? null : params.get('ref');
}

/** Pages whose caller is looked up at a time, so that calls are answered between them; more wait. */
const AT_ONCE = 2;
const WAITING = 500;
/** Lookups of one browser and of one network that run or wait. */
const OF_A_BROWSER = 100;
const OF_A_NETWORK = 300;

const sharesOf = (request: FastifyRequest): Share[] => [
  [`network ${networkOf(request.ip)}`, OF_A_NETWORK],
  [`browser ${clientSecret(request) ?? networkOf(request.ip)}`, OF_A_BROWSER],
];

/** A page that asks for itself again, as an error of a moment needs nobody to do anything. */
const waitingPage = (language: Language, seconds: number) => ({
  title: plain.say(language, 'link.wait.title'),
  text: plain.say(language, 'link.wait.text', { seconds: String(seconds) }),
  againAfter: seconds,
});

/** The browser loads what the start of a page names while its view is made. */
async function* inParts(start: string, rest: Promise<string>): AsyncGenerator<string> {
  yield start;
  yield await rest;
}

const NOT_BUILT =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mining Pool</title></head>' +
  '<body><h1>The pages are not built yet</h1>' +
  '<p>Run <code>npm run build</code>; this page works as soon as it is done.</p></body></html>';

export function pages(app: ZodApp, options: PageOptions): void {
  const { templates, registry, identity, principals, demo, supportEmail, withWorker, perMinute } = options;
  const { views, calls, texts } = options;
  const lookups = new Semaphore({ atOnce: AT_ONCE, waiting: WAITING });
  const resolver = new PageResolver(identity.config);
  const { afterSignInUrl } = identity.config;

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    me: Principal | null,
    built: Templates,
    path: string,
  ): Promise<FastifyReply> => {
    const page = resolver.resolve(request, path, await registry.listFor(me), me);
    const { remotes, remote, form } = page;
    const nonce = randomBytes(16).toString('base64');
    const config: PublicConfig = {
      identity: identity.config,
      userId: me?.identityId ?? null,
      remotes,
      viewedUser: page.viewedUser,
      nonce,
      demo,
      traces: isTracing() || undefined,
      supportEmail,
      noWorker: withWorker ? undefined : true,
    };
    // Visitors of a watcher link get no tokens for other servers, so their page asks none.
    const connect = path === '/' || page.isWatch ? [] : await registry.originsFor(me, remotes);
    const head = headOf(page, me, { afterSignInUrl, identityPreloads: identity.preloads(path) });
    const facts = factsOf(request.cookies[FACTS_COOKIE]);
    const view =
      me && facts && remote && page.hasView
        ? pageView(calls, texts, views, { request, remote, remotes, me, facts, nonce }).catch((error: unknown) => {
            request.log.error({ err: error }, 'a page is sent without its first view');
            return null;
          })
        : null;
    const etag = view ? null : etagOf([built.builtAt, path === '/', head, connect, { ...config, nonce: '' }]);
    giveXsrfCookie(request, reply);
    setCaching(reply, page, me, etag);
    if (etag && !page.isMissing && hasTag(request, etag)) {
      // The browser's cached page has the nonce of its own policy: a new policy would not match.
      reply.removeHeader('content-security-policy');
      return reply.code(304).send();
    }
    const { scriptHashes } = built;
    const https = request.protocol === 'https';
    const template = built.pages[path === '/' ? 'landing' : page.isWatch ? 'watch' : 'app'];
    const remoteOrigins = registry.origins;
    const policy = pagePolicy({ nonce, scriptHashes, identity: identity.config, https, remoteOrigins, connect });
    const { start, rest } = renderTemplate(template, config, head);
    const body = form ? { head: '', body: formSkeleton(form) } : null;
    return reply
      .header('content-security-policy', policy)
      .code(page.isMissing ? 404 : 200)
      .type('text/html; charset=utf-8')
      .send(view ? Readable.from(inParts(start, view.then(rest))) : start + rest(body));
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = '/', query] = request.url.split('?', 2);
    const code = resolver.isForm(path) ? invitationOf(query) : null;
    const wanted = code && (await registry.invitationPage(code));
    if (wanted)
      return reply
        .header('cache-control', 'private, no-store')
        .redirect(`${path}?${new URLSearchParams({ redirect_url: wanted })}`, 302);
    const built = templates.read();
    if (!built) return reply.code(503).header('retry-after', 5).type('text/html; charset=utf-8').send(NOT_BUILT);
    const me = await lookups
      .run(sharesOf(request), async () => principals.of(await identity.page(request, reply)))
      .catch((error: unknown) => {
        throw error instanceof Busy ? problems.tooMany('too_many_requests', 1) : error;
      });
    if (path === '/' && me) return reply.header('cache-control', 'private, no-store').redirect(afterSignInUrl, 302);
    return send(request, reply, me, built, path);
  };

  const errorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const wait = retryOf(error);
    if (!wait || !takesPage(request)) return answerError(error, request, reply);
    const language = languageOfBrowser(request);
    return sendPage(
      reply.header('retry-after', wait.seconds),
      wait.status,
      language,
      waitingPage(language, wait.seconds),
    );
  };
  const limited = { config: { rate: { name: 'pages', perMinute } }, errorHandler };
  app.get('/', limited, answer);
  // Everything else that a browser opens as a page; what it is, the shell's own router says.
  app.get('/*', limited, async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (!takesPage(request) || /^\/(api|assets|remotes|locales|vendor|__clerk)(\/|$)/.test(path))
      return sendProblem(reply, problems.notFound());
    return answer(request, reply);
  });
}
