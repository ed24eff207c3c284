import { useTranslation } from '@pool/shared/i18n';
import { Panel } from '@pool/shared/ui/core';
import styles from './failover.module.css';

const RULES = ['over', 'back', 'often', 'dead', 'none', 'paid'] as const;

/** What the proxy does when a pool fails (docs/adr/0007-failover.md). */
export function Failover() {
  const { t } = useTranslation();
  return (
    <Panel title={t('workers.pools.failover')}>
      <ul className={styles.rules}>
        {RULES.map((rule) => (
          <li key={rule}>{t(`workers.pools.rule.${rule}`)}</li>
        ))}
      </ul>
    </Panel>
  );
}
