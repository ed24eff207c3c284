import { ACCOUNT_NAME } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { App, Button, Panel } from '@pool/shared/ui/core';
import { Field, Input, useProblemText } from '@pool/shared/ui/form';
import { useState } from 'react';
import styles from '../form.module.css';
import { factsQuery } from '../queries';

export function CreateForm() {
  const { t } = useTranslation();
  const api = useApi();
  const queryClient = useQueryClient();
  const { message } = App.useApp();
  const say = useProblemText();
  const [name, setName] = useState('');
  const [malformed, setMalformed] = useState(false);
  const create = useMutation({
    mutationFn: () => api('POST /subAccounts/', { body: { name } }),
    onSuccess: async (made) => {
      setName('');
      message.success(t('account.sub.created', { name: made.name }));
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['subAccounts'] }),
        queryClient.invalidateQueries(factsQuery(api)),
      ]);
    },
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
          error={malformed ? t('account.sub.malformed') : say(create.error)}
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
        <div className={styles.actions}>
          <Button type="primary" htmlType="submit" loading={create.isPending} disabled={!name}>
            {t('account.sub.createButton')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
