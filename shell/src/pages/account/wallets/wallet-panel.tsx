import type { Wallet } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useMutation, useQuery, useQueryClient } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import {
  App,
  Button,
  CopyField,
  Empty,
  Loading,
  Notice,
  Panel,
  QueryError,
  Skeleton,
  useFormat,
  useNow,
} from '@pool/shared/ui/core';
import { useState } from 'react';
import { useProblemText } from '../field';
import styles from '../form.module.css';
import { IfMayEdit } from '../may-edit';
import { walletQuery } from '../queries';
import { AddressForm } from './address-form';
import { WalletHistory } from './wallet-history';

export function WalletPanel({ account }: { account: string }) {
  const { t } = useTranslation();
  const query = useQuery(walletQuery(useApi(), account));
  const { data: wallet, error } = query;
  const [editing, setEditing] = useState(false);
  return (
    <Panel title={t('account.wallet.title', { name: account })}>
      <QueryError query={query} />
      {!wallet && !error && (
        <Loading>
          <Skeleton height={44} />
        </Loading>
      )}
      {wallet && (
        <div className={styles.stack}>
          {wallet.hold && <Hold account={account} hold={wallet.hold} />}
          {wallet.btcAddress === null ? (
            !editing && (
              <Empty
                title={t('account.wallet.none')}
                action={
                  <IfMayEdit>
                    <Button type="primary" onClick={() => setEditing(true)}>
                      {t('account.wallet.set')}
                    </Button>
                  </IfMayEdit>
                }
              >
                {t('account.wallet.noneHint')}
              </Empty>
            )
          ) : (
            <CopyField size="large" label={t('account.wallet.address')} value={wallet.btcAddress} />
          )}
          {editing ? (
            <AddressForm account={account} isFirst={wallet.btcAddress === null} onDone={() => setEditing(false)} />
          ) : (
            wallet.btcAddress !== null && (
              <IfMayEdit>
                <div className={styles.actions}>
                  <Button onClick={() => setEditing(true)}>{t('account.wallet.change')}</Button>
                </div>
              </IfMayEdit>
            )
          )}
          {wallet.history.length > 0 && <WalletHistory history={wallet.history} />}
        </div>
      )}
    </Panel>
  );
}

/** The time until the new address is paid to, counted down, and the way back. */
function Hold({ account, hold: { until, oldAddress } }: { account: string; hold: NonNullable<Wallet['hold']> }) {
  const { t } = useTranslation();
  const { moment, duration } = useFormat();
  const now = useNow();
  const api = useApi();
  const queryClient = useQueryClient();
  const { message, modal } = App.useApp();
  const say = useProblemText();
  const cancel = useMutation({
    mutationFn: () => api('DELETE /wallet/change', { query: { accountName: account } }),
    onSuccess: (wallet) => {
      queryClient.setQueryData(walletQuery(api, account).queryKey, wallet);
      message.success(t('account.wallet.cancelled'));
    },
  });
  const left = Math.max(0, Date.parse(until) / 1000 - now);
  return (
    <Notice
      tone="warn"
      state="review"
      action={
        <IfMayEdit>
          <Button
            size="small"
            loading={cancel.isPending}
            onClick={() =>
              modal.confirm({
                title: t('account.wallet.cancelTitle'),
                content: t('account.wallet.cancelText', { address: oldAddress }),
                okText: t('account.wallet.cancel'),
                cancelText: t('account.back'),
                onOk: () => cancel.mutate(),
              })
            }
          >
            {t('account.wallet.cancel')}
          </Button>
        </IfMayEdit>
      }
    >
      <p>{t('account.wallet.hold', { until: moment(until), left: duration(left, 2) })}</p>
      <p className={styles.quiet}>
        {t('account.wallet.before')} <bdi dir="ltr">{oldAddress}</bdi>
      </p>
      {cancel.error && (
        <p role="alert" className={styles.error}>
          {say(cancel.error)}
        </p>
      )}
    </Notice>
  );
}
