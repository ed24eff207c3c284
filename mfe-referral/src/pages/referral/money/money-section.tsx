import { useTranslation } from '@pool/shared/i18n';
import { useApi, useServiceQuery } from '@pool/shared/remote';
import { oneOf, useUrlState } from '@pool/shared/router';
import { Segmented, Btc, Empty, formatDayClock, StateMark, useFormat } from '@pool/shared/ui/core';
import { WalletPanel, type WalletCalls } from '@pool/shared/ui/payout';
import type { Payment, Answer, ApiClient } from '@pool/shared';
import { QueryTable, idOf, ShortenedText, type DataColumn } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { useMemo } from 'react';
import { AccrualsList } from './accruals-list';
import styles from './money.module.css';
import { LIMIT } from '../../../api/lists';

const walletOf = ({ walletAddress, hold }: Answer<'GET /referral/wallet'>) => ({
  btcAddress: walletAddress,
  hold,
  history: [],
});

/** Where referral earnings are paid to. Setting the address before a change again cancels the change. */
function referralWallet(api: ApiClient): WalletCalls {
  const set = async (walletAddress: string) => walletOf(await api('PUT /referral/wallet', { body: { walletAddress } }));
  return {
    key: ['referral', 'wallet'],
    read: async (signal) => walletOf(await api('GET /referral/wallet', { signal })),
    set,
    cancel: set,
  };
}

function Created({ row }: { row: Payment }) {
  const { language } = useFormat();
  return <time dateTime={row.createdAt}>{formatDayClock(language, 'utc', row.createdAt, true)}</time>;
}

function PaymentsList() {
  const { t } = useTranslation();
  const payments = useServiceQuery(({ api }) => ({
    queryKey: ['referral', 'payments'],
    queryFn: ({ signal }) => api('GET /referral/payments', { query: { limit: LIMIT }, signal }),
    select: ({ rows }) => rows,
  }));
  const columns = useMemo((): DataColumn<Payment>[] => {
    const title = (key: string) => ({ key, title: t(`referral.col.${key}`) });
    const copied = (key: 'address' | 'txid', drop?: number): DataColumn<Payment> => ({
      ...title(key),
      width: 190,
      drop,
      render: (row) => <ShortenedText text={row[key]} label={t(`referral.col.${key}`)} />,
    });
    return [
      { ...title('created'), width: 150, names: true, render: (row) => <Created row={row} /> },
      { ...title('amount'), width: 130, numeric: true, render: (row) => <Btc bare sats={row.amountSat} /> },
      copied('address', 1),
      copied('txid'),
      { ...title('state'), width: 130, render: (row) => <StateMark state={row.status} /> },
    ];
  }, [t]);
  return (
    <QueryTable
      query={payments}
      label={t('referral.payments')}
      columns={columns}
      rowKey={idOf}
      empty={<Empty title={t('referral.payments-none')}>{t('referral.payments-hint')}</Empty>}
    />
  );
}

const LISTS = ['accruals', 'payments'] as const;
const PLACE = { money: oneOf(LISTS) };

/** Referral money: where it goes, and what came of each day or what was paid. */
export function MoneySection() {
  const { t } = useTranslation();
  const calls = referralWallet(useApi());
  const [{ money: list = 'accruals' }, set] = useUrlState(PLACE);
  return (
    <section className={styles.section} aria-labelledby="referral-money">
      <h2 id="referral-money" className={common.title}>
        {t('referral.money')}
      </h2>
      <WalletPanel title={t('referral.wallet')} calls={calls} />
      <div className={styles.choice}>
        <Segmented
          aria-label={t('referral.money')}
          value={list}
          options={LISTS.map((value) => ({ value, label: t(`referral.${value}`) }))}
          onChange={(value) => set({ money: value })}
        />
      </div>
      {list === 'payments' ? <PaymentsList /> : <AccrualsList />}
    </section>
  );
}
