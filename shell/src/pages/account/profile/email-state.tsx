import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { Button, Chip } from '@pool/shared/ui/core';
import { IfMayEdit, TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useIdentity } from '../../../auth';
import { asking } from '../../../session/recent-sign-in';

/** The address, confirmed or not, and how to change it. `known`: as the pool has it, until Clerk answers. */
export function EmailState({ known }: { known: string }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [changing, setChanging] = useState(false);
  /** The address that a code was mailed to. */
  const [mailed, setMailed] = useState<string | null>(null);
  const state = useQuery({ queryKey: ['email'], queryFn: async () => (await identity()).email() });
  const send = useFormMutation({
    send: async (_api, address: string) => {
      await (await identity()).sendEmailCode();
      return address;
    },
    onDone: setMailed,
  });
  if (!state.data) return <bdi>{known}</bdi>;
  const { address, isConfirmed } = state.data;
  return (
    <>
      <bdi>{address}</bdi> <span>{isConfirmed && <Chip>{t('account.email.confirmed')}</Chip>}</span>{' '}
      <IfMayEdit of="person">
        {!isConfirmed && (
          <span>
            <Button size="small" loading={send.isPending} onClick={() => send.mutate(address)}>
              {t('account.email.confirm')}
            </Button>{' '}
          </span>
        )}
        <Button size="small" onClick={() => setChanging(true)}>
          {t('account.email.change')}
        </Button>
        {send.text}
        {changing && (
          <AddressDialog
            before={address}
            onSent={(sent) => {
              setChanging(false);
              setMailed(sent);
            }}
            onCancel={() => setChanging(false)}
          />
        )}
        {mailed !== null && (
          <CodeDialog
            address={mailed}
            onDone={() => {
              setMailed(null);
              void state.refetch();
            }}
          />
        )}
      </IfMayEdit>
    </>
  );
}

type AddressDialogProps = { before: string; onSent(address: string): void; onCancel(): void };

function AddressDialog({ before, onSent, onCancel }: AddressDialogProps) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [typed, setTyped] = useState('');
  const address = typed.trim().toLowerCase();
  const change = useFormMutation({
    send: async () => {
      const { changeEmail } = await identity();
      await asking(() => changeEmail(address));
      return address;
    },
    onDone: onSent,
  });
  return (
    <FormDialog
      title={t('account.email.new')}
      okText={t('account.email.send')}
      ready={/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address) && address !== before}
      change={change}
      onSubmit={() => change.mutate()}
      onCancel={onCancel}
    >
      <p>{t('account.email.changeWhat')}</p>
      <TextField isCode label={t('account.email.new')} value={typed} onChange={setTyped} />
    </FormDialog>
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
      change={{ ...enter, error: null }}
      onSubmit={enter.mutate}
      onCancel={onDone}
    >
      <p>{t('account.email.sent', { address })}</p>
      <TextField
        size="large"
        dir="ltr"
        inputMode="numeric"
        autoComplete="one-time-code"
        label={t('account.email.code')}
        error={enter.text}
        value={code}
        onChange={setCode}
      />
    </FormDialog>
  );
}
