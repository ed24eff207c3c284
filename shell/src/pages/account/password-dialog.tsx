import { useTranslation } from '@pool/shared/i18n';
import { TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useIdentity } from '../../auth';

/**
 * Asks for the password once more, in place, and for a code when two-step sign-in is on. `onDone`: true when they were
 * right, false when cancelled.
 */
export default function PasswordDialog({ onDone }: { onDone(given: boolean): void }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [step, setStep] = useState<'password' | 'code'>('password');
  const [typed, setTyped] = useState('');
  const enter = useFormMutation({
    send: async () => {
      const { enterPassword, enterCode } = await identity();
      if (step === 'password') return enterPassword(typed);
      await enterCode(typed);
      return 'complete' as const;
    },
    onDone: (result) => {
      if (result === 'complete') return onDone(true);
      setStep('code');
      setTyped('');
    },
  });
  const field = {
    autoFocus: true,
    size: 'large',
    dir: 'ltr',
    value: typed,
    error: enter.text,
    onChange: (text: string) => {
      setTyped(text);
      enter.reset();
    },
  } as const;
  return (
    <FormDialog
      title={t('account.recent')}
      okText={t('account.recent.go')}
      ready={typed !== ''}
      change={{ isPending: enter.isPending, error: null }}
      onSubmit={enter.mutate}
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
