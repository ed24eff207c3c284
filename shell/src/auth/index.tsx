/** The only place that knows Clerk. Everything heavy (Clerk, its forms, the sign-in pages) is in chunks of its own. */
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from '@pool/shared/i18n';

export { AuthProvider, useAuthState, type AuthState } from './auth-provider';
export type { AuthStatus } from './auth-store';

const FormPage = lazy(() => import('./form-page'));
const ProfileForm = lazy(async () => ({ default: (await import('./clerk-form')).ClerkForm }));

function Waiting({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return <Suspense fallback={<main aria-label={t('shell.loading')} />}>{children}</Suspense>;
}

/** `/sign-in/*` */
export const SignInPage = () => <Waiting><FormPage form="sign-in" /></Waiting>;
/** `/sign-up/*` */
export const SignUpPage = () => <Waiting><FormPage form="sign-up" /></Waiting>;
/** Names, password and sessions, in Clerk's own form; for pages below `/account`. */
export const UserProfile = () => <Suspense fallback={null}><ProfileForm form="user-profile" /></Suspense>;
