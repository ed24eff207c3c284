import { useTranslation } from '@pool/shared/i18n';
import { PRIVACY_PATH, TERMS_PATH } from '@pool/shared/public-pages';
import { Copyright } from './copyright';
import styles from './page-footer.module.css';

export function PageFooter({ supportEmail }: { supportEmail: string }) {
  const { t } = useTranslation();
  // The short words are for a footer that stays on the screen of a phone.
  const both = (long: string, short: string) => (
    <>
      <span className={styles.long}>{long}</span>
      <span className={styles.short}>{short}</span>
    </>
  );
  return (
    <footer className={styles.footer}>
      <Copyright />
      <span className={styles.links}>
        <a href={`mailto:${supportEmail}`}>{t('footer.support')}</a>
        <a href={TERMS_PATH}>{both(t('footer.terms'), t('footer.termsShort'))}</a>
        <a href={PRIVACY_PATH}>{both(t('footer.privacy'), t('footer.privacyShort'))}</a>
      </span>
    </footer>
  );
}
