import { useTranslation } from '@pool/shared/i18n';
import { Button } from '@pool/shared/ui/core';
import { ActionBar } from '@pool/shared/ui/table';

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
