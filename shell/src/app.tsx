import { createApiClient, type PublicConfig } from '@pool/shared';
import { I18nextProvider, type i18n, useTranslation } from '@pool/shared/i18n';
import { createQueryClient, QueryClientProvider } from '@pool/shared/query';
import { isPublicPage, watchBase } from '@pool/shared/public-pages';
import { INVITATION_PATH, viewAt } from '@pool/shared/shell-pages';
import { lazyPart, isMissingFile } from '@pool/shared/remote';
import { BrowserRouter, Navigate, Route, Routes, useLocation } from '@pool/shared/router';
import { ThemeProvider, useDocumentMode, Button, Message } from '@pool/shared/ui/core';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { AuthProvider, SignInPage, SignUpPage, useAuthState } from './auth';
import { endSession } from './auth/end-session';
import { Boundary } from './boundary';
import { useBrowserFacts } from './first-view/facts';
import { RouteProgress } from './layout/route-progress';
import { traceClicks, withTrace } from './live/traces';
import { OutletSkeleton } from './remotes/outlet-skeleton';
import { report } from './report';
import { notingFetch, persister, withSentQueries } from './service-worker/persister';
import type { SavedPage } from './service-worker/saved-page';
import { askingClient } from './session/recent-sign-in';
import { SignedIn } from './signed-in';
import { SettingsProvider, useSettingsStore } from './settings/settings-context';

const RELOADED_KEY = 'reloaded-after-deploy';

/** After a deploy an open page may ask for files that are gone: one reload fixes that, a second does not. */
function reloadOnce(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_KEY)) return false;
    sessionStorage.setItem(RELOADED_KEY, '1');
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/** What is done about an error of the shell itself. Errors of a remote are caught by its outlet. */
function onError(error: unknown): void {
  if (!isMissingFile(error) || !reloadOnce()) report(error);
}

function Broken() {
  const { t } = useTranslation();
  return (
    <main>
      <Message title={t('shell.broken')} text={t('shell.brokenText')}>
        <Button type="primary" onClick={() => location.reload()}>
          {t('shell.reload')}
        </Button>
      </Message>
    </main>
  );
}

/** Pages that need no sign-in. */
const PublicPages = lazy(() => import(/* webpackChunkName: "public" */ './public/public'));

/** A user's pages as an admin looks at them. */
const ViewAs = lazyPart('view-as', () => import(/* webpackChunkName: "idle" */ './view-as/view-as'));

type AppProps = { config: PublicConfig; i18n: i18n; saved: SavedPage | null };

export function App({ config, i18n: instance, saved }: AppProps) {
  const [queryClient] = useState(() => {
    const empty = createQueryClient({ persister });
    return saved ? saved.withQueries(empty) : withSentQueries(empty);
  });
  useEffect(() => saved?.follow(queryClient), [saved, queryClient]);
  const base = watchBase(location.pathname);
  const view = viewAt(location.pathname);
  return (
    <I18nextProvider i18n={instance}>
      <SettingsProvider>
        <Themed nonce={config.nonce}>
          <Boundary onError={onError} fallback={() => <Broken />}>
            <QueryClientProvider client={queryClient}>
              <BrowserRouter basename={base ?? view?.base}>
                <RouteProgress />
                <Suspense>
                  {base ? (
                    <PublicPages config={config} />
                  ) : (
                    <AuthProvider config={config.identity} nonce={config.nonce} store={saved?.store}>
                      {view ? (
                        <ViewAs config={config} userName={view.userName} />
                      ) : (
                        <Pages config={config} send={saved?.fetch} />
                      )}
                    </AuthProvider>
                  )}
                </Suspense>
              </BrowserRouter>
            </QueryClientProvider>
          </Boundary>
        </Themed>
      </SettingsProvider>
    </I18nextProvider>
  );
}

function Themed({ nonce, children }: { nonce: string; children: ReactNode }) {
  const { settings } = useSettingsStore();
  useDocumentMode(settings.mode, settings);
  useBrowserFacts(settings);
  return (
    <ThemeProvider {...settings} look={settings} nonce={nonce}>
      {children}
    </ThemeProvider>
  );
}

/** `send`: of a saved page. */
function Pages({ config, send = notingFetch }: { config: PublicConfig; send?: SavedPage['fetch'] }) {
  const { state, userId, picture, getToken, signOut } = useAuthState();
  const [api] = useState(() =>
    askingClient(createApiClient({ getToken, fetch: (url, init) => send(String(url), withTrace(init)) })),
  );
  useEffect(() => (config.traces ? traceClicks() : undefined), [config.traces]);
  const { signInUrl, signUpUrl } = config.identity;
  return (
    <Routes>
      <Route path={`${signInUrl}/*`} element={<SignInPage />} />
      <Route path={`${signUpUrl}/*`} element={<SignUpPage />} />
      <Route
        path="*"
        element={
          state === 'loading' ? (
            <main style={{ padding: 24 }}>
              <OutletSkeleton />
            </main>
          ) : userId === null ? (
            <SignedOut config={config} />
          ) : (
            <SignedIn
              api={api}
              config={config}
              userId={userId}
              picture={picture}
              onSignOut={() => void signOut().catch(report)}
            />
          )
        }
      />
    </Routes>
  );
}

/** Redirects to the sign-in, an invitation to the sign-up; the page is opened again after it. */
function SignedOut({ config }: { config: PublicConfig }) {
  const { pathname, search, hash } = useLocation();
  // A visitor's page here is the landing page, a document of its own: an answer from before a sign-out came after it,
  // and marked the browser as signed in until this page had asked. Once: the address that it leads to has a query.
  const isLanding = pathname === '/' && search === '';
  useEffect(() => {
    if (isLanding) endSession('/?visitor');
  }, [isLanding]);
  if (isLanding) return null;
  if (isPublicPage(pathname)) return <PublicPages config={config} />;
  const { signInUrl, signUpUrl } = config.identity;
  const form = pathname === INVITATION_PATH ? signUpUrl : signInUrl;
  return <Navigate to={`${form}?${new URLSearchParams({ redirect_url: pathname + search + hash })}`} replace />;
}
