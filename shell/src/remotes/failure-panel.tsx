import { Button, RefreshCw, TriangleAlert } from '@pool/shared/ui/core';
import { useTranslation } from '@pool/shared/i18n';
import type { RemoteFailure } from './federation';
import styles from './failure-panel.module.css';

/** Replaces a page that failed. The rest of the shell keeps working. */
export function FailurePanel({ failure, onRetry }: { failure: RemoteFailure; onRetry(): void }) {
  const { t } = useTranslation();
  return (
    <section className={styles.panel} role="alert" data-failure={failure.reason}>
      <TriangleAlert size={20} strokeWidth={1.75} aria-hidden className={styles.icon} />
      <h1 className={styles.title} tabIndex={-1}>
        {t('remote.failed')}
      </h1>
      <p className={styles.text}>{t(`remote.failed.${failure.reason}`, { ...failure.facts })}</p>
      <Button onClick={onRetry} icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden />}>
        {t('remote.retry')}
      </Button>
    </section>
  );
}
