import { useTranslation } from '@pool/shared/i18n';
import { liveFigures, useQueryClient } from '@pool/shared/query';
import { useFormat, useNow } from '@pool/shared/ui/core';
import styles from './dashboard-page.module.css';

/** The age of the oldest figure on the page, as the app bar's control says it (docs/adr/0011-freshness.md). */
export function Updated() {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const queryClient = useQueryClient();
  const now = useNow();
  const { at } = liveFigures(queryClient);
  if (at === null) return null;
  return <span className={styles.updated}>{t('ui.updated', { age: duration(Math.max(0, now - at / 1000)) })}</span>;
}
