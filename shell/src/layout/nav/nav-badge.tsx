import type { NavCount, NavEntry } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useWorkerCount } from '@pool/shared/remote';
import styles from './nav-badge.module.css';

const useOfflineWorkers = () => useWorkerCount().data?.offline;

/** The counts that a remote may show beside its link (NAV_COUNTS in shared/src/remote-schema.ts). */
const COUNTS: Record<NavCount, () => number | undefined> = { 'offline-workers': useOfflineWorkers };

/** Renders nothing while the count is zero or unknown. */
export function NavBadge({ count, label, color = 'error' }: NonNullable<NavEntry['badge']>) {
  const { t } = useTranslation();
  const useCount = COUNTS[count];
  const number = useCount();
  if (!number) return null;
  const words = t(label, { count: number });
  return (
    <span className={styles.badge} title={words}>
      <svg className={styles[color]} width="9" height="9" viewBox="0 0 10 10" aria-hidden>
        <path d="m1.500 1.500 7 7m0-7-7 7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      <span className={styles.count} aria-label={words}>
        {number}
      </span>
    </span>
  );
}
