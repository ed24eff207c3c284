import { ACCOUNT_NAME } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { SUB_ACCOUNT_FACTS } from '@pool/shared/remote';
import { Field, Input, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';

/** `focus`: the button that opened it. */
export function CreateDialog({ focus, onClose }: { focus(): HTMLElement | null; onClose(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [malformed, setMalformed] = useState(false);
  const create = useFormMutation({
    send: (api) => api('POST /subAccounts/', { body: { name } }),
    said: (made) => t('account.sub.created', { name: made.name }),
    reads: [['subAccounts'], SUB_ACCOUNT_FACTS],
    onDone: onClose,
    focus,
  });
  const submit = () => {
    const valid = ACCOUNT_NAME.test(name);
    setMalformed(!valid);
    if (valid) create.mutate();
  };
  return (
    <FormDialog
      title={t('account.sub.create')}
      okText={t('account.sub.createButton')}
      ready={name !== ''}
      change={create}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Field
        label={t('account.sub.name')}
        hint={t('account.sub.nameHint')}
        error={malformed && t('account.sub.malformed')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={32}
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              setMalformed(false);
              create.reset();
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
