import { ACCOUNT_NAME } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, Panel } from '@pool/shared/ui/core';
import { Field, Input, useFormMutation, type InputRef } from '@pool/shared/ui/form';
import { useRef, useState } from 'react';
import styles from '../form.module.css';
import { FACTS } from '../queries';

export function CreateForm() {
  const { t } = useTranslation();
  const input = useRef<InputRef>(null);
  const [name, setName] = useState('');
  const [malformed, setMalformed] = useState(false);
  const create = useFormMutation({
    send: (api) => api('POST /subAccounts/', { body: { name } }),
    said: (made) => t('account.sub.created', { name: made.name }),
    reads: [['subAccounts'], FACTS],
    onDone: () => setName(''),
    focus: () => input.current?.input,
  });
  const submit = () => {
    const valid = ACCOUNT_NAME.test(name);
    setMalformed(!valid);
    if (valid) create.mutate();
  };
  return (
    <Panel title={t('account.sub.create')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label={t('account.sub.name')}
          hint={t('account.sub.nameHint')}
          error={malformed ? t('account.sub.malformed') : create.text}
        >
          {(wiring) => (
            <Input
              {...wiring}
              ref={input}
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
        <div className={styles.actions}>
          <Button type="primary" htmlType="submit" loading={create.isPending} disabled={!name}>
            {t('account.sub.createButton')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
