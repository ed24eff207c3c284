import { useTranslation } from '@pool/shared/i18n';
import { CALCULATOR_PATH, FAQ_PATH } from '@pool/shared/public-pages';
import { Suspense, useState } from 'react';
import brand from '../layout/brand.module.css';
import { Mark } from '../layout/mark';
import { idlePart } from './idle-part';
import styles from './landing.module.css';

export function LandingHeader({ signInUrl, signUpUrl }: { signInUrl: string; signUpUrl: string }) {
  const { t, i18n } = useTranslation();
  const [LanguageSwitch] = useState(() =>
    idlePart(i18n, async () => (await import('../layout/bar/language-switch')).LanguageSwitch),
  );
  return (
    <header className={styles.header}>
      <a href="/" className={`${brand.brand} ${styles.brand}`} aria-label="Mining Pool">
        <Mark /> <span className={`${brand.name} ${styles.name}`}>Mining Pool</span>
      </a>
      <nav className={styles.links} aria-label={t('nav.main')}>
        <span className={styles.pages}>
          <a href={CALCULATOR_PATH}>{t('public.calculator')}</a>
          <a href={FAQ_PATH}>{t('public.faq')}</a>
        </span>
        <span className={styles.language}>
          <Suspense>
            <LanguageSwitch />
          </Suspense>
        </span>
        <a href={signInUrl} className={styles.quiet}>
          {t('landing.signIn')}
        </a>
        <a href={signUpUrl} className={`${styles.button} ${styles.wideOnly}`}>
          {t('landing.signUp')}
        </a>
      </nav>
    </header>
  );
}
