import { useTranslation } from '@pool/shared/i18n';
import { Button, QueryError } from '@pool/shared/ui/core';
import { Problem, Switch, useFormMutation } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import { useId } from 'react';
import { SETTINGS, usePaymentSettings } from '../../api/payments';
import parts from '../../parts/parts.module.css';

export function RulesDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const settings = usePaymentSettings();
  const { mutate, isPending, error } = useFormMutation({
    send: (api, fourEyes: boolean) => api('PUT /admin/paymentSettings', { body: { fourEyes } }),
    reads: [SETTINGS, ['waiting']],
  });
  const id = useId();
  return (
    <Modal
      open
      title={t('admin.payments.rules')}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('admin.close')}
        </Button>
      }
    >
      <QueryError query={settings} />
      <div className={parts.controls}>
        <label htmlFor={id}>{t('admin.payments.four-eyes')}</label>
        <Switch
          id={id}
          disabled={!settings.data}
          loading={isPending}
          checked={settings.data?.fourEyes ?? false}
          onChange={(on) => mutate(on)}
        />
      </div>
      <p className={common.quiet}>{t('admin.payments.four-eyes-help')}</p>
      <Problem error={error} />
    </Modal>
  );
}
