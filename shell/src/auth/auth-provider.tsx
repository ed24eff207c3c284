import type { PublicConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useLocation } from '@pool/shared/router';
import { accountPath } from '@pool/shared/shell-pages';
import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Boundary } from '../boundary';
import { NoAnswer } from '../pages/no-answer';
import { whenQuiet } from '../session/when-quiet';
import { useWindowEvent } from '../use-window-event';
import { AuthStore, type AuthStatus } from './auth-store';
import { hasSignedInMark } from './early-session';
import type { IdentityCalls } from './identity-calls';
import { storeUser } from './user-storage';

export type IdentityConfig = PublicConfig['identity'];
/** Exported for tests of pages that use it. */
export const AuthContext = createContext<{ store: AuthStore; config: IdentityConfig } | null>(null);

type Runtime = typeof import('./clerk-runtime').default;

/** Loads Clerk's chunk. Not with `lazy`: Clerk starts while rendered, and would be ready before anything listens. */
function useClerk(store: AuthStore, wanted: boolean): { Runtime: Runtime } | null {
  const [clerk, setClerk] = useState<{ Runtime: Runtime } | null>(null);
  useEffect(() => {
    if (!wanted) return;
    import('./clerk-runtime').then(
      (chunk) => setClerk({ Runtime: chunk.default }),
      () => store.fail(),
    );
  }, [store, wanted]);
  return clerk;
}

/** Pages with Clerk's own forms: they need all of clerk-js, the others only its session part. */
export const hasForms = ({ signInUrl, signUpUrl }: IdentityConfig, pathname: string): boolean =>
  [signInUrl, signUpUrl, accountPath('security')].some(
    (path) => pathname === path || pathname.startsWith(`${path.replace(/\/$/, '')}/`),
  );

/** Provides the session. Clerk runs beside the pages: at once where it is needed, else when the page has settled. */
export function AuthProvider({
  config,
  nonce,
  store: given,
  children,
}: {
  config: IdentityConfig;
  nonce?: string;
  /** Store of a saved page. */
  store?: AuthStore;
  children: ReactNode;
}) {
  const [store] = useState(() => given ?? new AuthStore(document.cookie));
  const { pathname } = useLocation();
  const wanted = useSyncExternalStore(store.subscribe, store.isWanted);
  const clerk = useClerk(store, wanted);
  const failed = useSyncExternalStore(store.subscribe, store.hasFailed);
  const { state, userId } = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const signedIn = state !== 'signed-out';
  const forms = hasForms(config, pathname);

  useEffect(() => {
    if (forms) store.want();
    // With a fresh token (valid for a minute) Clerk can wait.
    else if (signedIn) return whenQuiet(store.want);
  }, [store, forms, signedIn]);
  /** Another tab may have changed who is signed in. */
  const look = () => {
    if (signedIn) return store.check(document.cookie);
    if (!hasSignedInMark(document.cookie)) return;
    // Clerk's form asked who is here once: the page asks again, and goes where the form would have led.
    if (forms) location.reload();
    else store.want();
  };
  useWindowEvent('focus', look);
  useWindowEvent('storage', look);
  // The browser had kept the page.
  useWindowEvent('pageshow', look);
  useEffect(() => {
    if (state !== 'loading') storeUser(userId);
  }, [state, userId]);

  return (
    <AuthContext value={{ store, config }}>
      {failed && (state === 'loading' || forms) ? <Unreachable /> : children}
      {clerk && (
        // An error inside Clerk counts as a sign-in service that does not respond; the pages stay.
        <Boundary onError={() => store.fail()} fallback={() => null}>
          <clerk.Runtime store={store} config={config} nonce={nonce} />
        </Boundary>
      )}
    </AuthContext>
  );
}

function Unreachable() {
  const { t } = useTranslation();
  return (
    <main>
      <NoAnswer title={t('auth.noAnswer')} text={t('auth.noAnswerText')} onRetry={() => location.reload()} />
    </main>
  );
}

export function useAuthContext(): { store: AuthStore; config: IdentityConfig } {
  const context = useContext(AuthContext);
  if (!context) throw new Error('useAuthState() needs an AuthProvider above it');
  return context;
}

export type AuthState = {
  state: AuthStatus;
  /** `sub` of the session; null unless signed in. */
  userId: string | null;
  organizationId: string | null;
  /** Address of the user's picture; null: none, or not known yet. */
  picture: string | null;
  /** A token valid for the next seconds; null: signed out. Throws `ApiError` without an answer. */
  getToken(): Promise<string | null>;
  signOut(): Promise<void>;
};

/** The session: loading, signed out, signed in without or with an organization. */
export function useAuthState(): AuthState {
  const { store } = useAuthContext();
  const session = useSyncExternalStore(store.subscribe, store.getSnapshot);
  return { ...session, getToken: store.getToken, signOut: store.signOut };
}

/** What the account pages ask of the sign-in service; the first call fetches Clerk if the page did not need it yet. */
export function useIdentity(): () => Promise<IdentityCalls> {
  return useAuthContext().store.started;
}
