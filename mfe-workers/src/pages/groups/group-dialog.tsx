import { useTranslation } from '@pool/shared/i18n';
import { TextField } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useSaveGroup } from '../../api/worker-groups';

type Props = {
  name: string | null;
  /** Left out: the selected one. */
  subAccountId?: number | undefined;
  /** Called with the name that the group now has. */
  onDone?(name: string): void;
  onClose(): void;
};

export function GroupDialog({ name, subAccountId, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const save = useSaveGroup();
  const [typed, setTyped] = useState(name ?? '');
  const [asked, setAsked] = useState(false);
  const next = typed.trim();
  const submit = () => {
    setAsked(true);
    if (!next) return;
    save.mutate(
      { name, next, of: subAccountId },
      {
        onSuccess: () => {
          onDone?.(next);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={name === null ? t('workers.groups.new') : t('workers.groups.renameTitle', { name })}
      okText={t(name === null ? 'workers.groups.make' : 'workers.groups.rename')}
      change={save}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextField
        label={t('workers.groups.name')}
        error={asked && !next && t('workers.groups.nameNeeded')}
        maxLength={64}
        value={typed}
        onChange={setTyped}
      />
    </FormDialog>
  );
}
