import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, useErrorText } from '../core';
import { Form, TextField, useFormMutation } from '../form';
import common from '../common.module.css';
import styles from './payout.module.css';
import type { WalletCalls } from './queries';

/** Sets or changes the address. Changing one asks for the password in place, when the sign-in is not recent. */
export function AddressForm({
  calls: { key, set },
  isFirst,
  onDone,
  focus,
  onAddress,
}: {
  calls: WalletCalls;
  isFirst: boolean;
  /** Saved, or given up. */
  onDone(): void;
  /** What gets the focus then. */
  focus(): HTMLElement | null;
  onAddress?(): void;
}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const address = typed.trim();
  const save = useFormMutation({
    send: () => set(address),
    said: ({ hold }) => t(hold ? 'payout.changed' : 'payout.saved'),
    // The balance says when it is paid, or why not.
    reads: [['payments']],
    onDone: (wallet) => {
      queryClient.setQueryData(key, wallet);
      onDone();
      onAddress?.();
    },
    focus,
  });
  const problem = useErrorText(save.error, { length: address.length });
  return (
    <Form className={styles.form} change={save} onSubmit={() => address && save.mutate()}>
      <TextField
        isCode
        autoFocus={!isFirst}
        size="large"
        label={t(isFirst ? 'payout.address' : 'payout.newAddress')}
        hint={t(isFirst ? 'payout.firstHint' : 'payout.changeHint')}
        error={problem}
        maxLength={100}
        value={typed}
        onChange={setTyped}
      />
      <div className={common.buttons}>
        <Button type="primary" htmlType="submit" loading={save.isPending} disabled={!address}>
          {t(isFirst ? 'payout.set' : 'payout.change')}
        </Button>
        {!isFirst && <Button onClick={onDone}>{t('payout.dismiss')}</Button>}
      </div>
    </Form>
  );
}
