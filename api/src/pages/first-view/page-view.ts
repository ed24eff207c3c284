/** What a page holds before its scripts have loaded: the view of its remote, and the answers it was made from. */
import type { FastifyError, FastifyRequest } from 'fastify';
import { type BrowserFacts, FACTS_ZONE, ID_VIEW, ID_VIEW_END, type PrefetchCalls } from '@pool/shared/page-start';
import { pagesOf } from '@pool/shared/ability';
import type { RemoteManifest } from '@pool/shared/contract';
import { DEFAULT_ALGORITHM } from '@pool/shared/domain';
import { isFirstPage, prefetchUrls } from '@pool/shared/prefetch-calls';
import type { AnsweredQuery, Get } from '@pool/shared/first-view';
import { selectedZone } from '@pool/shared/selection';
import type { InnerCalls } from '../../http/auth/inner-calls';
import { homeOf, type Principal } from '../../http/auth/principal';
import { problemOf } from '../../http/server/errors';
import { jsonScript } from '../html';
import type { PageView } from '../templates';
import type { FirstViews } from './first-views';

const DAY_MS = 86_400_000;

/** URLs of a remote's `viewCalls` with today's days; none where the query chooses more than the account. */
export function viewUrls(
  { viewCalls = [] }: Pick<RemoteManifest, 'viewCalls'>,
  search: string,
  defaults: Partial<Record<string, string>>,
): string[] {
  const chooses = [...new URLSearchParams(search).keys()].some((name) => name !== 'account' && name !== 'algorithm');
  const dayBefore = (_: string, days: string): string =>
    new Date(Date.now() - Number(days) * DAY_MS).toISOString().slice(0, 10);
  const calls = chooses ? [] : viewCalls.map((url) => url.replace(/\{day-(\d+)\}/g, dayBefore));
  return prefetchUrls(calls, search, defaults);
}

/** Longer answers are asked for by the page, while its scripts load. */
const MAX_ANSWER = 64 * 1024;
/** A view that would take more of the renderer's time is without that part. */
const MAX_IN_VIEW = 1024 * 1024;
/** What every signed-in page asks for, and most of them with a currency; the view also its texts. */
const ofEveryPage = ({ currency, language }: BrowserFacts): string[] => [
  `/locales/${language}.json`,
  '/api/getUserInfo/',
  '/api/subAccounts/',
  ...(currency === 'none' ? [] : ['/api/homePrice/']),
];

type Options = {
  request: FastifyRequest;
  remote: RemoteManifest;
  remotes: readonly RemoteManifest[];
  me: Principal;
  facts: BrowserFacts;
  nonce: string;
};

/** Pages of legacy users make other calls. */
const makesFirstCalls = ({ basePath }: RemoteManifest, { user }: Principal, path: string): boolean =>
  !user.isLegacyUser && isFirstPage(basePath, path);

/** The first calls of the page at `path`, and what stands in them where its query says nothing. */
export function prefetchCallsOf(remote: RemoteManifest, me: Principal, path: string): PrefetchCalls {
  const calls = makesFirstCalls(remote, me, path) ? (remote.prefetchCalls ?? []) : [];
  return { calls, defaults: { account: homeOf(me), algorithm: DEFAULT_ALGORITHM } };
}

/** A file of texts as the caller gets it; null: there is no such file. */
type Texts = (file: string, me: Principal) => Promise<{ plain: Buffer } | null>;

const noAnswer = (status: number) => ({ status, type: 'text/plain', body: '' });
const json = (body: string) => ({ status: 200, type: 'application/json', body });

/** Asks the API as the page's user, and for texts; nothing else is there. Each is asked for once. */
function asCaller(calls: InnerCalls, texts: Texts, { request, me }: Pick<Options, 'request' | 'me'>) {
  const asked = new Map<string, ReturnType<Get>>();
  const answers = new Map<string, string>();
  const ofApi: Get = async (url) => {
    const answer = calls(me, url, request);
    if (!answer) return noAnswer(404);
    try {
      const { body, kept } = await answer;
      if (kept && body.length <= MAX_ANSWER) answers.set(url, body);
      return json(body);
    } catch (error) {
      const { status } = problemOf(error as FastifyError);
      if (status >= 500) request.log.error({ err: error, url }, 'a call of a first view failed');
      return noAnswer(status);
    }
  };
  const ofTexts = async (file: string): ReturnType<Get> => {
    const found = await texts(file, me);
    return found ? json(found.plain.toString()) : noAnswer(404);
  };
  const ask: Get = async (url) => {
    const [, file] = /^\/locales\/([^/]+)$/.exec(url) ?? [];
    const answer = await (file === undefined ? ofApi(url) : ofTexts(file));
    return answer.body.length > MAX_IN_VIEW ? noAnswer(413) : answer;
  };
  const get: Get = (url) => {
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

/** A query of `SentView` as JSON; none without the text of its answer. */
function sentQuery([queryKey, url, isPaged]: AnsweredQuery, answer: string | undefined): string[] {
  if (answer === undefined) return [];
  const data = isPaged ? `{"pages":[${answer}],"pageParams":[null]}` : answer;
  return [`{"queryKey":${JSON.stringify(queryKey)},"url":${JSON.stringify(url)},"data":${data}}`];
}

export async function pageView(
  calls: InnerCalls,
  texts: Texts,
  views: FirstViews,
  { request, remote, remotes, me, facts, nonce }: Options,
): Promise<PageView | null> {
  const { pathname, search } = new URL(request.url, 'http://pool');
  if (selectedZone(search, FACTS_ZONE) !== FACTS_ZONE) return null;
  const { get, answers } = asCaller(calls, texts, { request, me });
  const { calls: first, defaults } = prefetchCallsOf(remote, me, pathname);
  const view = await views.render(
    remote,
    {
      basePath: remote.basePath,
      subjects: remote.subjects,
      pages: pagesOf(remotes, me.ability),
      pathname,
      search,
      userId: me.identityId,
      facts,
    },
    {
      get,
      first: [
        ...ofEveryPage(facts),
        ...prefetchUrls(first, search, defaults),
        ...(makesFirstCalls(remote, me, pathname) ? viewUrls(remote, search, defaults) : []),
      ],
      isGone: () => request.raw.socket?.destroyed,
    },
  );
  if (!view) return null;
  const { language, direction, mode, width, plot } = facts;
  const queries = view.queries.flatMap((query) => sentQuery(query, answers.get(query[1])));
  // The same addresses have an organization's answers for its members.
  const parts = { facts: { language, direction, mode, width, plot }, isKept: !me.member };
  return {
    head: [
      // No frame has the skeleton alone.
      `<link rel="expect" href="#${ID_VIEW_END}" blocking="render">`,
      jsonScript(ID_VIEW, `${JSON.stringify(parts).slice(0, -1)},"queries":[${queries.join()}]}`),
    ].join('\n    '),
    body:
      `<div class="sk-view" inert data-bones="${view.html.split('data-bone=').length - 1}"${readyIn(view.html)}>` +
      `<template shadowrootmode="closed"><style nonce="${nonce}">${view.css}</style>${view.html}</template></div><i id="${ID_VIEW_END}" hidden></i>`,
  };
}
