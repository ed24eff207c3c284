import { useTranslation } from '@pool/shared/i18n';
import { Btc, Empty, QueryError, Gift, Hashrate, StateMark, useFormat } from '@pool/shared/ui/core';
import { DataTable, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { useReferred, type Referred } from '../../api/lists';
import styles from './referred-list.module.css';

const State = ({ row }: { row: Referred }) => <StateMark state={row.active ? 'active' : 'inactive'} />;

/** Users who activated the user's code. */
export function ReferredList({ hasCode }: { hasCode: boolean }) {
  const { t } = useTranslation();
  const referred = useReferred();
  const { data, error, isPending } = referred;
  const columns = useColumns();
  const empty = hasCode ? (
    <Empty icon={<Gift size={24} aria-hidden />} title={t('referral.empty')}>
      {t('referral.empty-hint')}
    </Empty>
  ) : (
    <Empty icon={<Gift size={24} aria-hidden />} title={t('referral.empty-no-code')}>
      {t('referral.empty-no-code-hint')}
    </Empty>
  );
  return (
    <>
      <QueryError query={referred} />
      {(data || !error) && (
        <DataTable
          label={t('referral.list')}
          columns={columns}
          rows={data ?? []}
          rowKey={keyOf}
          loading={isPending}
          empty={empty}
          card={(row) => <Card row={row} />}
        />
      )}
    </>
  );
}

// Masked names repeat, but not with the same millisecond of joining.
const keyOf = (row: Referred) => `${row.name}/${row.joinedAt}`;

function useColumns(): DataColumn<Referred>[] {
  const { t } = useTranslation();
  const { day } = useFormat();
  return useMemo(
    () => [
      { key: 'name', title: t('referral.col.name'), width: 110, names: true, render: (row) => <bdi>{row.name}</bdi> },
      {
        key: 'joined',
        title: t('referral.col.joined'),
        width: 110,
        render: (row) => <time dateTime={row.joinedAt}>{day(row.joinedAt, true)}</time>,
      },
      { key: 'state', title: t('referral.col.state'), width: 116, render: (row) => <State row={row} /> },
      {
        key: 'hashrate',
        title: t('referral.col.hashrate'),
        width: 116,
        numeric: true,
        render: (row) => <Hashrate hs={row.hashrate24h} />,
      },
      {
        key: 'earned',
        title: t('referral.col.earned'),
        width: 140,
        numeric: true,
        render: (row) => <Btc bare sats={row.earnedSat} />,
      },
    ],
    [t, day],
  );
}

function Card({ row }: { row: Referred }) {
  const { t } = useTranslation();
  const { day } = useFormat();
  return (
    <div className={styles.card}>
      <bdi className={styles.name}>{row.name}</bdi>
      <State row={row} />
      <span className={styles.quiet}>
        {t('referral.col.joined')} <time dateTime={row.joinedAt}>{day(row.joinedAt, true)}</time>
      </span>
      <Hashrate hs={row.hashrate24h} />
      <span className={styles.quiet}>{t('referral.earned')}</span>
      <Btc sats={row.earnedSat} />
    </div>
  );
}
