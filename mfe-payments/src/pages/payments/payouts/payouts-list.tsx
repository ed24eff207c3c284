import { shorten, type Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useIsOfAll } from '@pool/shared/remote';
import { Link, useUrlState } from '@pool/shared/router';
import { Btc, DASH, formatDay, useFormat } from '@pool/shared/ui/core';
import { AMOUNT, DataTable, idOf, ShortenedText, type DataColumn, type TableHandle } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { CourseLine } from './course-line';
import styles from '../table.module.css';

type Props = { rows: readonly Payment[]; loading: boolean; empty: ReactNode; explorer: string | null };
/** Id of the payout that is open: `?tab=payouts&payout=12`. */
export const PLACE = { payout: (id: string | null) => (id !== null && /^\d{1,10}$/.test(id) ? Number(id) : null) };
/** The page of a transaction at the operator's explorer. */
export const explorerUrl = (explorer: string | null, txid: string | null): string | undefined =>
  explorer?.replace('{txid}', encodeURIComponent(txid ?? ''));

export function PayoutsList({ explorer, ...props }: Props) {
  const { t } = useTranslation();
  const [{ payout: wanted }] = useUrlState(PLACE);
  const table = useRef<TableHandle>(null);
  const at = props.rows.findIndex(({ id }) => id === wanted);
  // The payout the address names is brought on screen once, when its row is there.
  useEffect(() => {
    if (at >= 0) table.current?.scrollTo(at);
  }, [wanted, at]);
  return (
    <DataTable
      {...props}
      ref={table}
      label={t('payments.payouts')}
      columns={useColumns(explorer)}
      rowKey={idOf}
      activeKey={wanted ?? undefined}
      card={(row) => <Card row={row} />}
    />
  );
}

function PayoutLink({ row: { id, createdAt }, className }: { row: Payment; className?: string }) {
  const { language } = useFormat();
  const [, , searchOf] = useUrlState(PLACE);
  return (
    <Link to={{ search: searchOf({ payout: id }) }} className={className}>
      <time dateTime={createdAt}>{formatDay(language, 'utc', createdAt, true)}</time>
    </Link>
  );
}

/** Those that stay are wide: where they do not fit, cards leave nothing out. */
function useColumns(explorer: string | null): DataColumn<Payment>[] {
  const { t } = useTranslation();
  const isOfAll = useIsOfAll();
  return useMemo(() => {
    const { quiet } = common;
    const { strong, day } = styles;
    const title = (key: string) => ({ key, title: t(`payments.col.${key}`) });
    return [
      {
        ...title('payout'),
        width: 132,
        names: true,
        className: day,
        wraps: isOfAll,
        render: (row) => (
          <>
            <PayoutLink row={row} />
            {isOfAll && (
              <div className={quiet}>
                <bdi>{row.account}</bdi>
              </div>
            )}
          </>
        ),
      },
      { ...title('course'), width: 546, wraps: true, render: (row) => <CourseLine payout={row} /> },
      {
        ...title('amount'),
        width: AMOUNT,
        numeric: true,
        className: strong,
        render: (row) => <Btc bare sats={row.amountSat} />,
      },
      {
        ...title('network-fee'),
        width: AMOUNT,
        drop: 2,
        numeric: true,
        className: quiet,
        render: (row) => <Btc bare sats={row.networkFeeSat} />,
      },
      {
        ...title('address'),
        width: 188,
        drop: 1,
        render: (row) => <ShortenedText text={row.address} label={t('payments.col.address')} />,
      },
      {
        ...title('txid'),
        width: 178,
        render: (row) => (
          <ShortenedText text={row.txid} label={t('payments.col.txid')} href={explorerUrl(explorer, row.txid)} />
        ),
      },
    ];
  }, [t, explorer, isOfAll]);
}

function Card({ row }: { row: Payment }) {
  const isOfAll = useIsOfAll();
  return (
    <div className={common.card}>
      <PayoutLink row={row} className={styles.opens} />
      <span className={styles.strong}>
        <Btc sats={row.amountSat} />
      </span>
      <div className={styles.whole}>
        {isOfAll && <bdi className={common.quiet}>{row.account}</bdi>}
        <CourseLine payout={row} />
        <bdi dir="ltr" className={common.quiet}>
          {row.address === null ? DASH : shorten(row.address)}
        </bdi>
      </div>
    </div>
  );
}
