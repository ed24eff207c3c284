import { useTranslation } from '@pool/shared/i18n';
import { Button } from '@pool/shared/ui/core';
import { ActionBar } from './action-bar';

/** What can be done with the selected rows of a list that is edited. */
export function SelectedBar({ count, onEdit, onClear }: { count: number; onEdit(): void; onClear(): void }) {
  const { t } = useTranslation();
  const selected = t('admin.edit.selected', { n: count });
  return (
    <ActionBar label={selected} sum={<strong>{selected}</strong>} clear={t('admin.edit.unselect')} onClear={onClear}>
      <Button type="primary" onClick={onEdit}>
        {t('admin.edit.open')}
      </Button>
    </ActionBar>
  );
}
