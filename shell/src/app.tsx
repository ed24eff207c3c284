import type { PublicConfig } from '@pool/shared';
import { I18nextProvider, useTranslation, type i18n } from '@pool/shared/i18n';
import { QueryClientProvider } from '@pool/shared/query';
import { BrowserRouter, Navigate, Route, Routes, useLocation } from '@pool/shared/router';
import { ThemeProvider, useDocumentMode } from '@pool/shared/ui/core';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { AuthProvider, useAuthState } from './auth';
import { ShellBoundary } from './pages/shell-boundary';
import { OutletSkeleton } from './remotes/outlet-skeleton';
import type { Singletons } from './services';
import { SignedIn } from './session/signed-in';
import { SettingsProvider, useSettingsStore } from './settings/settings-context';

const SignInPage = lazy(async () => ({ default: (await import('./auth')).SignInPage }));
const SignUpPage = lazy(async () => ({ default: (await import('./auth')).SignUpPage }));

type AppProps = { config: PublicConfig; singletons: Singletons; i18n: i18n };

export function App({ config, singletons, i18n: instance }: AppProps) {
  return (
    <I18nextProvider i18n={instance}>
      <SettingsProvider>
        <Themed nonce={config.nonce}>
          <ShellBoundary>
            <QueryClientProvider client={singletons.queryClient}>
              <BrowserRouter>
                <AuthProvider config={config.identity}>
                  <Pages config={config} singletons={singletons} />
                </AuthProvider>
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
  useDocumentMode(settings.mode);
  return <ThemeProvider mode={settings.mode} direction={settings.direction} timeZone={settings.timeZone} nonce={nonce}>{children}</ThemeProvider>;
}

function Pages({ config, singletons }: Omit<AppProps, 'i18n'>) {
  const { t } = useTranslation();
  const auth = useAuthState();
  const { state, getToken } = auth;
  useEffect(() => {
    if (state !== 'loading') singletons.tokens.set(state === 'signed-out' ? async () => null : getToken);
  }, [state, getToken, singletons]);

  const signOut = async () => {
    await auth.signOut();
    // A new page: nothing of this user stays in memory.
    location.assign('/');
  };
  return (
    <Suspense fallback={<main aria-label={t('shell.loading')} />}>
      <Routes>
        <Route path={`${config.identity.signInUrl}/*`} element={<SignInPage />} />
        <Route path={`${config.identity.signUpUrl}/*`} element={<SignUpPage />} />
        <Route path="*" element={
          state === 'loading' ? <main style={{ padding: 24 }}><OutletSkeleton /></main>
            : state === 'signed-out' || !auth.userId ? <ToSignIn signInUrl={config.identity.signInUrl} />
              : <SignedIn singletons={singletons} config={config} userId={auth.userId} onSignOut={() => void signOut()} />
        } />
      </Routes>
    </Suspense>
  );
}

/** Keeps the deep link through the sign-in. */
function ToSignIn({ signInUrl }: { signInUrl: string }) {
  const { pathname, search, hash } = useLocation();
  return <Navigate to={`${signInUrl}?${new URLSearchParams({ redirect_url: pathname + search + hash })}`} replace />;
}
