import { ALGORITHMS, type Earning } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, DASH, Facts, formatDay, Hashrate, StateMark, Usd, useFormat } from '@pool/shared/ui/core';
import { DataTable, type DataColumn } from '@pool/shared/ui/table';
import { useCallback, useMemo, type ReactNode } from 'react';
import { DayPrice } from './day-price';
import styles from './table.module.css';

type Props = { rows: readonly Earning[]; loading: boolean; empty: ReactNode };
const keyOf = (row: Earning) => `${row.day}/${row.account}/${row.algorithm}`;
const dayOf = (row: Earning) => row.day;

const useDayText = () => {
  const { language } = useFormat();
  return useCallback((day: string) => formatDay(language, 'utc', day), [language]);
};

/** Earnings grouped by day, newest first. */
export function EarningsList(props: Props) {
  const { t } = useTranslation();
  return (
    <DataTable
      {...props}
      label={t('payments.earnings')}
      columns={useColumns()}
      rowKey={keyOf}
      groupOf={dayOf}
      card={(row) => <Card row={row} />}
    />
  );
}

const Referral = ({ sats, bare }: { sats: number; bare?: boolean }) =>
  sats === 0 ? DASH : <Btc bare={bare} sats={sats} />;

function useColumns(): DataColumn<Earning>[] {
  const { t } = useTranslation();
  const dayText = useDayText();
  return useMemo(() => {
    const { quiet, strong, day: ofDay } = styles;
    const number = (
      key: string,
      width: number,
      render: DataColumn<Earning>['render'],
      more: Partial<DataColumn<Earning>> = {},
    ): DataColumn<Earning> => ({ key, title: t(`payments.col.${key}`), width, render, numeric: true, ...more });
    return [
      {
        key: 'day',
        title: t('payments.col.day'),
        width: 84,
        names: true,
        once: true,
        className: ofDay,
        render: ({ day }) => <time dateTime={day}>{dayText(day)}</time>,
      },
      { key: 'account', title: t('payments.col.account'), width: 98, render: ({ account }) => <bdi>{account}</bdi> },
      {
        key: 'algorithm',
        title: t('payments.col.algorithm'),
        width: 88,
        className: quiet,
        render: ({ algorithm }) => ALGORITHMS[algorithm].label,
      },
      number('hashrate', 102, (row) => <Hashrate hs={row.meanHashrate} />),
      number('price', 100, (row) => <DayPrice row={row} />, { drop: 1, className: quiet }),
      number('gross', 102, (row) => <Btc bare sats={row.grossSat} />),
      number('fee', 102, (row) => <Btc bare sats={row.feeSat} />, { drop: 1, className: quiet }),
      number('referral', 102, (row) => <Referral bare sats={row.referralSat} />, {
        title: <span title={t('payments.col.referral-hint')}>{t('payments.col.referral')}</span>,
        drop: 2,
        className: quiet,
      }),
      number('net', 102, (row) => <Btc bare sats={row.netSat} />, { className: strong }),
      number('btc-price', 84, (row) => <Usd usd={row.btcPriceUsd} />, { drop: 2, className: quiet }),
      {
        key: 'status',
        title: t('payments.col.status'),
        width: 116,
        render: (row) => <StateMark state={row.status} />,
      },
    ];
  }, [t, dayText]);
}

function Card({ row }: { row: Earning }) {
  const { t } = useTranslation();
  const dayText = useDayText();
  return (
    <details className={styles.card}>
      <summary>
        <span>
          <time dateTime={row.day}>{dayText(row.day)}</time> · <bdi>{row.account}</bdi>
        </span>
        <span className={styles.strong}>
          <Btc sats={row.netSat} />
        </span>
        <span className={styles.quiet}>
          <Hashrate hs={row.meanHashrate} /> · {ALGORITHMS[row.algorithm].label}
        </span>
        <StateMark state={row.status} />
      </summary>
      <Facts
        className={styles.more}
        rows={[
          { label: t('payments.col.price'), value: <DayPrice row={row} /> },
          { label: t('payments.col.gross'), value: <Btc sats={row.grossSat} /> },
          { label: t('payments.col.fee'), value: <Btc sats={row.feeSat} /> },
          { label: t('payments.col.referral'), value: <Referral sats={row.referralSat} /> },
          { label: t('payments.col.btc-price'), value: <Usd usd={row.btcPriceUsd} /> },
        ]}
      />
    </details>
  );
}
