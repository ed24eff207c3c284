/** Clerk, in its own chunk: tells the store of the session and renders its forms into the pages' slots. */
import { ClerkProvider, SignIn, SignUp, useAuth, useClerk, UserProfile, useUser } from '@clerk/clerk-react';
import { ApiError } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQueryClient } from '@pool/shared/query';
import { useNavigate } from '@pool/shared/router';
import { useEffect, useReducer, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { accountPath } from '@pool/shared/shell-pages';
import { appearance, twoStepOnly } from './appearance';
import { hasForms, type IdentityConfig } from './auth-provider';
import type { AuthStore, FormSlot } from './auth-store';
import { useClerkTexts } from './forms/clerk-texts';
import { identityCalls } from './identity-calls';
import { formUrl, safeRedirect, wantedAfter } from './redirect';

type Props = { store: AuthStore; config: IdentityConfig; nonce?: string };

const nonceOfPage = (): string | undefined =>
  document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined;

export default function ClerkRuntime({ store, config, nonce = nonceOfPage() }: Props) {
  const { i18n } = useTranslation();
  const navigate = useNavigate();
  const texts = useClerkTexts(i18n.resolvedLanguage ?? 'en');
  const [whole] = useState(() => hasForms(config, location.pathname));
  // Clerk starts while its provider is rendered: if everything was cached it may be ready before the provider listens.
  const [, renderAgain] = useReducer((times: number) => times + 1, 0);
  if (!texts) return null;
  return (
    <ClerkProvider
      publishableKey={config.publishableKey}
      proxyUrl={config.proxyUrl}
      clerkJSUrl={whole ? config.clerkJsUrl : config.clerkJsHeadlessUrl}
      routerPush={(to) => void navigate(to)}
      routerReplace={(to) => void navigate(to, { replace: true })}
      signInUrl={config.signInUrl}
      signUpUrl={config.signUpUrl}
      signInFallbackRedirectUrl={config.afterSignInUrl}
      signUpFallbackRedirectUrl={config.afterSignUpUrl}
      allowedRedirectOrigins={[location.origin]}
      telemetry={false}
      nonce={nonce}
      localization={texts}
      appearance={appearance}
    >
      <Session store={store} onReady={renderAgain} />
      <Forms store={store} config={config} whole={whole} />
    </ClerkProvider>
  );
}

function Session({ store, onReady }: { store: AuthStore; onReady(): void }) {
  const clerk = useClerk();
  const { isLoaded, userId, orgId, getToken } = useAuth();
  const { user } = useUser();
  const picture = user?.hasImage ? user.imageUrl : null;
  useEffect(() => {
    if (isLoaded)
      store.connect(
        userId,
        orgId,
        {
          getToken: () => getToken(),
          signOut: () => clerk.signOut(() => undefined),
          ...identityCalls(clerk),
        },
        picture,
      );
  }, [store, clerk, isLoaded, userId, orgId, picture, getToken]);
  useEffect(() => {
    const follow = (status: string) => {
      if (status === 'error') store.fail();
      else if (status !== 'loading') onReady();
    };
    clerk.on('status', follow, { notify: true });
    return () => clerk.off('status', follow);
  }, [store, clerk, onReady]);
  useEndedSession();
  return null;
}

/** The pool knows the session no more: Clerk, asked for a token, learns it too and signs all tabs out. */
function useEndedSession(): void {
  const clerk = useClerk();
  const queryClient = useQueryClient();
  useEffect(() => {
    let asked = false;
    return queryClient.getQueryCache().subscribe((event) => {
      if (asked || event.type !== 'updated' || event.action.type !== 'error') return;
      const { error } = event.action;
      if (!(error instanceof ApiError) || error.status !== 401 || !clerk.session) return;
      asked = true;
      void clerk.session
        .getToken({ skipCache: true })
        .catch(() => null)
        .then(() => (asked = false));
    });
  }, [clerk, queryClient]);
}

function Forms({ store, config, whole }: Props & { whole: boolean }) {
  const slot = useSyncExternalStore(store.subscribe, store.getSlot);
  // Clerk was started without forms on another page: load a new page with all of it.
  const reload = slot !== null && !whole && hasForms(config, location.pathname);
  useEffect(() => {
    if (reload) location.reload();
  }, [reload]);
  if (!slot || !whole) return null;
  return createPortal(<Form form={slot.form} config={config} />, slot.element);
}

function Form({ form, config }: { form: FormSlot['form']; config: IdentityConfig }) {
  const { signInUrl, signUpUrl, afterSignInUrl, afterSignUpUrl } = config;
  const wanted = wantedAfter(location.search);
  const after = (fallback: string) => safeRedirect(wanted, fallback, [signInUrl, signUpUrl]);
  switch (form) {
    case 'sign-in':
      return (
        <SignIn
          routing="path"
          path={signInUrl}
          signUpUrl={formUrl(signUpUrl, after(afterSignInUrl), afterSignInUrl)}
          forceRedirectUrl={after(afterSignInUrl)}
          signUpForceRedirectUrl={after(afterSignUpUrl)}
          withSignUp={false}
        />
      );
    case 'sign-up':
      return (
        <SignUp
          routing="path"
          path={signUpUrl}
          signInUrl={formUrl(signInUrl, after(afterSignUpUrl), afterSignUpUrl)}
          forceRedirectUrl={after(afterSignUpUrl)}
          signInForceRedirectUrl={after(afterSignInUrl)}
        />
      );
    case 'security':
      // Its security page comes first: the other cannot be reached.
      return (
        <UserProfile routing="path" path={accountPath('security')} appearance={twoStepOnly}>
          <UserProfile.Page label="security" />
          <UserProfile.Page label="account" />
        </UserProfile>
      );
  }
}
