import { useTranslation } from '@pool/shared/i18n';
import { App, Facts, useFormat } from '@pool/shared/ui/core';
import { InputNumber, Select } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useSwitch, type Remote } from '../../api/system';
import { Field } from '../../parts/field';
import parts from '../../parts/parts.module.css';
import { Problem } from '../../parts/problem';

const EVERYBODY = 100;

/** Serves another version of a remote to everybody, or first to a share of the users. */
export function SwitchDialog({ remote, onClose }: { remote: Remote; onClose(): void }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const { message } = App.useApp();
  const { mutate, isPending, error } = useSwitch();
  const [version, setVersion] = useState(remote.canary?.version ?? remote.version);
  const [percent, setPercent] = useState(remote.canary?.percent ?? EVERYBODY);
  const isCanary = version !== remote.version && percent < EVERYBODY;
  const next = isCanary ? { version: remote.version, canary: { version, percent } } : { version, canary: null };
  const same = JSON.stringify(next) === JSON.stringify({ version: remote.version, canary: remote.canary });
  const submit = () =>
    mutate(
      { name: remote.name, ...next, expected: { version: remote.version, canary: remote.canary } },
      {
        onSuccess: () => {
          message.success(t('admin.system.switch-done', { name: remote.name }));
          onClose();
        },
      },
    );
  return (
    <Modal
      open
      title={t('admin.system.switch-title', { name: remote.name })}
      okText={t(isCanary ? 'admin.system.switch-share' : 'admin.system.switch-all')}
      cancelText={t('admin.cancel')}
      okButtonProps={{ disabled: same }}
      confirmLoading={isPending}
      onOk={submit}
      onCancel={onClose}
    >
      <div className={parts.stack}>
        <Facts rows={[{ label: t('admin.system.now'), value: <bdi dir="ltr">{remote.version}</bdi> }]} />
        <Field label={t('admin.system.version')}>
          {(props) => (
            <Select
              {...props}
              value={version}
              onChange={setVersion}
              options={remote.versions.map(({ version: value, deployedAt }) => ({
                value,
                label: `${value} · ${moment(deployedAt)}`,
              }))}
            />
          )}
        </Field>
        <Field label={t('admin.system.share')} help={t('admin.system.share-help')}>
          {(props) => (
            <InputNumber
              {...props}
              dir="ltr"
              min={0}
              max={EVERYBODY}
              suffix="%"
              disabled={version === remote.version}
              value={version === remote.version ? EVERYBODY : percent}
              onChange={(value) => setPercent(value ?? EVERYBODY)}
            />
          )}
        </Field>
        <p className={parts.quiet}>{t('admin.system.switch-means')}</p>
        {error && <Problem error={error} />}
      </div>
    </Modal>
  );
}
