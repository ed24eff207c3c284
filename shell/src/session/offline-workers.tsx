import type { AlgorithmName, ApiClient } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import styles from './offline-workers.module.css';

/** Workers that stopped, beside the link to them: the same query as the dashboard's, so it is one request. */
export function OfflineWorkers({
  api,
  account,
  algorithm,
}: {
  api: ApiClient;
  account: string;
  algorithm: AlgorithmName;
}) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['workers', 'count', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /getWorkerCount/', { query: { subAccountName: account, algorithm }, signal }),
  });
  if (!data?.offline) return null;
  return (
    <span className={styles.badge} title={t('nav.offlineWorkers', { count: data.offline })}>
      <svg width="9" height="9" viewBox="0 0 10 10" aria-hidden>
        <path d="m1.500 1.500 7 7m0-7-7 7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      <span className={styles.count} aria-label={t('nav.offlineWorkers', { count: data.offline })}>
        {data.offline}
      </span>
    </span>
  );
}
