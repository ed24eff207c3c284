import type { Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, Empty, formatDayClock, StateMark, useFormat } from '@pool/shared/ui/core';
import { QueryTable, ShortenedText, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { useReferralPayments } from '../../../api/lists';
import styles from './money.module.css';

const keyOf = ({ id }: Payment) => id;

function Created({ row }: { row: Payment }) {
  const { language } = useFormat();
  return <time dateTime={row.createdAt}>{formatDayClock(language, 'utc', row.createdAt, true)}</time>;
}

/** Payments of referral earnings. */
export function PaymentsList() {
  const { t } = useTranslation();
  const payments = useReferralPayments();
  const columns = useColumns();
  return (
    <QueryTable
      query={payments}
      label={t('referral.payments')}
      columns={columns}
      rowKey={keyOf}
      empty={<Empty title={t('referral.payments-none')}>{t('referral.payments-hint')}</Empty>}
      card={(row) => (
        <div className={styles.card}>
          <Created row={row} />
          <Btc sats={row.amountSat} />
          <ShortenedText text={row.txid} label={t('referral.col.txid')} />
          <StateMark state={row.status} />
        </div>
      )}
    />
  );
}

function useColumns(): DataColumn<Payment>[] {
  const { t } = useTranslation();
  return useMemo(() => {
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
}
