import { useTranslation } from '@pool/shared/i18n';
import { useServices } from '@pool/shared/remote';
import styles from './first-run-page.module.css';

/** Whether a miner is connected, and what to check if none is. */
export function Listening({ connections, port }: { connections: number; port: number | undefined }) {
  const { t } = useTranslation();
  const { account } = useServices().session;
  return (
    <div className={styles.listening}>
      <span className={styles.pulse} aria-hidden="true">
        <i />
      </span>
      <div role="status">
        <strong>
          {connections > 0
            ? t('dashboard.firstRun.connected', { count: connections })
            : t('dashboard.firstRun.listening', { account })}
        </strong>
        <p>
          {connections > 0
            ? t('dashboard.firstRun.connectedHelp')
            : `${t('dashboard.firstRun.noConnection')}. ${t('dashboard.firstRun.noConnectionHelp', { port, account })}`}
        </p>
      </div>
    </div>
  );
}
