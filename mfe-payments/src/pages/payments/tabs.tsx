import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import type { HistoryKind } from '../../api/history';
import styles from './tabs.module.css';

export const TABS = ['earnings', 'payouts'] as const satisfies readonly HistoryKind[];

/** Tabs are links, so that users can share them, open them in a new tab, and go back. */
export function Tabs({ shown, searchOf }: { shown: HistoryKind; searchOf: (tab: HistoryKind) => string }) {
  const { t } = useTranslation();
  return (
    <nav className={styles.tabs} aria-label={t('payments.tabs')}>
      {TABS.map((tab) => (
        <Link
          key={tab}
          to={{ search: searchOf(tab) }}
          className={styles.tab}
          aria-current={tab === shown ? 'page' : undefined}
        >
          {t(`payments.tab.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}
