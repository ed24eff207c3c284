import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import styles from '../../parts/parts.module.css';

const MONEY_TABS = {
  payments: 'payments',
  referral: 'payments/referral',
  bonus: 'payments/bonus',
  corrections: 'payments/corrections',
} as const;
type MoneyTab = keyof typeof MONEY_TABS;

/** The pages about money as links, so that each can be shared and walked back to. */
export function MoneyTabs({ shown }: { shown: MoneyTab }) {
  const { t } = useTranslation();
  return (
    <nav className={styles.tabs} aria-label={t('admin.money.tabs')}>
      {(Object.keys(MONEY_TABS) as MoneyTab[]).map((tab) => (
        <Link
          key={tab}
          to={`/admin/${MONEY_TABS[tab]}`}
          className={styles.tab}
          aria-current={tab === shown ? 'page' : undefined}
        >
          {t(`admin.money.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}
