import { useTranslation } from '@pool/shared/i18n';
import { Field, Input } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useMakeGroup, useRenameGroup } from '../../api/worker-groups';

/** Makes a group, or renames the one named `name`. */
export function GroupDialog({ name, onClose }: { name: string | null; onClose(): void }) {
  const { t } = useTranslation();
  const make = useMakeGroup();
  const rename = useRenameGroup();
  const [typed, setTyped] = useState(name ?? '');
  const [asked, setAsked] = useState(false);
  const next = typed.trim();
  const submit = () => {
    const done = { onSuccess: onClose };
    setAsked(true);
    if (!next) return;
    if (name === null) make.mutate(next, done);
    else rename.mutate({ name, next }, done);
  };
  return (
    <FormDialog
      title={name === null ? t('workers.groups.new') : t('workers.groups.renameTitle', { name })}
      okText={t(name === null ? 'workers.groups.make' : 'workers.groups.rename')}
      change={name === null ? make : rename}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Field label={t('workers.groups.name')} error={asked && !next && t('workers.groups.nameNeeded')}>
        {(wiring) => (
          <Input
            {...wiring}
            autoFocus
            maxLength={64}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
