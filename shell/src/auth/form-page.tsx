import { Navigate, useLocation } from '@pool/shared/router';
import { useTranslation } from '@pool/shared/i18n';
import { FORM_TEXTS, type FormName } from '@pool/shared/form-texts';
import { PRIVACY_PATH, TERMS_PATH } from '@pool/shared/public-pages';
import { INVITATION_PATH } from '@pool/shared/shell-pages';
import { useQuery } from '@pool/shared/query';
import { Suspense, useEffect } from 'react';
import { readConfig } from '../config';
import { Brand } from '../layout/brand';
import { Copyright } from '../layout/copyright';
import { LanguageSwitch } from '../layout/bar/language-switch';
import { takenInvitation } from '../pages/invitation/secret';
import { publicApi } from '../public/api';
import { roleKey } from '../session/role-name';
import { useAuthContext, useAuthState } from './auth-provider';
import { ClerkForm } from './clerk-form';
import { formLanguage } from './forms/clerk-texts';
import styles from './form-page.module.css';
import { LiveProof } from './live-proof';
import { invitationOf, keepOperatorCode, operatorCodeOf, safeRedirect, wantedAfter } from './redirect';

/** A page of the sign-in service. */
const RECOVERY_PATH = '/account-recovery';

/** Who invites whom as what, in the language of the page: the form has only two. */
function Invitation({ token }: { token: string }) {
  const { t } = useTranslation(['auth', 'roles'], { useSuspense: true });
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => publicApi('POST /organization/invitation', { body: { token }, signal }),
  });
  if (!data && !error) return null;
  return (
    <p className={styles.invitation}>
      {data
        ? t('auth.organization', { organization: data.organization, role: t(roleKey(data)) })
        : t('auth.organizationGone')}
    </p>
  );
}

/** Sign-in and sign-up: Clerk's form beside live figures of the pool. */
export default function FormPage({ form }: { form: FormName }) {
  // The texts of this page come with it.
  const { t, i18n } = useTranslation('auth', { useSuspense: true });
  const language = formLanguage(i18n.resolvedLanguage);
  const start = FORM_TEXTS[form][language];
  const { config } = useAuthContext();
  const { state } = useAuthState();
  const { pathname, search } = useLocation();
  // Further steps have other titles.
  const isStart = pathname === (form === 'sign-in' ? config.signInUrl : config.signUpUrl);
  const isSecondStep = config.sendsMail && pathname === `${config.signInUrl}/factor-two`;
  const title = t(`auth.title.${form}`);
  const code = invitationOf(search);
  const token = wantedAfter(search)?.startsWith(INVITATION_PATH) && takenInvitation();
  const operator = operatorCodeOf(search);
  useEffect(() => {
    document.title = `${title} · Mining Pool`;
  }, [title]);
  useEffect(() => keepOperatorCode(operator), [operator]);

  if (state === 'signed-in' || state === 'signed-in-with-organization') {
    const fallback = form === 'sign-in' ? config.afterSignInUrl : config.afterSignUpUrl;
    return <Navigate to={safeRedirect(wantedAfter(search), fallback, [config.signInUrl, config.signUpUrl])} replace />;
  }
  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <header className={styles.top}>
          <Brand leaves />
          <LanguageSwitch />
        </header>
        <main className={styles.main} aria-label={title}>
          <div className={styles.form}>
            {token && (
              <Suspense>
                <Invitation token={token} />
              </Suspense>
            )}
            {code && <p className={styles.invitation}>{t('auth.invitation', { code })}</p>}
            {form === 'sign-up' && operator && <p className={styles.invitation}>{t('auth.operator')}</p>}
            <div className={styles.place}>
              <p
                className={form === 'sign-up' ? `${styles.ahead} ${styles.tall}` : styles.ahead}
                lang={language}
                dir="ltr"
                aria-hidden
              >
                {isStart && <b>{start.title}</b>}
                {isStart && <span>{start.subtitle}</span>}
              </p>
              <ClerkForm form={form} />
            </div>
            {isSecondStep && (
              <p className={styles.lost}>
                <a href={RECOVERY_PATH}>{t('auth.lostStep')}</a>
              </p>
            )}
          </div>
        </main>
        <footer className={styles.footer}>
          <Copyright />
          <a href={`mailto:${readConfig().supportEmail}`}>{t('footer.support')}</a>
          <a href={TERMS_PATH}>{t('auth.terms')}</a>
          <a href={PRIVACY_PATH}>{t('auth.privacy')}</a>
        </footer>
      </div>
      <LiveProof />
    </div>
  );
}
