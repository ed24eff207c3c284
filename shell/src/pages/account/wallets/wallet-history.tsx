import { shorten, type Wallet } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { CopyButton, DASH, StateGlyph, useFormat, type StateName } from '@pool/shared/ui/core';
import { DataTable, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import styles from '../form.module.css';

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
      <summary>{t('account.wallet.history', { count: history.length })}</summary>
      <DataTable
        label={t('account.wallet.historyLabel')}
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
  if (text === null) return <span className={styles.quiet}>{DASH}</span>;
  return (
    <span>
      <bdi dir="ltr" title={text}>
        {shorten(text)}
      </bdi>{' '}
      <CopyButton value={text} label={t('account.wallet.address')} />
    </span>
  );
}

function Status({ row: { status } }: { row: Change }) {
  const { t } = useTranslation();
  return (
    <span>
      <StateGlyph state={STATES[status]} /> {t(`account.wallet.status.${status}`)}
    </span>
  );
}

function useColumns(): DataColumn<Change>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: 'at', title: t('account.when'), width: 200, names: true, render: (row) => <When at={row.at} /> },
      {
        key: 'old',
        title: t('account.wallet.from'),
        width: 190,
        drop: 1,
        render: (row) => <Address text={row.oldAddress} />,
      },
      { key: 'new', title: t('account.wallet.to'), width: 190, render: (row) => <Address text={row.newAddress} /> },
      { key: 'status', title: t('account.state'), width: 190, wraps: true, render: (row) => <Status row={row} /> },
    ],
    [t],
  );
}
