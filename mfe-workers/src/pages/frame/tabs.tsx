import { useTranslation } from '@pool/shared/i18n';
import { useAbility } from '@pool/shared/remote';
import { Link } from '@pool/shared/router';
import { useEffect } from 'react';
import styles from './tabs.module.css';

const PATHS = { list: '', groups: 'groups', pools: 'pools', connection: 'connection' } as const;
export type Tab = keyof typeof PATHS;
const TABS = Object.keys(PATHS) as Tab[];

/** The pages of this remote as tabs: links, so that each can be shared and walked back to. */
export function Tabs({ shown }: { shown: Tab }) {
  const { t } = useTranslation();
  // Whoever may only look at the workers has nothing to do on the other pages.
  const tabs = useAbility().can('read', 'account') ? TABS : TABS.slice(0, 1);
  const title = `${t(`workers.tab.${shown}`)} · ${t('workers.title')} · Mining Pool`;
  useEffect(() => {
    if (shown === 'list') return;
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [shown, title]);
  return (
    <nav className={styles.tabs} aria-label={t('workers.tabs')}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          to={`../${PATHS[tab]}`}
          className={styles.tab}
          aria-current={tab === shown ? 'page' : undefined}
        >
          {t(`workers.tab.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}
