import { useTranslation } from '@pool/shared/i18n';
import { useMutation } from '@pool/shared/query';
import { Field, Input, useProblemText } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useIdentity } from '../../auth';
import styles from './form.module.css';

/**
 * Asks for the password once more, in place, and for a code when two-step sign-in is on. `onDone`: true when they were
 * right, false when cancelled.
 */
export default function PasswordDialog({ onDone }: { onDone(given: boolean): void }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const say = useProblemText();
  const [step, setStep] = useState<'password' | 'code'>('password');
  const [typed, setTyped] = useState('');
  const enter = useMutation({
    mutationFn: async () => {
      const { enterPassword, enterCode } = await identity();
      if (step === 'password') return enterPassword(typed);
      await enterCode(typed);
      return 'complete' as const;
    },
    onSuccess: (result) => {
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
    onChange: (event: { target: { value: string } }) => {
      setTyped(event.target.value);
      enter.reset();
    },
  } as const;
  return (
    <Modal
      open
      centered
      title={t('account.recent')}
      okText={t('account.recent.go')}
      okButtonProps={{ htmlType: 'submit', form: 'recent-sign-in', loading: enter.isPending, disabled: !typed }}
      cancelText={t('account.cancel')}
      onCancel={() => onDone(false)}
    >
      <form
        id="recent-sign-in"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (typed) enter.mutate();
        }}
      >
        <p>{t('account.recent.why')}</p>
        {step === 'password' ? (
          <Field label={t('account.password')} error={say(enter.error)}>
            {(wiring) => <Input.Password {...wiring} {...field} autoComplete="current-password" />}
          </Field>
        ) : (
          <Field label={t('account.recent.code')} hint={t('account.recent.codeHint')} error={say(enter.error)}>
            {(wiring) => <Input {...wiring} {...field} autoComplete="one-time-code" spellCheck={false} />}
          </Field>
        )}
      </form>
    </Modal>
  );
}
