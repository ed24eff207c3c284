import { ALGORITHMS, type AlgorithmName, type PoolAbility, type SubAccount, type SubAccountFacts } from '@pool/shared';
import { shorten } from '@pool/shared/domain';
import { useTranslation } from '@pool/shared/i18n';
import { PageLink, useAbility, SUB_ACCOUNT_FACTS } from '@pool/shared/remote';
import { AccountRates, AccountWorkers, Btc, Button, DASH, StateGlyph, VisuallyHidden } from '@pool/shared/ui/core';
import { ActionButton, useMayEdit, pageHeading } from '@pool/shared/ui/form';
import { DataTable, idOf, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';

/** Deletes after a confirmation, which says what has to be done first where something does. */
function DeleteButton({ row: { id, name, facts } }: { row: Pick<Row, 'id' | 'name' | 'facts'> }) {
  const { t } = useTranslation();
  return (
    <ActionButton
      size="small"
      type="text"
      text={t('account.sub.delete')}
      of={name}
      question={{
        title: t('account.sub.deleteTitle', { name }),
        content: t(facts?.obstacle ? `ui.error.${facts.obstacle}` : 'account.sub.deleteText'),
      }}
      send={(api) => api('DELETE /subAccounts/{id}', { params: { id } })}
      said={() => t('account.sub.deleted', { name })}
      // What stands in the way may have changed too.
      reads={[['subAccounts'], SUB_ACCOUNT_FACTS]}
      focus={pageHeading}
    />
  );
}

type Port = { algorithm: AlgorithmName; port: number };
export type Row = Omit<SubAccount, 'ports'> & {
  primary: boolean;
  /** Undefined until loaded. */
  facts: SubAccountFacts | undefined;
  /** The sub-account's own ports, without the pool's. */
  ports: Port[];
};
type Props = { rows: readonly Row[]; loading: boolean; onPassword(row: Row): void };

export function SubAccountList({ rows, loading, onPassword }: Props) {
  const { t } = useTranslation();
  const columns = useColumns(onPassword);
  return (
    <DataTable label={t('account.tab.sub-accounts')} columns={columns} rowKey={idOf} rows={rows} loading={loading} />
  );
}

function Name({ row }: { row: Row }) {
  const { t } = useTranslation();
  return (
    <>
      <bdi className={common.strong}>{row.name}</bdi>{' '}
      {row.primary && <span className={common.quiet}>{t('account.primary')}</span>}
      {row.ports.map(({ algorithm, port }) => (
        <bdi key={algorithm} dir="ltr" className={styles.block}>
          {ALGORITHMS[algorithm].label} {port}
        </bdi>
      ))}
    </>
  );
}

/** An element: a page translator replaces texts, which React could not take away then. */
const UNKNOWN = <span>{DASH}</span>;
const rates = ({ facts }: Row) => (facts ? <AccountRates {...facts} /> : UNKNOWN);
const workers = ({ facts }: Row) => (facts ? <AccountWorkers brief {...facts} /> : UNKNOWN);

/** The payout address, as a link to where it is set. */
function Address({ row: { name, facts } }: { row: Row }) {
  const { t } = useTranslation();
  if (!facts) return UNKNOWN;
  const { btcAddress, heldUntil } = facts;
  return (
    <>
      {heldUntil !== null && (
        <span title={t('account.sub.held')}>
          <StateGlyph state="review" /> <VisuallyHidden>{t('account.sub.held')}</VisuallyHidden>
        </span>
      )}
      <PageLink page="payments.settings" search={`&${new URLSearchParams({ account: name })}`} keepWords>
        {btcAddress === null ? t('account.sub.noAddress') : <bdi dir="ltr">{shorten(btcAddress)}</bdi>}
      </PageLink>
    </>
  );
}

function Actions({ row, onPassword }: { row: Row; onPassword(row: Row): void }) {
  const { t } = useTranslation();
  return (
    <span className={common.buttons}>
      <Button
        size="small"
        onClick={() => onPassword(row)}
        aria-label={`${t('account.sub.minerPassword')}: ${row.name}`}
      >
        {t('account.sub.minerPassword')}
      </Button>
      {!row.primary && <DeleteButton row={row} />}
    </span>
  );
}

function useColumns(onPassword: Props['onPassword']): DataColumn<Row>[] {
  const { t } = useTranslation();
  const mayEdit = useMayEdit('account');
  const seesMoney = useAbility<PoolAbility>().can('read', 'payments');
  return useMemo(() => {
    const title = (key: string) => ({ key, title: t(`account.sub.${key}`) });
    const columns: DataColumn<Row>[] = [
      { ...title('name'), width: 150, names: true, render: (row) => <Name row={row} /> },
      { ...title('hashrate'), width: 110, numeric: true, render: rates },
      { ...title('workers'), width: 160, drop: 1, render: workers },
      { ...title('unpaid'), width: 120, numeric: true, render: (row) => <Btc bare sats={row.facts?.unpaidSat} /> },
      { ...title('address'), width: 160, drop: 2, render: (row) => <Address row={row} /> },
      {
        key: 'actions',
        title: t('account.actions'),
        width: 262,
        wraps: true,
        render: (row) => <Actions row={row} onPassword={onPassword} />,
      },
    ];
    return columns.filter(
      ({ key }) => (mayEdit || key !== 'actions') && (seesMoney || (key !== 'unpaid' && key !== 'address')),
    );
  }, [t, onPassword, mayEdit, seesMoney]);
}
