/** What the server adds to a page: its head, a form's skeleton, headers for caches. */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { RemoteManifest } from '@pool/shared/contract';
import { FORM_TEXTS, type FormName } from '@pool/shared/form-texts';
import { ID_START, KEEP_HEADER, type PageStart } from '@pool/shared/page-start';
import { isPublicPage } from '@pool/shared/public-pages';
import type { Principal } from '../../http/auth/principal';
import { prefetchCallsOf } from '../first-view/page-view';
import { attribute, jsonScript } from '../html';
import type { Resolved } from './resolve';

/** Preloads in the way of the later requests, or files come twice: the entry with crossorigin, own chunks without. */
function preloads({ entry, preload, files }: RemoteManifest): string[] {
  const link = (url: string, crossOrigin: boolean): string => {
    const hash = files?.[url];
    const as = url.endsWith('.css') ? 'style' : 'script';
    const integrity = hash ? ` integrity="${hash}"` : '';
    return `<link rel="preload" as="${as}" href="${attribute(url)}"${integrity}${crossOrigin ? ' crossorigin' : ''}>`;
  };
  return [link(entry, true), ...preload.map((url) => link(url, !url.startsWith('/')))];
}

/** What the skeleton looks like (shell/src/skeleton/shell.css): `public` pages have no navigation beside them. */
function shapeOf({ form, isWatch, isVisitor, path, remote }: Resolved): PageStart['shape'] {
  if (form) return 'form';
  return isWatch || (isVisitor && isPublicPage(path)) ? 'public' : remote?.shape;
}

function startOf(page: Resolved, me: Principal | null, home: string): PageStart {
  const { path, remote, isViewed, isSaved } = page;
  if (path === '/') return { home };
  const prefetch = remote && me && !isViewed ? prefetchCallsOf(remote, me, path) : undefined;
  return { shape: shapeOf(page), prefetch, isSaved: isSaved || undefined };
}

type Options = { afterSignInUrl: string; identityPreloads: string[] };

export function headOf(page: Resolved, me: Principal | null, options: Options): string {
  const start = jsonScript(ID_START, JSON.stringify(startOf(page, me, options.afterSignInUrl)));
  if (page.path === '/') return start;
  return [
    ...(isPublicPage(page.path) ? [] : ['<meta name="robots" content="noindex">']),
    start,
    ...(page.remote ? preloads(page.remote) : []),
    ...options.identityPreloads,
  ].join('\n    ');
}

/** How a form's page begins, in all languages; shell/src/skeleton/shell.css shows the browser's. */
export const formSkeleton = (form: FormName): string => {
  const starts = Object.entries(FORM_TEXTS[form]).map(
    ([language, { title, subtitle }]) => `<p lang="${language}"><b>${title}</b>${subtitle}</p>`,
  );
  return `<div class="sk-form${form === 'sign-up' ? ' sk-tall' : ''}">${starts.join('')}<i></i><i></i></div>`;
};

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
