import { useTranslation } from '@pool/shared/i18n';
import { useMutation } from '@pool/shared/query';
import { App, Button, Panel } from '@pool/shared/ui/core';
import { Checkbox, Field, Input, useProblemText } from '@pool/shared/ui/form';
import { useState } from 'react';
import { useIdentity } from '../../../auth';
import styles from '../form.module.css';

const EMPTY = { current: '', next: '', signOutOthers: true };

/** Changes the password at the sign-in service. */
export function PasswordForm() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const identity = useIdentity();
  const say = useProblemText();
  const [draft, setDraft] = useState(EMPTY);
  const change = useMutation({
    mutationFn: async () => (await identity()).changePassword(draft),
    onSuccess: () => {
      setDraft(EMPTY);
      message.success(t('account.passwordChanged'));
    },
  });
  const edit = (part: Partial<typeof EMPTY>) => {
    setDraft({ ...draft, ...part });
    change.reset();
  };
  return (
    <Panel title={t('account.changePassword')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <Field label={t('account.currentPassword')}>
          {(wiring) => (
            <Input.Password
              {...wiring}
              dir="ltr"
              autoComplete="current-password"
              value={draft.current}
              onChange={(event) => edit({ current: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('account.newPassword')} error={say(change.error)}>
          {(wiring) => (
            <Input.Password
              {...wiring}
              dir="ltr"
              autoComplete="new-password"
              value={draft.next}
              onChange={(event) => edit({ next: event.target.value })}
            />
          )}
        </Field>
        <Checkbox checked={draft.signOutOthers} onChange={(event) => edit({ signOutOthers: event.target.checked })}>
          {t('account.signOutOthers')}
        </Checkbox>
        <div className={styles.actions}>
          <Button htmlType="submit" loading={change.isPending} disabled={!draft.current || !draft.next}>
            {t('account.changePassword')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
