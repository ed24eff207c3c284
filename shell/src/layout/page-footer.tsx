import { useTranslation } from '@pool/shared/i18n';
import styles from './page-footer.module.css';

/** Terms and Privacy have no pages yet (specification 2): they are plain text until they have. */
export function PageFooter({ supportEmail }: { supportEmail: string }) {
  const { t } = useTranslation();
  return (
    <footer className={styles.footer}>
      <bdi dir="ltr">© {new Date().getFullYear()} Mining Pool</bdi>
      <span className={styles.links}>
        <a href={`mailto:${supportEmail}`}>{t('footer.support')}</a>
        <a role="link" aria-disabled="true">
          {t('footer.terms')}
        </a>
        <a role="link" aria-disabled="true">
          {t('footer.privacy')}
        </a>
      </span>
    </footer>
  );
}
