import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServices } from '../../services';
import { App, Button } from '../core';
import { Field, Input, useProblemText } from '../form';
import styles from './payout.module.css';
import { walletQuery } from './queries';

/** Sets or changes the address. Changing one asks for the password in place, when the sign-in is not recent. */
export function AddressForm({
  account,
  isFirst,
  onDone,
  onAddress,
}: {
  account: string;
  isFirst: boolean;
  onDone(): void;
  onAddress?(): void;
}) {
  const { t } = useTranslation();
  const { api } = useServices();
  const queryClient = useQueryClient();
  const { message } = App.useApp();
  const say = useProblemText();
  const [typed, setTyped] = useState('');
  const address = typed.trim();
  const save = useMutation({
    mutationFn: () => api('PUT /wallet/', { query: { accountName: account }, body: { btcAddress: address } }),
    onSuccess: async (wallet) => {
      queryClient.setQueryData(walletQuery(api, account).queryKey, wallet);
      message.success(t(wallet.hold ? 'payout.changed' : 'payout.saved'));
      onDone();
      onAddress?.();
      // The balance says when it is paid, or why not.
      await queryClient.invalidateQueries({ queryKey: ['payments'] });
    },
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (address) save.mutate();
      }}
    >
      <Field
        label={t(isFirst ? 'payout.address' : 'payout.newAddress')}
        hint={t(isFirst ? 'payout.firstHint' : 'payout.changeHint')}
        error={say(save.error)}
      >
        {(wiring) => (
          <Input
            {...wiring}
            autoFocus
            size="large"
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              save.reset();
            }}
          />
        )}
      </Field>
      <div className={styles.actions}>
        <Button type="primary" htmlType="submit" loading={save.isPending} disabled={!address}>
          {t(isFirst ? 'payout.set' : 'payout.change')}
        </Button>
        <Button onClick={onDone}>{t('payout.dismiss')}</Button>
      </div>
    </form>
  );
}
