import { useTranslation } from '@pool/shared/i18n';
import styles from './outlet-skeleton.module.css';

/** The shape of a page while its code comes. */
export function OutletSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={styles.page} role="status" aria-label={t('shell.loading')} data-skeleton="">
      <div className={styles.title} />
      <div className={styles.tall} />
      <div className={styles.pair}>
        <div className={styles.panel} />
        <div className={styles.panel} />
      </div>
    </div>
  );
}
