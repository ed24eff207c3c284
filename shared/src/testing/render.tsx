/** Renders pages in tests with the real theme and texts, and a fake API. Only the network is fake. */
import { act, render, type RenderResult } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { abilityFor, withSubjects, type PoolAbility } from '../contract/ability';
import { ApiError, type Answer, type ApiClient, type CallOptions } from '../api/client';
import type { Call } from '../api/contract';
import type { RemoteServices, Session, Settings } from '../contract';
import { createI18n, directionOf, type Language } from '../i18n';
import { createQueryClient } from '../react/query';
import { MemoryRouter, Route, Routes, useLocation } from '../react/router';
import { ServicesProvider } from '../react/remote-root';
import { pagesHere, subjectsAt } from './pages';
import { textsOf } from './texts';

/** Responses by call; a function receives the call's options and may throw a `problem()`. */
export type FakeAnswers = { [C in Call]?: Answer<C> | ((options: CallOptions<C>) => Answer<C> | Promise<Answer<C>>) };
type FakeCall = { call: Call; options: unknown };
export type FakeApi = ApiClient & {
  calls: FakeCall[];
  /** Options of each call so far. */
  sent(call: Call): unknown[];
  /** Bodies of each call so far. */
  bodies(call: Call): unknown[];
  answer: (answers: FakeAnswers) => void;
};

/** The error of a failed call. */
export const problem = (status: number, code: string, detail?: string): ApiError =>
  new ApiError({ type: 'about:blank', title: code, status, code, detail, requestId: 'req-test-1' });

/** An answer that is an error. */
export const refusing =
  (...error: Parameters<typeof problem>) =>
  (): never => {
    throw problem(...error);
  };

/**
 * A fake API with fixed responses. A call without a response fails the test and names the call. `answer()` changes
 * responses later.
 */
export function fakeApi(answers: FakeAnswers = {}): FakeApi {
  let current: Record<string, unknown> = { ...answers };
  const calls: FakeCall[] = [];
  const api = async (call: Call, options: unknown = {}): Promise<unknown> => {
    calls.push({ call, options });
    if (!(call in current)) throw new Error(`the test has no answer for ${call}`);
    const answer = current[call];
    return typeof answer === 'function' ? (answer as (options: unknown) => unknown)(options) : answer;
  };
  const sent = (call: Call) => calls.filter((one) => one.call === call).map(({ options }) => options);
  return Object.assign(api as ApiClient, {
    calls,
    sent,
    bodies: (call: Call) => sent(call).map((options) => (options as { body?: unknown }).body),
    answer: (more: FakeAnswers) => {
      current = { ...current, ...more };
    },
  });
}

export type RenderOptions = {
  api?: FakeApi;
  /** Path of the page, with its query. */
  path?: string;
  /** Route pattern, needed when the page reads route parameters. */
  route?: string;
  role?: 'miner' | 'admin';
  /** An admin looks at the user's pages. */
  readOnly?: boolean;
  /** What the viewer may do, besides what the remote's `subjects` make of that; default: what the role may. */
  ability?: PoolAbility;
  session?: Partial<Session>;
  settings?: Partial<Settings>;
  language?: Language;
};

export type Rendered = RenderResult & { api: FakeApi; services: RemoteServices; user: UserEvent };

/** The address that the page is at. */
export function Address() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

/** A user who types a text at once: each key would be a render of the whole page. Keys in braces stay keys. */
function setupUser(): UserEvent {
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  return Object.assign(Object.create(user) as UserEvent, {
    type: async (field: Element, text: string) => {
      if (/[{[]/.test(text)) return user.type(field, text);
      await user.click(field);
      return user.paste(text);
    },
  });
}

/** Renders a page as in the shell: signed in as `northfield`, English, dark, UTC. */
export async function renderPage(
  page: ReactNode,
  {
    api = fakeApi(),
    path = '/',
    route = '*',
    role = 'miner',
    readOnly,
    ability,
    session,
    settings,
    language = 'en',
  }: RenderOptions = {},
): Promise<Rendered> {
  const i18n = await createI18n({
    language,
    texts: { en: textsOf('en'), [language]: textsOf(language) },
    // Texts of a language that the test changes to: `/locales/fr.json`. jsdom has no Response.
    fetch: (url) =>
      Promise.resolve({
        ok: true,
        status: 200,
        text: () => Promise.resolve(JSON.stringify(textsOf(url.slice(-7, -5)))),
      }),
  });
  // Those of the pages that load later are there already.
  i18n.loadNamespaces = () => Promise.resolve();
  i18n.hasLoadedNamespace = () => true;
  const queryClient = createQueryClient();
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
  const services: RemoteServices = {
    api,
    queryClient,
    i18n,
    ability: withSubjects(
      ability ?? abilityFor({ role, isLegacyUser: session?.isLegacyUser ?? false, readOnly }),
      subjectsAt(path),
    ),
    settings: { mode: 'dark', language, direction: directionOf(language), timeZone: 'utc', ...settings },
    session: {
      userId: '1',
      userName: 'northfield',
      email: 'ops@northfield.example',
      isLegacyUser: false,
      account: 'northfield',
      algorithm: 'SHA256_ASICBOOST',
      ...session,
    },
    pages: pagesHere(),
    report: (error) => {
      throw error;
    },
  };
  const user = setupUser();
  // The address of the tab is the page's.
  history.replaceState(null, '', path);
  let result: RenderResult | undefined;
  await act(async () => {
    result = render(
      <ServicesProvider services={services}>
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path={route} element={page} />
          </Routes>
        </MemoryRouter>
      </ServicesProvider>,
    );
  });
  if (!result) throw new Error('nothing was rendered');
  return { ...result, api, services, user };
}
