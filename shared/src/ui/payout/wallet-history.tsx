import type { Wallet } from '../../api/schemas';
import { shorten } from '../../domain';
import { useTranslation } from 'react-i18next';
import { CopyButton, DASH, StateGlyph, useFormat, type StateName } from '../core';
import { DataTable, type DataColumn } from '../table';
import { useMemo } from 'react';
import common from '../common.module.css';
import styles from './payout.module.css';

type Change = Wallet['history'][number];
const keyOf = ({ id }: Change) => id;
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
      <DataTable
        label={t('payout.historyLabel')}
        columns={useColumns()}
        rows={history}
        rowKey={keyOf}
        empty={null}
        card={(row) => (
          <div className={styles.card}>
            <div className={styles.cardHead}>
              <When at={row.at} />
              <Status row={row} />
            </div>
            <Address text={row.newAddress} />
          </div>
        )}
      />
    </details>
  );
}

function When({ at }: { at: string }) {
  const { moment } = useFormat();
  return <time dateTime={at}>{moment(at)}</time>;
}

function Address({ text }: { text: string | null }) {
  const { t } = useTranslation();
  if (text === null) return <span className={common.quiet}>{DASH}</span>;
  return (
    <span>
      <bdi dir="ltr" title={text}>
        {shorten(text)}
      </bdi>{' '}
      <CopyButton value={text} label={t('payout.address')} />
    </span>
  );
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
        render: (row) => <Address text={row.oldAddress} />,
      },
      { key: 'new', title: t('payout.to'), width: 190, render: (row) => <Address text={row.newAddress} /> },
      { key: 'status', title: t('payout.state'), width: 190, wraps: true, render: (row) => <Status row={row} /> },
    ],
    [t],
  );
}
