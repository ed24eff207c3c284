/**
 * Renders the HTML of every page: the build's template, the caller's remotes and configuration, a policy with a nonce.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { abilityFor, allows, isAdmin } from '@pool/shared/ability';
import { FACTS_COOKIE } from '@pool/shared/first-view/facts';
import { KEEP_HEADER, type PublicConfig } from '@pool/shared/config';
import type { RemoteManifest } from '@pool/shared/contract';
import { hasPage } from '@pool/shared/remote-schema';
import type { FormName } from '@pool/shared/form-texts';
import { isPublicPage, watchBase } from '@pool/shared/public-pages';
import { isShellPage, viewAt } from '@pool/shared/shell-pages';
import { Busy, Turns, type Identity } from '../identity';
import { giveXsrfCookie } from '../http/server/guards';
import type { InnerCalls } from '../http/auth/inner-calls';
import type { Principal, Principals } from '../http/auth/principal';
import { answerError, problemOf } from '../http/server/errors';
import { problems, sendProblem } from '../http/server/problem';
import type { ZodApp } from '../http/server/server';
import { factsOf } from './first-view/facts';
import type { FirstViews } from './first-view/first-views';
import { attribute, prefetchCallsOf, pageView } from './first-view/page-view';
import { formSkeleton } from './form-skeleton';
import { pagePolicy } from './policy';
import type { RemoteRegistry } from './registry';
import { TemplateStore, type Page, type Templates } from './templates';

export type PageOptions = {
  shellFolder: string;
  registry: RemoteRegistry;
  identity: Identity;
  principals: Principals;
  demo: boolean;
  supportEmail: string;
  withWorker: boolean;
  /** Null: pages come without first views. */
  views: FirstViews | null;
  calls: InnerCalls;
  /** Pages a minute for one address. */
  rateLimit: number;
};

const within = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`);

/** What the form of an invitation (`/sign-up?ref=CODE`) leads to: the page that takes the code. Null: it is none. */
function invitedTo(query: string | undefined): string | null {
  const params = new URLSearchParams(query);
  const code = params.get('ref');
  return code && !params.has('redirect_url') ? `/referral/?${new URLSearchParams({ code })}` : null;
}

/**
 * Preloads as the scripts will be requested, or they are downloaded twice: the entry with crossorigin, chunks without.
 */
function preloads(remote: RemoteManifest | undefined): string {
  if (!remote) return '';
  const link = (url: string, crossOrigin: boolean): string => {
    const hash = remote.files?.[url];
    const as = url.endsWith('.css') ? 'style' : 'script';
    const integrity = hash ? ` integrity="${hash}"` : '';
    return `<link rel="preload" as="${as}" href="${attribute(url)}"${integrity}${crossOrigin ? ' crossorigin' : ''}>`;
  };
  return [link(remote.entry, true), ...remote.preload.map((url) => link(url, false))].join('\n    ');
}

/** The remote's first calls, for the page's own script (shell/src/boot-inline.js). */
function firstCalls(remote: RemoteManifest | undefined, me: Principal | null, path: string): string {
  if (!remote || !me) return '';
  const { calls, defaults } = prefetchCallsOf(remote, me, path);
  const json = (value: unknown): string => attribute(JSON.stringify(value));
  return calls.length ? `<meta name="pool-first" content="${json(calls)}" data-defaults="${json(defaults)}">` : '';
}

/** What a page shows. `viewed`: it is a user's page that an admin looks at; path and remotes are those of the user. */
type Shown = { path: string; remotes: RemoteManifest[]; viewed: boolean; me: Principal | null };

function shownAt(path: string, remotes: RemoteManifest[], me: Principal | null): Shown {
  const view = me && isAdmin(me.ability) ? viewAt(path) : null;
  if (!me || !view) return { path, remotes, viewed: false, me };
  const ability = abilityFor({ ...me.user, readOnly: true, hasBot: me.ability.can('read', 'telegram') });
  return {
    path: path.slice(view.base.length) || '/',
    remotes: remotes.filter(({ requires }) => allows(ability, requires)),
    viewed: true,
    me: { ...me, ability },
  };
}

/** What the first skeleton looks like (shell/src/skeleton/shell.css): `public` pages have no navigation beside them. */
const shapeOf = (shape: string | undefined): string =>
  shape ? `<meta name="pool-shape" content="${attribute(shape)}">` : '';

function render(template: string, config: PublicConfig, head: string, first: string): string {
  // Functions, because `$` is special in a replacement string.
  return template
    .replaceAll('{{nonce}}', () => config.nonce)
    .replace('{{config}}', () => JSON.stringify(config).replaceAll('<', '\\u003c'))
    .replace('<!--pool:view-->', () => first)
    .replace('<!--pool:head-->', () => head);
}

/**
 * Browsers name the page in the request of a font whose rule is in the page itself, whatever its referrer policy. In a
 * file of its own the rule names that file.
 */
const withoutFontRules = (template: string): string =>
  template.replace(/<style [^>]*data-file="([^"]+)">[^<]*<\/style>/, '<link rel="stylesheet" href="$1">');

const NOT_INDEXED = '<meta name="robots" content="noindex">';

/** The page then removes the service worker (shell/src/service-worker/register.ts). */
const NO_WORKER = '<meta name="pool-worker" content="off">';

/** Pages whose caller is looked up at a time, so that calls are answered between them; more wait. */
const AT_ONCE = 2;
const WAITING = 500;
/** Of one address, these included. */
const OF_AN_ADDRESS = 100;

/** A page too many is answered after this time: who loads them without a pause then loads few, and calls are answered. */
const REFUSED_AFTER_MS = 500;
/** Refused pages that wait; more are answered at once. */
const REFUSED_WAITING = 1000;

const wantsHtml = (request: FastifyRequest): boolean => (request.headers.accept ?? '').includes('text/html');

const NOT_BUILT =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mining Pool</title></head>' +
  '<body><h1>The pages are not built yet</h1>' +
  '<p>Run <code>npm run build</code>; this page works as soon as it is done.</p></body></html>';

export function pages(
  app: ZodApp,
  { shellFolder, registry, identity, principals, demo, supportEmail, withWorker, views, calls, rateLimit }: PageOptions,
): void {
  const templates = new TemplateStore(shellFolder);
  const turns = new Turns({ atOnce: AT_ONCE, waiting: WAITING });

  const { signInUrl, signUpUrl, afterSignInUrl, proxyUrl } = identity.config;
  /** Of a caller without a known session: the hosted service is sure only once clerk-js has run. */
  const isSignedOut = ({ cookies }: FastifyRequest): boolean =>
    proxyUrl !== undefined ||
    !Object.entries(cookies).some(([name, value]) => name.startsWith('__client_uat') && value !== '0');
  const isForm = (path: string): boolean => within(path, signInUrl) || within(path, signUpUrl);
  /** The form that a page shows first to who is signed out; one that needs a user leads to the sign-in. */
  const formAt = (path: string): FormName | null => {
    if (path === signUpUrl) return 'sign-up';
    const leads = !isForm(path) && !isPublicPage(path) && watchBase(path) === undefined;
    return path === signInUrl || leads ? 'sign-in' : null;
  };
  const isKnown = ({ path, remotes, viewed, me }: Shown): boolean =>
    path === '/' ||
    (!viewed && isForm(path)) ||
    watchBase(path) !== undefined ||
    (me !== null && isShellPage(path, me.ability)) ||
    remotes.some((remote) => hasPage(remote, path));

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    me: Principal | null,
    page: Page,
    built: Templates,
    path: string,
  ): Promise<FastifyReply> => {
    const shown = shownAt(path, await registry.listFor(me), me);
    const { remotes } = shown;
    const nonce = randomBytes(16).toString('base64');
    const config: PublicConfig = {
      identity: identity.config,
      userId: me?.identityId ?? null,
      remotes,
      nonce,
      demo,
      supportEmail,
    };
    const remote = remotes.find(({ basePath }) => within(shown.path, basePath));
    const isVisitor = !me && isSignedOut(request);
    const form = page === 'app' && isVisitor ? formAt(path) : null;
    const isFramed = watchBase(path) !== undefined || (isVisitor && isPublicPage(path));
    const head =
      page === 'app'
        ? [
            isPublicPage(path) ? '' : NOT_INDEXED,
            withWorker ? '' : NO_WORKER,
            shapeOf(form ? 'form' : isFramed ? 'public' : remote?.shape),
            shown.viewed ? '' : firstCalls(remote, me, path),
            preloads(remote),
            ...identity.preloads(path),
          ]
            .filter(Boolean)
            .join('\n    ')
        : `<meta name="pool-home" content="${attribute(afterSignInUrl)}">`;
    const facts = factsOf(request.cookies[FACTS_COOKIE]);
    const view =
      page === 'app' &&
      request.method === 'GET' &&
      views &&
      me &&
      facts &&
      remote &&
      !shown.viewed &&
      hasPage(remote, shown.path)
        ? await pageView(app, calls, views, { request, remote, me, facts, nonce })
        : null;
    // The tag leaves the nonce out: it is no change of the page.
    const etag = `"${createHash('sha256')
      .update(`${built.builtAt} ${page} ${head} ${JSON.stringify({ ...config, nonce: '' })}`)
      .digest('base64url')
      .slice(0, 22)}"`;
    giveXsrfCookie(request, reply);
    // The address of a watcher link is its key: it goes to nobody else.
    if (watchBase(path)) reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex');
    reply.header('vary', 'Cookie, Accept-Encoding');
    // The user's figures are in no cache but the service worker's, which a sign-out empties.
    if (view) reply.header('cache-control', 'private, no-store');
    else reply.header('cache-control', 'private, no-cache').header('etag', etag);
    // Who sees a page that is not there (or not there for them) gets the same page with the right status.
    const status = isKnown(shown) || (me === null && page === 'app') ? 200 : 404;
    // The user's own pages. Pages of a watcher link, of a viewed user, and the forms must not be cached.
    if (me && status === 200 && !shown.viewed && !watchBase(path) && !isForm(path))
      reply.header(KEEP_HEADER, me.identityId);
    else if (isVisitor) reply.header(KEEP_HEADER, 'none');
    if (!view && status === 200 && request.headers['if-none-match'] === etag) {
      // The browser's cached page has the nonce of its own policy: a new policy would not match.
      reply.removeHeader('content-security-policy');
      return reply.code(304).send();
    }
    const first = view?.body ?? (form ? formSkeleton(form) : '');
    const template = watchBase(path) ? withoutFontRules(built.pages[page]) : built.pages[page];
    reply.header(
      'content-security-policy',
      pagePolicy({
        nonce,
        scriptHashes: built.scriptHashes,
        identity: identity.config,
        https: request.protocol === 'https',
      }),
    );
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .send(render(template, config, view ? `${head}\n    ${view.head}` : head, first));
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = '/', query] = request.url.split('?', 2);
    const wanted = isForm(path) ? invitedTo(query) : null;
    if (wanted)
      return reply
        .header('cache-control', 'private, no-store')
        .redirect(`${path}?${new URLSearchParams({ redirect_url: wanted })}`, 302);
    const built = templates.read();
    if (!built) return reply.code(503).header('retry-after', 5).type('text/html; charset=utf-8').send(NOT_BUILT);
    const me = await turns
      .run([[request.ip, OF_AN_ADDRESS]], async () => principals.of(await identity.page(request, reply)))
      .catch((error: unknown) => {
        throw error instanceof Busy ? problems.tooMany('too_many_requests', 1) : error;
      });
    if (path === '/' && me) return reply.header('cache-control', 'private, no-store').redirect(afterSignInUrl, 302);
    return send(request, reply, me, path === '/' ? 'landing' : 'app', built, path);
  };

  let refused = 0;
  const errorHandler = async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (problemOf(error).status === 429 && refused < REFUSED_WAITING) {
      refused += 1;
      await setTimeout(REFUSED_AFTER_MS);
      refused -= 1;
    }
    return answerError(error, request, reply);
  };
  // One counter for all pages; `allowList`: the API's limit leaves out what is not a call.
  const limited = { onRequest: app.rateLimit({ max: rateLimit, allowList: () => false }), errorHandler };
  app.get('/', limited, answer);
  // Everything else that a browser opens as a page; what it is, the shell's own router says.
  app.get('/*', limited, async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (!wantsHtml(request) || /^\/(api|assets|remotes|locales|vendor|__clerk)(\/|$)/.test(path))
      return sendProblem(reply, problems.notFound());
    return answer(request, reply);
  });
}
