import { useTranslation } from '@pool/shared/i18n';
import { useMutation } from '@pool/shared/query';
import { Input } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useIdentity } from '../../auth';
import { Field, useProblemText } from './field';
import styles from './form.module.css';

/** Asks for the password once more, in place. `onDone`: true when it was right, false when cancelled. */
export default function PasswordDialog({ onDone }: { onDone(given: boolean): void }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const say = useProblemText();
  const [password, setPassword] = useState('');
  const enter = useMutation({
    mutationFn: async () => (await identity()).enterPassword(password),
    onSuccess: () => onDone(true),
  });
  return (
    <Modal
      open
      centered
      title={t('account.recent')}
      okText={t('account.recent.go')}
      okButtonProps={{ htmlType: 'submit', form: 'recent-sign-in', loading: enter.isPending, disabled: !password }}
      cancelText={t('account.cancel')}
      onCancel={() => onDone(false)}
    >
      <form
        id="recent-sign-in"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (password) enter.mutate();
        }}
      >
        <p>{t('account.recent.why')}</p>
        <Field label={t('account.password')} error={say(enter.error)}>
          {(wiring) => (
            <Input.Password
              {...wiring}
              autoFocus
              size="large"
              dir="ltr"
              autoComplete="current-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value);
                enter.reset();
              }}
            />
          )}
        </Field>
      </form>
    </Modal>
  );
}
