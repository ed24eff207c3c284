import type { Wallet } from '../../api/schemas';
import { useTranslation } from 'react-i18next';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../services';
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
} from '../core';
import { useState } from 'react';
import { IfMayEdit, Problem } from '../form';
import styles from './payout.module.css';
import { AddressForm } from './address-form';
import { walletQuery } from './queries';
import { WalletHistory } from './wallet-history';

export function WalletPanel({ account, onAddress }: { account: string; onAddress?(): void }) {
  const { t } = useTranslation();
  const query = useQuery(walletQuery(useApi(), account));
  const { data: wallet, error } = query;
  const [editing, setEditing] = useState(false);
  return (
    <Panel title={t('payout.title', { name: account })}>
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
                title={t('payout.none')}
                action={
                  <IfMayEdit>
                    <Button type="primary" onClick={() => setEditing(true)}>
                      {t('payout.set')}
                    </Button>
                  </IfMayEdit>
                }
              >
                {t('payout.noneHint')}
              </Empty>
            )
          ) : (
            <CopyField size="large" label={t('payout.address')} value={wallet.btcAddress} />
          )}
          {editing ? (
            <AddressForm
              account={account}
              isFirst={wallet.btcAddress === null}
              onDone={() => setEditing(false)}
              onAddress={onAddress}
            />
          ) : (
            wallet.btcAddress !== null && (
              <IfMayEdit>
                <div className={styles.actions}>
                  <Button onClick={() => setEditing(true)}>{t('payout.change')}</Button>
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
  const cancel = useMutation({
    mutationFn: () => api('DELETE /wallet/change', { query: { accountName: account } }),
    onSuccess: (wallet) => {
      queryClient.setQueryData(walletQuery(api, account).queryKey, wallet);
      message.success(t('payout.cancelled'));
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
                title: t('payout.cancelTitle'),
                content: t('payout.cancelText', { address: oldAddress }),
                okText: t('payout.cancel'),
                cancelText: t('payout.back'),
                onOk: () => cancel.mutate(),
              })
            }
          >
            {t('payout.cancel')}
          </Button>
        </IfMayEdit>
      }
    >
      <p>{t('payout.hold', { until: moment(until), left: duration(left, 2) })}</p>
      <p className={styles.quiet}>
        {t('payout.before')} <bdi dir="ltr">{oldAddress}</bdi>
      </p>
      <Problem error={cancel.error} />
    </Notice>
  );
}
