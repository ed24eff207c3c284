import { useTranslation } from '@pool/shared/i18n';
import { NumberField } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useGroupLimit } from '../../api/worker-groups';

/** `limit`: part of what the group made in the last week; null: none. */
type Props = { name: string; limit: number | null; onClose(): void };

export function LimitDialog({ name, limit, onClose }: Props) {
  const { t } = useTranslation();
  const save = useGroupLimit();
  const [percent, setPercent] = useState(limit === null ? null : Math.round(limit * 100));
  return (
    <FormDialog
      title={t('workers.groups.limitTitle', { name })}
      okText={t('workers.groups.limitSave')}
      change={save}
      onSubmit={() => save.mutate({ name, limit: percent === null ? null : percent / 100 }, { onSuccess: onClose })}
      onCancel={onClose}
    >
      <NumberField
        label={t('workers.groups.limitLabel')}
        hint={t('workers.groups.limitHint')}
        isWhole
        min={1}
        max={100}
        value={percent}
        onChange={setPercent}
      />
    </FormDialog>
  );
}
