import type { CallOptions } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Facts, useFormat } from '@pool/shared/ui/core';
import { Checkbox, NumberField, SelectField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import { useState } from 'react';
import type { Remote } from './remotes-panel';

type Switch = CallOptions<'PUT /admin/remotes/{name}'>['body'];

const EVERYBODY = 100;

/** Serves another version of a remote to everybody, or first to a share of the users. */
export function SwitchDialog({ remote, onClose }: { remote: Remote; onClose(): void }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const { name } = remote;
  const change = useFormMutation({
    send: (api, body: Switch) => api('PUT /admin/remotes/{name}', { params: { name }, body }),
    reads: [['admin'], ['remotes']],
    said: () => t('admin.system.switch-done', { name }),
    onDone: onClose,
  });
  const [version, setVersion] = useState(remote.canary?.version ?? remote.version);
  const [percent, setPercent] = useState(remote.canary?.percent ?? EVERYBODY);
  const [wanted, setWanted] = useState(false);
  const isCanary = version !== remote.version && percent < EVERYBODY;
  const next = isCanary ? { version: remote.version, canary: { version, percent } } : { version, canary: null };
  const same = JSON.stringify(next) === JSON.stringify({ version: remote.version, canary: remote.canary });
  const expected = { version: remote.version, canary: remote.canary };
  const urgent = wanted && !isCanary && !same;
  const submit = () => change.mutate({ ...next, ...(urgent && { urgent }), expected });
  return (
    <FormDialog
      title={t('admin.system.switch-title', { name })}
      okText={t(isCanary ? 'admin.system.switch-share' : 'admin.system.switch-all')}
      ready={!same}
      change={change}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Facts rows={[{ label: t('admin.system.now'), value: remote.version }]} />
      <SelectField
        label={t('admin.system.version')}
        value={version}
        onChange={setVersion}
        options={remote.versions.map(({ version: value, deployedAt }) => ({
          value,
          label: `${value} · ${moment(deployedAt)}`,
        }))}
      />
      <NumberField
        label={t('admin.system.share')}
        hint={t('admin.system.share-help')}
        min={0}
        max={EVERYBODY}
        suffix="%"
        disabled={version === remote.version}
        value={version === remote.version ? EVERYBODY : percent}
        onChange={(value) => setPercent(value ?? EVERYBODY)}
      />
      <Checkbox disabled={isCanary || same} checked={urgent} onChange={(event) => setWanted(event.target.checked)}>
        {t('admin.system.urgent')}
      </Checkbox>
      <p className={common.quiet}>{t(urgent ? 'admin.system.urgent-means' : 'admin.system.switch-means')}</p>
    </FormDialog>
  );
}
