import { useTranslation } from '@pool/shared/i18n';
import { Button, X } from '@pool/shared/ui/core';
import styles from './parts.module.css';

/** What can be done with the selected rows. */
export function SelectedBar({ count, onEdit, onClear }: { count: number; onEdit(): void; onClear(): void }) {
  const { t } = useTranslation();
  return (
    <section className={styles.bar} aria-label={t('admin.edit.selected', { n: count })}>
      <strong role="status">{t('admin.edit.selected', { n: count })}</strong>
      <Button type="primary" onClick={onEdit}>
        {t('admin.edit.open')}
      </Button>
      <Button
        type="text"
        aria-label={t('admin.edit.unselect')}
        title={t('admin.edit.unselect')}
        icon={<X size={16} aria-hidden />}
        onClick={onClear}
      />
    </section>
  );
}
