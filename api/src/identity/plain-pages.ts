/**
 * Pages of the sign-in service outside of the shell: one question and a button. They have no scripts: whoever is shut
 * out of an account may be in a hurry, with any browser.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { directionOf, type Language } from '@pool/shared/i18n/languages';
import { mailTexts } from '../mail';
import { networkOf } from '../network-of';
import { escapeHtml } from '../outbox/texts';
import { languageOfBrowser } from './cookies';
import { IdentityError } from './errors';
import { Limiter } from './limits/limiter';

const REQUESTS_A_MINUTE = 30;
const STYLE =
  ':root{color-scheme:light dark;--ink:#14171c;--ink-2:#4d5562;--page:#f5f6f8;--panel:#fff;--line:#e6e9ed;--link:#1b6ad6}' +
  '@media(prefers-color-scheme:dark){:root{--ink:#eceef2;--ink-2:#a4abb8;--page:#0c0d10;--panel:#14161a;--line:#23272e;--link:#6cb2ff}}' +
  'body{margin:0;padding:24px 16px;font:14px/22px Inter,"IBM Plex Sans Arabic",system-ui,sans-serif;color:var(--ink);background:var(--page)}' +
  'header{display:flex;align-items:center;gap:10px;max-width:480px;margin:8vh auto 16px;font-weight:600}' +
  'main{box-sizing:border-box;max-width:480px;margin:auto;padding:24px;background:var(--panel);border:1px solid var(--line);border-radius:8px}' +
  'h1{margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600}p{margin:0 0 16px;color:var(--ink-2)}' +
  'label{display:block;margin:0 0 16px}input{box-sizing:border-box;display:block;width:100%;height:44px;margin:4px 0 0;padding:0 12px;' +
  'border:1px solid var(--line);border-radius:6px;background:var(--page);color:var(--ink);font:20px/1 ui-monospace,monospace;letter-spacing:4px}' +
  'button{min-height:44px;padding:8px 20px;border:0;border-radius:6px;background:#d6342f;color:#fff;font:inherit;font-weight:500;cursor:pointer}' +
  'button:hover{background:#c92d28}a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}';
const POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const MARK =
  '<svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true"><rect width="28" height="28" rx="6" fill="#ED4540"/>' +
  '<path d="M7.5 19.5v-9l6.5 5.5 6.5-5.5v9" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** `path` and fields that a button posts; `code`: the label of a field for one, `error`: what is wrong with it. */
type Form = { path: string; words: string; hidden: Record<string, string>; code?: string; error?: string };
type Page = { title: string; text: string; form?: Form; link?: { words: string; to: string } };

function formOf({ path, words, hidden, code, error }: Form): string {
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  const typed = code
    ? `<label>${escapeHtml(code)}<input name="code" dir="ltr" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>`
    : '';
  const wrong = error ? `<p role="alert">${escapeHtml(error)}</p>` : '';
  return `<form method="post" action="${path}">${fields.join('')}${typed}${wrong}<button>${escapeHtml(words)}</button></form>`;
}

function documentOf(language: Language, { title, text, form, link }: Page): string {
  const next = link ? `<a href="${escapeHtml(link.to)}">${escapeHtml(link.words)}</a>` : '';
  return (
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">' +
    `<title>${escapeHtml(title)} · Mining Pool</title><style>${STYLE}</style></head><body>` +
    `<header>${MARK}<span>Mining Pool</span></header>` +
    `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${form ? formOf(form) : ''}${next}</main></body></html>\n`
  );
}

/** A page at one path: `get` and `post` return what it shows. */
export type PageCall = {
  request: FastifyRequest;
  fields: Record<string, string>;
  /** A text of the pages, in the browser's language. */
  say(key: string, values?: Record<string, string>): string;
  /** Title and text of `key`, and the way to the sign-in. */
  page(key: string, values?: Record<string, string>): Page;
};
type Answer = Page | { status: number; page: Page };

/** Registers a page. Its texts are those of mails whose keys begin with `link.`. */
export function plainPage(
  app: FastifyInstance,
  path: string,
  signInUrl: string,
  handlers: Record<'get' | 'post', (call: PageCall) => Promise<Answer>>,
): void {
  const byAddress = new Limiter(REQUESTS_A_MINUTE);
  const callOf = (request: FastifyRequest): PageCall => {
    const say: PageCall['say'] = (key, values) => mailTexts.say(languageOfBrowser(request), `link.${key}`, values);
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
        const wait = byAddress.take(networkOf(request.ip));
        if (wait) return busy(request, reply.header('retry-after', wait), 429);
        return send(request, reply, await handlers[method](callOf(request)));
      });
  });
}
