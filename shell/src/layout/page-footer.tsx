import { useTranslation } from '@pool/shared/i18n';
import { PRIVACY_PATH, TERMS_PATH } from '@pool/shared/public-pages';
import { Copyright } from './copyright';
import styles from './page-footer.module.css';

export function PageFooter({ supportEmail }: { supportEmail: string }) {
  const { t } = useTranslation();
  return (
    <footer className={styles.footer}>
      <Copyright />
      <span className={styles.links}>
        <a href={`mailto:${supportEmail}`}>{t('footer.support')}</a>
        <a href={TERMS_PATH}>{t('footer.terms')}</a>
        <a href={PRIVACY_PATH}>{t('footer.privacy')}</a>
      </span>
    </footer>
  );
}
