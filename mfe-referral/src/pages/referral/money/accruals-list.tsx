import { ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import {
  Btc,
  Empty,
  formatDay,
  Percent,
  QueryError,
  StateGlyph,
  useFormat,
  type StateName,
} from '@pool/shared/ui/core';
import { DataTable, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { useAccruals, type Accrual } from '../../../api/lists';
import styles from './money.module.css';

const GLYPHS: Record<Accrual['status'], StateName> = {
  accrued: 'pending',
  payable: 'queued',
  paid: 'confirmed',
  reversed: 'cancelled',
};
const keyOf = (row: Accrual) => `${row.day}/${row.name}/${row.algorithm}/${row.status}`;
const dayOf = ({ day }: Accrual) => day;

function Status({ row: { status } }: { row: Accrual }) {
  const { t } = useTranslation();
  return (
    <span className={styles.status}>
      <StateGlyph state={GLYPHS[status]} />
      {t(`referral.status.${status}`)}
    </span>
  );
}

function Day({ row }: { row: Accrual }) {
  const { language } = useFormat();
  return <time dateTime={row.day}>{formatDay(language, 'utc', row.day)}</time>;
}

/** What each referred miner brought per UTC day. */
export function AccrualsList() {
  const { t } = useTranslation();
  const accruals = useAccruals();
  const columns = useColumns();
  return (
    <div className={styles.section}>
      <QueryError query={accruals} />
      {(accruals.data || !accruals.error) && (
        <DataTable
          label={t('referral.accruals')}
          columns={columns}
          rows={accruals.data ?? []}
          rowKey={keyOf}
          groupOf={dayOf}
          loading={accruals.isPending}
          empty={<Empty title={t('referral.accruals-none')}>{t('referral.accruals-hint')}</Empty>}
          card={(row) => (
            <div className={styles.card}>
              <span>
                <Day row={row} /> · <bdi>{row.name}</bdi>
              </span>
              <Btc sats={row.amountSat} />
              <span className={styles.quiet}>{ALGORITHMS[row.algorithm].label}</span>
              <Status row={row} />
            </div>
          )}
        />
      )}
    </div>
  );
}

function useColumns(): DataColumn<Accrual>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'day',
        title: t('referral.col.day'),
        width: 110,
        names: true,
        once: true,
        render: (row) => <Day row={row} />,
      },
      { key: 'name', title: t('referral.col.name'), width: 110, render: (row) => <bdi>{row.name}</bdi> },
      {
        key: 'algorithm',
        title: t('referral.col.algorithm'),
        width: 100,
        drop: 2,
        render: (row) => ALGORITHMS[row.algorithm].label,
      },
      {
        key: 'fee',
        title: t('referral.col.fee'),
        width: 120,
        drop: 1,
        numeric: true,
        className: styles.quiet,
        render: (row) => <Btc bare sats={row.baseFeeSat} />,
      },
      {
        key: 'rate',
        title: t('referral.col.rate'),
        width: 90,
        drop: 1,
        numeric: true,
        className: styles.quiet,
        render: (row) => <Percent rate={row.ratePercent / 100} />,
      },
      {
        key: 'amount',
        title: t('referral.col.earned'),
        width: 140,
        numeric: true,
        render: (row) => <Btc bare sats={row.amountSat} />,
      },
      { key: 'status', title: t('referral.col.state'), width: 120, render: (row) => <Status row={row} /> },
    ],
    [t],
  );
}
