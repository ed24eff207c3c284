import { useTranslation } from '@pool/shared/i18n';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { App, Button } from '@pool/shared/ui/core';
import { Field, Input, useProblemText } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import styles from '../form.module.css';
import { factsQuery } from '../queries';

/** What the server takes (`minerPassword` in shared/src/api/schemas.ts). */
const PASSWORD = /^(?!d=)[\x21-\x2b\x2d-\x3a\x3c-\x7e]{12,64}$/i;

/** Letters and digits that are easily told apart. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
function randomPassword(): string {
  // Numbers over the largest multiple of the alphabet's length would favour its beginning.
  const numbers = [...crypto.getRandomValues(new Uint8Array(64))].filter((n) => n < 256 - (256 % ALPHABET.length));
  return numbers
    .slice(0, 20)
    .map((n) => ALPHABET[n % ALPHABET.length])
    .join('');
}

/** Sets the password that the miners of a sub-account have to send, or takes it away. */
export function MinerPasswordDialog({ account, isSet, onClose }: { account: string; isSet: boolean; onClose(): void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queryClient = useQueryClient();
  const { message } = App.useApp();
  const say = useProblemText();
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: (next: string | null) =>
      api('PUT /minerPassword/', { query: { accountName: account }, body: { password: next } }),
    onSuccess: async ({ passwordSet }) => {
      onClose();
      message.success(t(passwordSet ? 'account.miner.changed' : 'account.miner.removed', { name: account }));
      await queryClient.invalidateQueries(factsQuery(api));
    },
  });
  const malformed = password !== '' && !PASSWORD.test(password);
  return (
    <Modal
      open
      centered
      title={t('account.miner.title', { name: account })}
      onCancel={onClose}
      cancelText={t('account.cancel')}
      okText={t('account.save')}
      okButtonProps={{
        htmlType: 'submit',
        form: 'miner-password',
        loading: change.isPending,
        disabled: !password || malformed,
      }}
    >
      <form
        id="miner-password"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (password && !malformed) change.mutate(password);
        }}
      >
        <p>{t(isSet ? 'account.miner.isSet' : 'account.miner.notSet')}</p>
        <Field
          label={t('account.miner.new')}
          hint={t('account.miner.hint')}
          error={malformed ? t('account.miner.malformed') : say(change.error)}
        >
          {(wiring) => (
            <Input
              {...wiring}
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              maxLength={64}
              value={password}
              onChange={(event) => {
                setPassword(event.target.value);
                change.reset();
              }}
            />
          )}
        </Field>
        <div className={styles.actions}>
          <Button size="small" onClick={() => setPassword(randomPassword())}>
            {t('account.miner.random')}
          </Button>
          {isSet && (
            <Button size="small" type="text" loading={change.isPending} onClick={() => change.mutate(null)}>
              {t('account.miner.remove')}
            </Button>
          )}
        </div>
      </form>
    </Modal>
  );
}
