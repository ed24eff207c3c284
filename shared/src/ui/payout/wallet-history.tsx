import type { Wallet } from '../../api/schemas';
import { useTranslation } from 'react-i18next';
import { StateGlyph, useFormat, type StateName } from '../core';
import { DataTable, idOf, ShortenedText, type DataColumn } from '../table';
import { useMemo } from 'react';

type Change = Wallet['history'][number];
const STATES: Record<Change['status'], StateName> = {
  held: 'review',
  done: 'final',
  cancelled: 'cancelled',
  replaced: 'disabled',
};

export function WalletHistory({ history }: { history: readonly Change[] }) {
  const { t } = useTranslation();
  return (
    <details>
      <summary>{t('payout.history', { count: history.length })}</summary>
      <DataTable label={t('payout.historyLabel')} columns={useColumns()} rows={history} rowKey={idOf} />
    </details>
  );
}

function When({ at }: { at: string }) {
  const { moment } = useFormat();
  return <time dateTime={at}>{moment(at)}</time>;
}

function Status({ row: { status } }: { row: Change }) {
  const { t } = useTranslation();
  return (
    <span>
      <StateGlyph state={STATES[status]} /> {t(`payout.status.${status}`)}
    </span>
  );
}

function useColumns(): DataColumn<Change>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: 'at', title: t('payout.when'), width: 200, names: true, render: (row) => <When at={row.at} /> },
      {
        key: 'old',
        title: t('payout.from'),
        width: 190,
        drop: 1,
        render: (row) => <ShortenedText text={row.oldAddress} label={t('payout.address')} />,
      },
      {
        key: 'new',
        title: t('payout.to'),
        width: 190,
        render: (row) => <ShortenedText text={row.newAddress} label={t('payout.address')} />,
      },
      { key: 'status', title: t('payout.state'), width: 190, wraps: true, render: (row) => <Status row={row} /> },
    ],
    [t],
  );
}
