import { useTranslation } from '@pool/shared/i18n';
import { useServices } from '@pool/shared/remote';
import { useUpstreams } from '../../api/upstreams';
import styles from './first-run-page.module.css';

/** Whether a miner has connected. A share makes a worker, and this page gives way to the dashboard. */
export function Listening() {
  const { t } = useTranslation();
  const { account, algorithm } = useServices().session;
  const connections = useUpstreams().data?.find((upstream) => upstream.algorithm === algorithm)?.connections ?? 0;
  return (
    <div className={styles.listening}>
      <span className={styles.pulse} aria-hidden="true">
        <i />
      </span>
      <div role="status">
        <strong>{t('dashboard.firstRun.listening', { account })}</strong>
        <p>
          {connections > 0
            ? t('dashboard.firstRun.connected', { count: connections })
            : t('dashboard.firstRun.noConnection')}
        </p>
      </div>
    </div>
  );
}
