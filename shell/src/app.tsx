import { createApiClient, earlyFetch, type PublicConfig } from '@pool/shared';
import { I18nextProvider, type i18n } from '@pool/shared/i18n';
import { createQueryClient, QueryClientProvider } from '@pool/shared/query';
import { isPublicPage, watchBase } from '@pool/shared/public-pages';
import { BrowserRouter, Navigate, Route, Routes, useLocation } from '@pool/shared/router';
import { ThemeProvider, useDocumentMode } from '@pool/shared/ui/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { AuthProvider, SignInPage, SignUpPage, useAuthState } from './auth';
import { RouteProgress } from './layout/route-progress';
import { ShellBoundary } from './pages/shell-boundary';
import { OutletSkeleton } from './remotes/outlet-skeleton';
import { report } from './report';
import { SignedIn } from './session/signed-in';
import { SettingsProvider, useSettingsStore } from './settings/settings-context';

/** Pages that need no sign-in. */
const Outside = lazy(() => import(/* webpackChunkName: "outside" */ './outside/outside'));

type AppProps = { config: PublicConfig; i18n: i18n };

export function App({ config, i18n: instance }: AppProps) {
  const [queryClient] = useState(createQueryClient);
  const base = watchBase(location.pathname);
  return (
    <I18nextProvider i18n={instance}>
      <SettingsProvider>
        <Themed nonce={config.nonce}>
          <ShellBoundary>
            <QueryClientProvider client={queryClient}>
              <BrowserRouter basename={base}>
                <RouteProgress />
                <Suspense>
                  {base ? (
                    <Outside config={config} />
                  ) : (
                    <AuthProvider config={config.identity} nonce={config.nonce}>
                      <Pages config={config} />
                    </AuthProvider>
                  )}
                </Suspense>
              </BrowserRouter>
            </QueryClientProvider>
          </ShellBoundary>
        </Themed>
      </SettingsProvider>
    </I18nextProvider>
  );
}

function Themed({ nonce, children }: { nonce: string; children: ReactNode }) {
  const { settings } = useSettingsStore();
  useDocumentMode(settings.mode, settings);
  return (
    <ThemeProvider {...settings} look={settings} nonce={nonce}>
      {children}
    </ThemeProvider>
  );
}

function Pages({ config }: { config: PublicConfig }) {
  const { state, userId, getToken, signOut } = useAuthState();
  const [api] = useState(() => createApiClient({ getToken, fetch: (url, init) => earlyFetch(String(url), init) }));
  const { signInUrl, signUpUrl } = config.identity;
  // Loads a new page, also when the sign-in service did not respond: nothing of this user stays in memory.
  const leave = () =>
    void signOut()
      .catch(report)
      .finally(() => location.assign('/'));
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
            <SignedIn api={api} config={config} userId={userId} onSignOut={leave} />
          )
        }
      />
    </Routes>
  );
}

/** Redirects to the sign-in, where the page needs it; it is opened again after it. */
function SignedOut({ config }: { config: PublicConfig }) {
  const { pathname, search, hash } = useLocation();
  if (isPublicPage(pathname)) return <Outside config={config} />;
  const { signInUrl } = config.identity;
  return <Navigate to={`${signInUrl}?${new URLSearchParams({ redirect_url: pathname + search + hash })}`} replace />;
}
