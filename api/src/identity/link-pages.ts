/**
 * The page of a link in a mail: says what it does and asks. Only its button does it: mail scanners follow links. It is
 * made here, without scripts: whoever is shut out of an account may be in a hurry, with any browser.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { directionOf, type Language } from '@pool/shared/i18n/languages';
import { mailTexts } from '../mail';
import { networkOf } from '../network-of';
import { escapeHtml } from '../outbox/texts';
import { languageOfBrowser } from './cookies';
import { IdentityError } from './errors';
import { Limiter } from './limits/limiter';
import { findLink, LINK_PATH } from './links';
import { followLink } from './not-me';
import type { IdentityService } from './service';
import type { PoolAccounts } from './users';

const REQUESTS_A_MINUTE = 30;
const STYLE =
  ':root{color-scheme:light dark;--ink:#14171c;--ink-2:#4d5562;--page:#f5f6f8;--panel:#fff;--line:#e6e9ed;--link:#1b6ad6}' +
  '@media(prefers-color-scheme:dark){:root{--ink:#eceef2;--ink-2:#a4abb8;--page:#0c0d10;--panel:#14161a;--line:#23272e;--link:#6cb2ff}}' +
  'body{margin:0;padding:24px 16px;font:14px/22px Inter,"IBM Plex Sans Arabic",system-ui,sans-serif;color:var(--ink);background:var(--page)}' +
  'header{display:flex;align-items:center;gap:10px;max-width:480px;margin:8vh auto 16px;font-weight:600}' +
  'main{box-sizing:border-box;max-width:480px;margin:auto;padding:24px;background:var(--panel);border:1px solid var(--line);border-radius:8px}' +
  'h1{margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600}p{margin:0 0 16px;color:var(--ink-2)}' +
  'button{height:44px;padding:0 20px;border:0;border-radius:6px;background:#d6342f;color:#fff;font:500 14px/1 inherit;font-family:inherit;cursor:pointer}' +
  'button:hover{background:#c92d28}a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}';
const POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const MARK =
  '<svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true"><rect width="28" height="28" rx="6" fill="#ED4540"/>' +
  '<path d="M7.5 19.5v-9l6.5 5.5 6.5-5.5v9" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>';

type Page = {
  title: string;
  text: string;
  button?: { words: string; token: string };
  link?: { words: string; to: string };
};

function documentOf(language: Language, { title, text, button, link }: Page): string {
  const form = button
    ? `<form method="post" action="${LINK_PATH}"><input type="hidden" name="token" value="${escapeHtml(button.token)}">` +
      `<button>${escapeHtml(button.words)}</button></form>`
    : '';
  const next = link ? `<a href="${escapeHtml(link.to)}">${escapeHtml(link.words)}</a>` : '';
  return (
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">' +
    `<title>${escapeHtml(title)} · Mining Pool</title><style>${STYLE}</style></head><body>` +
    `<header>${MARK}<span>Mining Pool</span></header>` +
    `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${form}${next}</main></body></html>\n`
  );
}

const tokenIn = z.object({ token: z.string().min(1).max(64) }).catch({ token: '' });

export async function linkPages(
  app: FastifyInstance,
  { service, pool, signInUrl }: { service: IdentityService; pool: PoolAccounts; signInUrl: string },
): Promise<void> {
  const byAddress = new Limiter(REQUESTS_A_MINUTE);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'content-security-policy': POLICY });
  });
  const say = (request: FastifyRequest, key: string): string =>
    mailTexts.say(languageOfBrowser(request), `link.${key}`);
  const send = (request: FastifyRequest, reply: FastifyReply, status: number, page: Page): FastifyReply =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .send(documentOf(languageOfBrowser(request), page));
  const sayOf = (request: FastifyRequest, key: string): Page => ({
    title: say(request, `${key}.title`),
    text: say(request, `${key}.text`),
    link: { words: say(request, 'sign_in'), to: signInUrl },
  });
  const limited = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const wait = byAddress.take(networkOf(request.ip));
    if (wait) send(request, reply.header('retry-after', wait), 429, sayOf(request, 'busy'));
    return wait > 0;
  };
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error instanceof IdentityError ? error.status : (error.statusCode ?? 500);
    if (status >= 500) request.log.error({ err: error }, 'the page of a mailed link failed');
    return send(request, reply, status, sayOf(request, 'busy'));
  });

  app.get(LINK_PATH, async (request, reply) => {
    if (limited(request, reply)) return reply;
    const { token } = tokenIn.parse(request.query);
    const link = await findLink(service.db, token);
    if (!link) return send(request, reply, 404, sayOf(request, 'invalid'));
    const { title, text } = sayOf(request, link.kind);
    return send(request, reply, 200, { title, text, button: { words: say(request, `${link.kind}.button`), token } });
  });
  app.post(LINK_PATH, async (request, reply) => {
    if (limited(request, reply)) return reply;
    const done = await followLink(service, pool, tokenIn.parse(request.body).token, request.ip);
    return done
      ? send(request, reply, 200, sayOf(request, `${done}.done`))
      : send(request, reply, 404, sayOf(request, 'invalid'));
  });
}
