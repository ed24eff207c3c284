import { useTranslation } from '@pool/shared/i18n';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { App, Button } from '@pool/shared/ui/core';
import { Input } from '@pool/shared/ui/form';
import { useState } from 'react';
import { Field, useProblemText } from '../field';
import styles from '../form.module.css';
import { factsQuery, walletQuery } from '../queries';
import { useRecentSignIn } from '../recent-sign-in';

/** Sets or changes the address. Changing one asks for the password in place, when the sign-in is not recent. */
export function AddressForm({ account, isFirst, onDone }: { account: string; isFirst: boolean; onDone(): void }) {
  const { t } = useTranslation();
  const api = useApi();
  const queryClient = useQueryClient();
  const { message } = App.useApp();
  const withRecentSignIn = useRecentSignIn();
  const say = useProblemText();
  const [typed, setTyped] = useState('');
  const address = typed.trim();
  const save = useMutation({
    mutationFn: () =>
      withRecentSignIn(() => api('PUT /wallet/', { query: { accountName: account }, body: { btcAddress: address } })),
    onSuccess: async (wallet) => {
      queryClient.setQueryData(walletQuery(api, account).queryKey, wallet);
      message.success(t(wallet.hold ? 'account.wallet.changed' : 'account.wallet.saved'));
      onDone();
      await queryClient.invalidateQueries(factsQuery(api));
    },
  });
  return (
    <form
      className={`${styles.form} ${styles.wide}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (address) save.mutate();
      }}
    >
      <Field
        label={t(isFirst ? 'account.wallet.address' : 'account.wallet.newAddress')}
        hint={t(isFirst ? 'account.wallet.firstHint' : 'account.wallet.changeHint')}
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
          {t(isFirst ? 'account.wallet.set' : 'account.wallet.change')}
        </Button>
        <Button onClick={onDone}>{t('account.cancel')}</Button>
      </div>
    </form>
  );
}
