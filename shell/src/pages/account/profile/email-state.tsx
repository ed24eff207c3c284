import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { Button, Chip } from '@pool/shared/ui/core';
import { Field, IfMayEdit, Input, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useIdentity } from '../../../auth';

/** Whether the address is confirmed, and how to confirm it. Only where the pool sends mail. */
export function EmailState() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [asked, setAsked] = useState(false);
  const state = useQuery({ queryKey: ['email'], queryFn: async () => (await identity()).email() });
  const send = useFormMutation({
    send: async () => (await identity()).sendEmailCode(),
    onDone: () => setAsked(true),
  });
  if (!state.data) return null;
  if (state.data.isConfirmed) return <Chip>{t('account.email.confirmed')}</Chip>;
  const { address } = state.data;
  return (
    <IfMayEdit>
      <Button size="small" loading={send.isPending} onClick={() => send.mutate()}>
        {t('account.email.confirm')}
      </Button>
      {send.text}
      {asked && (
        <CodeDialog
          address={address}
          onDone={() => {
            setAsked(false);
            void state.refetch();
          }}
        />
      )}
    </IfMayEdit>
  );
}

function CodeDialog({ address, onDone }: { address: string; onDone(): void }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [code, setCode] = useState('');
  const enter = useFormMutation({
    send: async () => (await identity()).enterEmailCode(code.trim()),
    said: () => t('account.email.done'),
    onDone,
  });
  return (
    <FormDialog
      title={t('account.email.confirm')}
      okText={t('account.email.confirm')}
      ready={code.trim() !== ''}
      change={{ isPending: enter.isPending, error: null }}
      onSubmit={enter.mutate}
      onCancel={onDone}
    >
      <p>{t('account.email.sent', { address })}</p>
      <Field label={t('account.email.code')} error={enter.text}>
        {(wiring) => (
          <Input
            {...wiring}
            size="large"
            dir="ltr"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => {
              setCode(event.target.value);
              enter.reset();
            }}
          />
        )}
      </Field>
    </FormDialog>
  );
}
