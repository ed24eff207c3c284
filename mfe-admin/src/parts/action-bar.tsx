import { useTranslation } from '@pool/shared/i18n';
import { Button, X } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import styles from './action-bar.module.css';

type Props = { label: string; sum: ReactNode; clear: string; onClear(): void; children: ReactNode };

/** What can be done with the selected rows, at the end of the screen. `sum`: what is selected. `clear`: names the X. */
export function ActionBar({ label, sum, clear, onClear, children }: Props) {
  return (
    <section className={styles.bar} aria-label={label}>
      <div className={styles.sum} role="status">
        {sum}
      </div>
      <div className={styles.buttons}>
        {children}
        <Button type="text" aria-label={clear} title={clear} icon={<X />} onClick={onClear} />
      </div>
    </section>
  );
}

export function SelectedBar({ count, onEdit, onClear }: { count: number; onEdit(): void; onClear(): void }) {
  const { t } = useTranslation();
  const selected = t('admin.edit.selected', { count });
  return (
    <ActionBar label={selected} sum={<strong>{selected}</strong>} clear={t('admin.edit.unselect')} onClear={onClear}>
      <Button type="primary" onClick={onEdit}>
        {t('admin.edit.open')}
      </Button>
    </ActionBar>
  );
}
