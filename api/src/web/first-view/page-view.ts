/** What a page holds before its scripts have loaded: the view of its remote, and the answers it was made from. */
import type { FastifyRequest } from 'fastify';
import {
  FACTS_ZONE,
  ID_ANSWERS,
  ID_VIEW_END,
  KEEP_HEADER,
  META_VIEW,
  type BrowserFacts,
  type PrefetchCalls,
} from '@pool/shared/page-start';
import type { RemoteManifest } from '@pool/shared/contract';
import { DEFAULT_ALGORITHM } from '@pool/shared/domain';
import { prefetchUrls, isFirstPage } from '@pool/shared/prefetch-calls';
import type { Get } from '@pool/shared/first-view';
import { selectedZone } from '@pool/shared/selection';
import type { Principal } from '../../http/auth/principal';
import type { ZodApp } from '../../http/server/server';
import { metaTag } from '../html';
import type { FirstViews } from './first-views';

/** Longer answers are asked for by the page, while its scripts load. */
const MAX_ANSWER = 64 * 1024;
/** A view that would take more of the renderer's time is without that part. */
const MAX_IN_VIEW = 1024 * 1024;
/** What every signed-in page asks for. */
const OF_EVERY_PAGE = ['/api/getUserInfo/', '/api/subAccounts/'];

export type PageView = {
  /** For the page's head: what the view was rendered for, and the answers by URL (shell/src/boot-inline.ts). */
  head: string;
  /** For the page's body. The view has a tree of its own, so that its styles and the page's never meet. */
  body: string;
};

/** `token`: of the caller's session. */
type Options = {
  request: FastifyRequest;
  remote: RemoteManifest;
  me: Principal;
  token: string;
  facts: BrowserFacts;
  nonce: string;
};

/** The first calls of the page at `path`, and what stands in them where its query says nothing. */
export function prefetchCallsOf(
  { prefetchCalls = [], basePath }: RemoteManifest,
  { user }: Principal,
  path: string,
): PrefetchCalls {
  const calls = user.isLegacyUser || !isFirstPage(basePath, path) ? [] : prefetchCalls;
  return { calls, defaults: { account: user.userName, algorithm: DEFAULT_ALGORITHM } };
}

const noAnswer = (status: number) => ({ status, type: 'text/plain', body: '' });

/** Asks the API as the caller's browser would. */
function asCaller(app: ZodApp, { request, me, token }: Pick<Options, 'request' | 'me' | 'token'>) {
  const asked = new Map<string, ReturnType<Get>>();
  const answers = new Map<string, string>();
  const ask: Get = async (url) => {
    const { statusCode, headers, payload } = await app.inject({
      method: 'GET',
      url,
      remoteAddress: request.ip,
      headers: { host: request.host, accept: 'application/json', authorization: `Bearer ${token}` },
    });
    const isKept = [me.identityId, '*'].includes(String(headers[KEEP_HEADER]));
    if (statusCode === 200 && isKept && payload.length <= MAX_ANSWER) answers.set(url, payload);
    if (payload.length > MAX_IN_VIEW) return noAnswer(413);
    return { status: statusCode, type: String(headers['content-type']), body: payload };
  };
  const get: Get = (url) => {
    if (!/^\/(api|locales)\//.test(url)) return Promise.resolve(noAnswer(404));
    const answer = asked.get(url) ?? ask(url);
    asked.set(url, answer);
    return answer;
  };
  return { get, answers };
}

/** What the view shows, for who measures the page from outside (`data-ready` in the page's own components). */
function readyIn(html: string): string {
  const shown = [...html.matchAll(/ data-ready="([^"]*)"/g)].flatMap(([, words = '']) => words.split(' '));
  const seen = shown.filter((word) => word === 'figures' || word === 'chart');
  return seen.length > 0 ? ` data-ready="${seen.join(' ')}"` : '';
}

export async function pageView(
  app: ZodApp,
  views: FirstViews,
  { request, remote, me, token, facts, nonce }: Options,
): Promise<PageView | null> {
  const { pathname, search } = new URL(request.url, 'http://pool');
  if (selectedZone(search, FACTS_ZONE) !== FACTS_ZONE) return null;
  const { get, answers } = asCaller(app, { request, me, token });
  const { calls, defaults } = prefetchCallsOf(remote, me, pathname);
  const view = await views.render(
    remote,
    { basePath: remote.basePath, pathname, search, userId: me.identityId, facts },
    {
      get,
      first: [...OF_EVERY_PAGE, ...prefetchUrls(calls, search, defaults)],
      isGone: () => request.raw.socket?.destroyed,
    },
  );
  if (!view) return null;
  const inScript = (json: string): string => json.replaceAll('<', '\\u003c');
  const answered = inScript([...answers].map(([url, body]) => `${JSON.stringify(url)}:${body}`).join());
  const queries = inScript(JSON.stringify(view.queries.filter(([, url]) => answers.has(url))));
  const { language, direction, mode, width, plot } = facts;
  return {
    head: [
      // Without a frame in which only the skeleton is there.
      `<link rel="expect" href="#${ID_VIEW_END}" blocking="render">`,
      metaTag(META_VIEW, JSON.stringify({ language, direction, mode, width, plot })),
      `<script type="application/json" id="${ID_ANSWERS}">{"answers":{${answered}},"queries":${queries}}</script>`,
    ].join('\n    '),
    body:
      `<div class="sk-view" inert data-bones="${view.html.split('data-bone=').length - 1}"${readyIn(view.html)}>` +
      `<template shadowrootmode="closed"><style nonce="${nonce}">${view.css}</style>${view.html}</template></div><i id="${ID_VIEW_END}" hidden></i>`,
  };
}
