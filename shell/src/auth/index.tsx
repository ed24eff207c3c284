/** The only module that imports Clerk. Everything heavy (Clerk, its forms, the sign-in pages) is in separate chunks. */
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from '@pool/shared/i18n';
import { hasForms, type IdentityConfig } from './auth-provider';

export { AuthProvider, useAuthState, useIdentity } from './auth-provider';
export type { SignedInDevice } from './identity-calls';

const formPage = () => import('./form-page');
const FormPage = lazy(formPage);

/** Prefetches what the forms need while the page is still loading its texts. Called first on every page. */
export function warmUp(config: IdentityConfig): void {
  if (!hasForms(config, location.pathname)) return;
  // A failed download is reported where the chunk is used.
  void Promise.allSettled([formPage(), import('./clerk-runtime')]);
}

function Waiting({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return <Suspense fallback={<main aria-label={t('shell.loading')} />}>{children}</Suspense>;
}

export const SignInPage = () => (
  <Waiting>
    <FormPage form="sign-in" />
  </Waiting>
);
export const SignUpPage = () => (
  <Waiting>
    <FormPage form="sign-up" />
  </Waiting>
);
