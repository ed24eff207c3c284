/**
 * A remote's first view, rendered by the server before the page's scripts have loaded: by the same components, from the
 * same calls. A remote that wants one has `src/first-view.ts`:
 *
 *   export const render = defineFirstView(AppRoutes);
 *
 * The build makes one script of it, which the server runs without files and network (api/src/pages/first-view).
 */
import '../ui/base.css';
import './first-view.css';
import type { Query, QueryObserverOptions } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createAbility, withSubjects } from '../contract/ability';
import { createApiClient, urlOf, type Answer, type ApiClient, type UrlParts } from '../api/client';
import type { RemoteManifest, RemoteNavigator, RemoteServices } from '../contract';
import { createFixedI18n } from '../i18n/create';
import { selectedAccount, selectedAlgorithm } from '../routes/selection';
import { subAccountsQuery, userInfoQuery } from '../react/queries';
import { createQueryClient, type InfiniteData, type QueryKey } from '../react/query';
import { RemoteRoot } from '../react/remote-root';
import { lookVariables } from '../ui/core/theme/look';
import { Viewport } from '../ui/core/viewport';
import { FACTS_ZONE, type BrowserFacts } from '../page-start/facts';

/** `search`: of the page's address, with its question mark, or empty. */
export type FirstViewRequest = {
  basePath: string;
  pathname: string;
  search: string;
  /** Id at the identity service. */
  userId: string;
  facts: BrowserFacts;
  /** Subjects of the remote's manifest. */
  subjects?: RemoteManifest['subjects'];
  /** Addresses of other remotes' pages. */
  pages?: RemoteServices['pages'];
};

/** A GET of the same origin as the page's user, `/api/…` or `/locales/…`. */
export type Get = (url: string) => Promise<{ status: number; type: string; body: string }>;

/** The key of a query, the URL of the answer that is its data, and whether it is the first page of a list that has pages. */
export type AnsweredQuery = [QueryKey, string, paged?: boolean];
/** `queries`: of the view; the page fills its cache with them. */
export type RenderedView = { html: string; queries: AnsweredQuery[] };
/** `answers`: texts of answers that the server has fetched already, by URL. */
export type RenderFirstView = (
  request: FirstViewRequest,
  get: Get,
  answers?: Readonly<Record<string, string>>,
) => Promise<RenderedView>;

/** Data of one part may decide what another asks for. */
const MAX_PASSES = 4;

/** The view is only looked at. */
const NAVIGATOR: RemoteNavigator = {
  location: { pathname: '/', search: '' },
  createHref: () => '#',
  go() {},
  push() {},
  replace() {},
};

/** Texts without values are looked up once: that takes a tenth of a view's time. */
function remembering(instance: i18n): i18n {
  const found = new Map<string, unknown>();
  type GetT = (...of: unknown[]) => (...args: unknown[]) => unknown;
  const getFixedT = instance.getFixedT.bind(instance) as unknown as GetT;
  const getRemembering = (...of: unknown[]) => {
    const t = getFixedT(...of);
    const remembered: typeof t = (...args) => {
      const [key] = args;
      if (args.length > 1 || typeof key !== 'string') return t(...args);
      if (!found.has(key)) found.set(key, t(key));
      return found.get(key);
    };
    return Object.assign(remembered, t);
  };
  return Object.assign(instance, { getFixedT: getRemembering });
}

export function defineFirstView(App: ComponentType): RenderFirstView {
  return async ({ basePath, pathname, search, userId, facts, subjects, pages = {} }, get, answers = {}) => {
    const urls = new Map<unknown, string>();
    const send = async (url: string) => {
      const { status, type, body } = await get(url);
      const answer = new Response(body, { status, headers: { 'content-type': type } });
      answer.json = async () => {
        const data: unknown = JSON.parse(body);
        urls.set(data, url);
        return data;
      };
      return answer;
    };
    const ask = createApiClient({ getToken: async () => null, fetch: (url) => send(String(url)) });
    /** Answers by the promise that a query gets for them. */
    const known = new WeakMap<Promise<unknown>, unknown>();
    const api: ApiClient = (call, ...options) => {
      const url = urlOf(call, options[0] as UrlParts | undefined);
      const body = answers[url];
      if (body === undefined) return ask(call, ...options);
      const data = JSON.parse(body) as Answer<typeof call>;
      urls.set(data, url);
      const answer = Promise.resolve(data);
      known.set(answer, data);
      return answer;
    };
    const queryClient = createQueryClient();
    const asked = new WeakMap<Query, Promise<unknown>>();
    // A query whose answer is there has it before the component that made the query is rendered.
    queryClient.getQueryCache().subscribe(({ type, query }) => {
      const { queryFn, enabled, initialPageParam } = query.options as QueryObserverOptions & {
        initialPageParam?: unknown;
      };
      if (type !== 'added' || enabled === false || typeof queryFn !== 'function') return;
      const { signal } = new AbortController();
      const context = {
        client: queryClient,
        queryKey: query.queryKey,
        signal,
        meta: undefined,
        pageParam: initialPageParam,
      };
      const answer = Promise.resolve(queryFn(context as never));
      answer.catch(() => undefined);
      asked.set(query, answer);
      const data = known.get(answer);
      if (data === undefined) return;
      query.setData(initialPageParam === undefined ? data : { pages: [data], pageParams: [initialPageParam] });
    });
    const [i18n, { user, isLegacyUser, rules }, { subAccounts }] = await Promise.all([
      createFixedI18n(facts.language, send).then(remembering),
      queryClient.fetchQuery(userInfoQuery(api, userId)),
      queryClient.fetchQuery(subAccountsQuery(api, userId)),
    ]);
    const services: RemoteServices = {
      api,
      queryClient,
      ability: withSubjects(createAbility(rules as Parameters<typeof createAbility>[0]), { subjects }),
      i18n,
      settings: { ...facts, timeZone: FACTS_ZONE },
      session: {
        userId,
        userName: user.userName,
        email: user.email,
        isLegacyUser,
        account: selectedAccount(search, user.userName, subAccounts),
        algorithm: selectedAlgorithm(search),
      },
      pages,
      report: (error) => {
        throw error;
      },
    };
    const { direction, language, mode } = facts;
    const view = (
      <Viewport value={facts}>
        <div className="first-view" data-mode={mode} dir={direction} lang={language} style={lookVariables(mode, facts)}>
          <RemoteRoot
            App={App}
            basePath={basePath}
            location={{ pathname, search, hash: '', state: null, key: 'first' }}
            navigator={NAVIGATOR}
            services={services}
          />
        </div>
      </Viewport>
    );
    // A pass finds out what the view asks for besides; what fails is asked for again by the page.
    let html = '';
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      // Marks for a hydration are left out: they would count as children in the styles.
      html = renderToStaticMarkup(view);
      const wanted = queryClient
        .getQueryCache()
        .getAll()
        .filter((query) => query.state.status === 'pending' && asked.has(query));
      if (wanted.length === 0) break;
      await Promise.all(
        wanted.map((query) => {
          const answer = asked.get(query);
          asked.delete(query);
          return query.fetch({ ...query.options, queryFn: () => answer, retry: false }).catch(() => query.reset());
        }),
      );
    }
    const queries = queryClient
      .getQueryCache()
      .getAll()
      .flatMap(({ queryKey, state: { data } }): AnsweredQuery[] => {
        const url = urls.get(data);
        if (url !== undefined) return [[queryKey, url]];
        const { pages, pageParams } = (data ?? {}) as Partial<InfiniteData<unknown>>;
        const first = pages?.length === 1 && pageParams?.[0] === null ? urls.get(pages[0]) : undefined;
        return first === undefined ? [] : [[queryKey, first, true]];
      });
    return { html, queries };
  };
}
