import { useTranslation } from '@pool/shared/i18n';
import { Button, Panel } from '@pool/shared/ui/core';
import { Checkbox, Form, TextField, useFormMutation, type InputRef } from '@pool/shared/ui/form';
import { useRef, useState } from 'react';
import { useIdentity } from '../../../auth';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';

const EMPTY = { current: '', next: '', signOutOthers: true };

/** Changes the password at the sign-in service. */
export function PasswordForm() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const current = useRef<InputRef>(null);
  const [draft, setDraft] = useState(EMPTY);
  const change = useFormMutation({
    send: async () => (await identity()).changePassword(draft),
    said: () => t('account.passwordChanged'),
    onDone: () => setDraft(EMPTY),
    focus: () => current.current?.input,
  });
  const edit = (part: Partial<typeof EMPTY>) => setDraft({ ...draft, ...part });
  return (
    <Panel title={t('account.changePassword')}>
      <Form className={styles.form} change={change} onSubmit={() => change.mutate()}>
        <TextField
          isSecret
          ref={current}
          dir="ltr"
          label={t('account.currentPassword')}
          autoComplete="current-password"
          value={draft.current}
          onChange={(text) => edit({ current: text })}
        />
        <TextField
          isSecret
          dir="ltr"
          label={t('account.newPassword')}
          error={change.text}
          autoComplete="new-password"
          value={draft.next}
          onChange={(text) => edit({ next: text })}
        />
        <Checkbox checked={draft.signOutOthers} onChange={(event) => edit({ signOutOthers: event.target.checked })}>
          {t('account.signOutOthers')}
        </Checkbox>
        <div className={common.buttons}>
          <Button htmlType="submit" loading={change.isPending} disabled={!draft.current || !draft.next}>
            {t('account.changePassword')}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
