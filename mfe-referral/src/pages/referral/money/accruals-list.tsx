import { ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, Empty, formatDay, Percent, StateGlyph, useFormat, type StateName } from '@pool/shared/ui/core';
import { QueryTable, type DataColumn } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
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

export function AccrualsList() {
  const { t } = useTranslation();
  const columns = useMemo((): DataColumn<Accrual>[] => {
    const { quiet } = common;
    const title = (key: string) => ({ key, title: t(`referral.col.${key}`) });
    const number = (key: string, width: number, render: DataColumn<Accrual>['render']) => ({
      ...title(key),
      width,
      numeric: true,
      render,
    });
    return [
      { ...title('day'), width: 110, names: true, once: true, render: (row) => <Day row={row} /> },
      { ...title('name'), width: 110, render: (row) => row.name },
      { ...title('algorithm'), width: 100, drop: 2, render: (row) => ALGORITHMS[row.algorithm].label },
      { ...number('fee', 120, (row) => <Btc bare sats={row.baseFeeSat} />), drop: 1, className: quiet },
      { ...number('rate', 90, (row) => <Percent rate={row.ratePercent / 100} />), drop: 1, className: quiet },
      number('earned', 140, (row) => <Btc bare sats={row.amountSat} />),
      { ...title('state'), width: 120, render: (row) => <Status row={row} /> },
    ];
  }, [t]);
  return (
    <QueryTable
      query={useAccruals()}
      label={t('referral.accruals')}
      columns={columns}
      rowKey={keyOf}
      groupOf={dayOf}
      empty={<Empty title={t('referral.accruals-none')}>{t('referral.accruals-hint')}</Empty>}
    />
  );
}
