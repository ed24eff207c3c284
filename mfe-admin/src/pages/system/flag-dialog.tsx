import { useTranslation } from '@pool/shared/i18n';
import { Facts, useFormat } from '@pool/shared/ui/core';
import { Checkbox, TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import type { Flag } from './remotes-panel';

/** Turns a part of a remote on for some users, for everybody or for nobody. */
export function FlagDialog({ name, flag, onClose }: { name: string; flag: Flag; onClose(): void }) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { figures } = flag;
  const change = useFormMutation({
    send: (api, users: string[] | null) =>
      api('PUT /admin/remotes/{name}/flags', { params: { name }, body: { flag: flag.flag, users } }),
    reads: [['admin'], ['remotes']],
    onDone: onClose,
  });
  const [isForAll, setForAll] = useState(flag.users === null);
  const [names, setNames] = useState(flag.users?.join(', ') ?? '');
  const users = isForAll ? null : names.split(/[\s,;،؛]+/).filter(Boolean);
  return (
    <FormDialog
      title={t('admin.system.flag-title', { flag: flag.flag })}
      okText={t('admin.system.flag-save')}
      ready={JSON.stringify(users) !== JSON.stringify(flag.users)}
      change={change}
      onSubmit={() => change.mutate(users)}
      onCancel={onClose}
    >
      {figures && (
        <Facts
          rows={[
            { label: t('admin.system.mounts'), value: count(figures.mounts) },
            { label: t('admin.system.with-errors'), value: count(figures.faulty) },
          ]}
        />
      )}
      <Checkbox checked={isForAll} onChange={(event) => setForAll(event.target.checked)}>
        {t('admin.system.flag-all')}
      </Checkbox>
      <TextField
        label={t('admin.system.flag-users')}
        hint={t('admin.system.flag-help')}
        disabled={isForAll}
        value={names}
        onChange={setNames}
      />
    </FormDialog>
  );
}
