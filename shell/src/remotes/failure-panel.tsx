import { Button, RefreshCw, TriangleAlert, useErrorCode } from '@pool/shared/ui/core';
import { useTranslation } from '@pool/shared/i18n';
import { useOnline, useWhenOnline } from '../live/use-online';
import type { RemoteFailure } from './failure';
import styles from './failure-panel.module.css';

type FailurePanelProps = {
  failure: RemoteFailure;
  /** A Retry has failed: the page itself may be too old. */
  wasTried?: boolean;
  onRetry(): void;
};

/** Panel shown instead of a page that failed. After a network failure the page loads again once the network is back. */
export function FailurePanel({ failure, wasTried, onRetry }: FailurePanelProps) {
  const { t } = useTranslation();
  const online = useOnline();
  const { isOfNetwork } = failure;
  useWhenOnline(onRetry, isOfNetwork);
  const reason = isOfNetwork && !online ? 'offline' : failure.reason;
  // The texts of failures other than those of the network are fetched when one is shown.
  const fetched = useErrorCode(isOfNetwork ? null : reason, failure.facts);
  return (
    <section className={styles.panel} role="alert" data-failure={reason}>
      <TriangleAlert size={20} className={styles.icon} />
      <h1 className={styles.title} tabIndex={-1}>
        {t('remote.failed')}
      </h1>
      <p className={styles.text}>{isOfNetwork ? t(`remote.failed.${reason}`) : fetched}</p>
      <div className={styles.actions}>
        <Button onClick={onRetry} icon={<RefreshCw />}>
          {t('remote.retry')}
        </Button>
        {wasTried && <Button onClick={() => location.reload()}>{t('shell.reload')}</Button>}
      </div>
    </section>
  );
}
