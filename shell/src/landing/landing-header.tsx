import { LANGUAGE_NAMES, LANGUAGES, useTranslation } from '@pool/shared/i18n';
import { Mark } from '../layout/mark';
import styles from './landing.module.css';

export function LandingHeader({ signInUrl, signUpUrl }: { signInUrl: string; signUpUrl: string }) {
  const { t, i18n } = useTranslation();
  return (
    <header className={styles.header}>
      <a href="/" className={styles.brand} aria-label="Mining Pool">
        <Mark /> <span className={styles.name}>Mining Pool</span>
      </a>
      <nav className={styles.links} aria-label={t('nav.main')}>
        <select
          className={styles.language}
          aria-label={t('language.choose')}
          value={i18n.resolvedLanguage}
          onChange={(event) => void i18n.changeLanguage(event.target.value)}
        >
          {LANGUAGES.map((code) => (
            <option key={code} value={code} lang={code}>
              {LANGUAGE_NAMES[code]}
            </option>
          ))}
        </select>
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
