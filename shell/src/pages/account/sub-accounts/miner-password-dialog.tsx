import { useTranslation } from '@pool/shared/i18n';
import { SUB_ACCOUNT_FACTS } from '@pool/shared/remote';
import { Button } from '@pool/shared/ui/core';
import { TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import common from '@pool/shared/ui/common.module.css';

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
  const [password, setPassword] = useState('');
  const change = useFormMutation({
    send: (api, next: string | null) =>
      api('PUT /minerPassword/', { query: { accountName: account }, body: { password: next } }),
    said: ({ passwordSet }) => t(passwordSet ? 'account.miner.changed' : 'account.miner.removed', { name: account }),
    reads: [SUB_ACCOUNT_FACTS],
    onDone: onClose,
  });
  const malformed = password !== '' && !PASSWORD.test(password);
  return (
    <FormDialog
      title={t('account.miner.title', { name: account })}
      okText={t('account.save')}
      ready={password !== '' && !malformed}
      change={change}
      onSubmit={() => change.mutate(password)}
      onCancel={onClose}
    >
      <p>{t(isSet ? 'account.miner.isSet' : 'account.miner.notSet')}</p>
      <TextField
        isCode
        label={t('account.miner.new')}
        hint={t('account.miner.hint')}
        error={malformed && t('account.miner.malformed')}
        maxLength={64}
        value={password}
        onChange={setPassword}
      />
      <div className={common.buttons}>
        <Button size="small" onClick={() => setPassword(randomPassword())}>
          {t('account.miner.random')}
        </Button>
        {isSet && (
          <Button size="small" type="text" loading={change.isPending} onClick={() => change.mutate(null)}>
            {t('account.miner.remove')}
          </Button>
        )}
      </div>
    </FormDialog>
  );
}
