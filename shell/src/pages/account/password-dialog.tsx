import { useTranslation } from '@pool/shared/i18n';
import { Button } from '@pool/shared/ui/core';
import { TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useEffect, useState } from 'react';
import { useIdentity } from '../../auth';
import form from './form.module.css';

/** Asks for the password, and a code with two-step sign-in, or for a passkey. `onDone`: whether it was given. */
export default function PasswordDialog({ onDone }: { onDone(given: boolean): void }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [step, setStep] = useState<'password' | 'code'>('password');
  const [typed, setTyped] = useState('');
  const enter = useFormMutation({
    send: async (_, passkey: boolean) => {
      const { enterPassword, enterCode, givePasskey } = await identity();
      if (passkey) return givePasskey();
      if (step === 'password') return enterPassword(typed);
      await enterCode(typed);
      return 'complete' as const;
    },
    onDone: (result) => {
      if (result === 'complete') return onDone(true);
      if (!result) return;
      setStep('code');
      setTyped('');
    },
  });
  const [hasPasskey, setHasPasskey] = useState(false);
  useEffect(() => {
    void identity().then(
      (calls) => setHasPasskey(calls.hasPasskey()),
      () => undefined,
    );
  }, [identity]);
  const field = {
    autoFocus: true,
    size: 'large',
    dir: 'ltr',
    value: typed,
    error: enter.text,
    onChange: setTyped,
  } as const;
  return (
    <FormDialog
      title={t('account.recent')}
      okText={t('account.recent.go')}
      ready={typed !== ''}
      change={{ ...enter, error: null }}
      other={
        hasPasskey && step === 'password' ? (
          <Button className={form.other} disabled={enter.isPending} onClick={() => enter.mutate(true)}>
            {t('account.recent.passkey')}
          </Button>
        ) : undefined
      }
      onSubmit={() => enter.mutate(false)}
      onCancel={() => onDone(false)}
    >
      <p>{t('account.recent.why')}</p>
      {step === 'password' ? (
        <TextField {...field} isSecret label={t('account.password')} autoComplete="current-password" />
      ) : (
        <TextField
          {...field}
          label={t('account.recent.code')}
          hint={t('account.recent.codeHint')}
          autoComplete="one-time-code"
          spellCheck={false}
        />
      )}
    </FormDialog>
  );
}
