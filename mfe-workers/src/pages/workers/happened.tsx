import { useTranslation } from '@pool/shared/i18n';
import { Timeline } from '@pool/shared/ui/timeline';
import { useState } from 'react';
import styles from './workers-page.module.css';

/** What concerns workers. */
const KINDS = ['outage', 'off', 'dip', 'switch'] as const;

/** What happened, above a list that may be of ten thousand: closed until it is asked for. */
export function Happened() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.happened} open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('workers.happened')}</summary>
      {open && <Timeline kinds={KINDS} untitled />}
    </details>
  );
}
