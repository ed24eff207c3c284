import { useTranslation } from '@pool/shared/i18n';
import { Facts, Notice, useErrorText } from '@pool/shared/ui/core';
import { TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import type { Account } from '../../api/edit';

/** Changes the payout address of a sub-account for its owner, who is told and can cancel it while it is on hold. */
export function AddressDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const address = typed.trim();
  const change = useFormMutation({
    send: (api) => api('PUT /admin/wallet', { query: { accountName: account.name }, body: { btcAddress: address } }),
    said: () => t('admin.accounts.address-changed', { name: account.name }),
    reads: [['admin']],
    onDone: onClose,
  });
  const problem = useErrorText(change.error, { length: address.length });
  return (
    <FormDialog
      title={t('admin.accounts.change-address')}
      okText={t('admin.accounts.change-address')}
      ready={address !== ''}
      change={{ ...change, error: null }}
      onSubmit={() => change.mutate()}
      onCancel={onClose}
    >
      <Facts
        rows={[
          { label: t('admin.accounts.col.name'), value: account.name },
          { label: t('admin.accounts.col.address'), value: account.btcAddress },
        ]}
      />
      <TextField
        isCode
        label={t('admin.accounts.new-address')}
        error={problem}
        maxLength={100}
        value={typed}
        onChange={setTyped}
      />
      <Notice tone="info">{t('admin.accounts.address-means')}</Notice>
    </FormDialog>
  );
}
