import { shorten, type Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, CopyButton, DASH, Empty, formatDayClock, QueryError, StateMark, useFormat } from '@pool/shared/ui/core';
import { DataTable, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { useReferralPayments } from '../../../api/lists';
import styles from './money.module.css';

const keyOf = ({ id }: Payment) => id;

/** Shortened, copied whole. */
function Copied({ value, label }: { value: string | null; label: string }) {
  if (value === null) return DASH;
  return (
    <span className={styles.long}>
      <bdi dir="ltr" title={value}>
        {shorten(value)}
      </bdi>
      <CopyButton value={value} label={label} />
    </span>
  );
}

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
    <div className={styles.section}>
      <QueryError query={payments} />
      {(payments.data || !payments.error) && (
        <DataTable
          label={t('referral.payments')}
          columns={columns}
          rows={payments.data ?? []}
          rowKey={keyOf}
          loading={payments.isPending}
          empty={<Empty title={t('referral.payments-none')}>{t('referral.payments-hint')}</Empty>}
          card={(row) => (
            <div className={styles.card}>
              <Created row={row} />
              <Btc sats={row.amountSat} />
              <Copied value={row.txid} label={t('referral.col.txid')} />
              <StateMark state={row.status} />
            </div>
          )}
        />
      )}
    </div>
  );
}

function useColumns(): DataColumn<Payment>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'created',
        title: t('referral.col.created'),
        width: 150,
        names: true,
        render: (row) => <Created row={row} />,
      },
      {
        key: 'amount',
        title: t('referral.col.amount'),
        width: 130,
        numeric: true,
        render: (row) => <Btc bare sats={row.amountSat} />,
      },
      {
        key: 'address',
        title: t('referral.col.address'),
        width: 190,
        drop: 1,
        render: (row) => <Copied value={row.address} label={t('referral.col.address')} />,
      },
      {
        key: 'txid',
        title: t('referral.col.txid'),
        width: 190,
        render: (row) => <Copied value={row.txid} label={t('referral.col.txid')} />,
      },
      { key: 'status', title: t('referral.col.state'), width: 130, render: (row) => <StateMark state={row.status} /> },
    ],
    [t],
  );
}
