/** A page that links in mails lead to: one question and a button, without scripts, for any browser. */
import { createHash } from 'node:crypto';
import { directionOf, type Language } from '@pool/shared/i18n/languages';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../outbox/texts';

const STYLE =
  ':root{color-scheme:light dark;--ink:#14171c;--ink-2:#4d5562;--page:#f5f6f8;--panel:#fff;--line:#e6e9ed;--link:#1b6ad6;--bad:#b3261e}' +
  '@media(prefers-color-scheme:dark){:root{--ink:#eceef2;--ink-2:#a4abb8;--page:#0c0d10;--panel:#14161a;--line:#23272e;--link:#6cb2ff;--bad:#ff8a85}}' +
  'body{margin:0;padding:24px 16px;font:0.875rem/1.375rem Inter,"IBM Plex Sans Arabic",system-ui,sans-serif;color:var(--ink);background:var(--page)}' +
  'header{display:flex;align-items:center;gap:10px;max-width:480px;margin:8vh auto 16px;font-weight:600}' +
  'main{box-sizing:border-box;max-width:480px;margin:auto;padding:24px;background:var(--panel);border:1px solid var(--line);border-radius:8px}' +
  'h1{margin:0 0 12px;font-size:1.25rem;line-height:1.75rem;font-weight:600}p{margin:0 0 16px;color:var(--ink-2)}main>p:last-child{margin:0}[role=alert]{color:var(--bad)}' +
  'label{display:block;margin:0 0 16px}input{box-sizing:border-box;display:block;width:100%;height:44px;margin:4px 0 0;padding:0 12px;' +
  'border:1px solid var(--line);border-radius:6px;background:var(--page);color:var(--ink);font:1.25rem/1 ui-monospace,monospace;letter-spacing:4px}' +
  'button{min-height:44px;padding:8px 20px;border:0;border-radius:6px;background:#d6342f;color:#fff;font:inherit;font-weight:500;cursor:pointer}' +
  'button:hover{background:#c92d28}a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}';
const POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const MARK =
  '<svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true"><rect width="28" height="28" rx="6" fill="#ED4540"/>' +
  '<path d="M7.5 19.5v-9l6.5 5.5 6.5-5.5v9" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** The form of a button, posted to the page without `path`. `code`: label of a field; `error`: its fault. */
type Form = { path?: string; words: string; hidden?: Record<string, string>; code?: string; error?: string };
/** `againAfter`: seconds after which the browser asks for the page again. */
export type PlainPage = {
  title: string;
  text: string;
  form?: Form;
  link?: { words: string; to: string };
  againAfter?: number;
};

function formOf({ path, words, hidden, code, error }: Form): string {
  const fields = Object.entries(hidden ?? {}).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  const typed = code
    ? `<label>${escapeHtml(code)}<input name="code" dir="ltr" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>`
    : '';
  const wrong = error ? `<p role="alert">${escapeHtml(error)}</p>` : '';
  return `<form method="post"${path ? ` action="${path}"` : ''}>${fields.join('')}${typed}${wrong}<button>${escapeHtml(words)}</button></form>`;
}

function documentOf(language: Language, { title, text, form, link, againAfter }: PlainPage): string {
  const again = againAfter ? `<meta http-equiv="refresh" content="${againAfter}">` : '';
  const next = link ? `<a href="${escapeHtml(link.to)}">${escapeHtml(link.words)}</a>` : '';
  return (
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">' +
    again +
    `<title>${escapeHtml(title)} · Mining Pool</title><style>${STYLE}</style></head><body>` +
    `<header>${MARK}<span>Mining Pool</span></header>` +
    `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${form ? formOf(form) : ''}${next}</main></body></html>\n`
  );
}

/** Answers with a page, which nobody keeps. */
export const sendPage = (reply: FastifyReply, status: number, language: Language, page: PlainPage): FastifyReply =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'content-security-policy': POLICY })
    .type('text/html; charset=utf-8')
    .send(documentOf(language, page));
