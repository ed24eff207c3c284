import { shorten } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery, useQueryClient } from '@pool/shared/query';
import { subAccountsQuery, useApi, useSession } from '@pool/shared/remote';
import { Link } from '@pool/shared/router';
import { QueryError, StateGlyph, StateMark } from '@pool/shared/ui/core';
import { PayoutPanels } from '@pool/shared/ui/payout';
import { DataTable, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import styles from '../form.module.css';
import { ListSection } from '../list-section';
import { factsQuery } from '../queries';

type Row = { id: number; name: string; btcAddress: string | null; held: boolean };
const keyOf = ({ id }: Row) => id;

/** The address of the account that is shown (the app bar's), and where each of the others is paid to. */
export default function WalletsTab() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { account } = useSession();
  return (
    <>
      <PayoutPanels account={account} onAddress={() => void queryClient.invalidateQueries(factsQuery(api))} />
      <AllWallets />
    </>
  );
}

function AllWallets() {
  const { t } = useTranslation();
  const api = useApi();
  const { userId } = useSession();
  const accounts = useQuery(subAccountsQuery(api, userId));
  const facts = useQuery(factsQuery(api));
  const columns = useColumns();
  const rows = useMemo(
    () =>
      (facts.data ?? []).flatMap(({ id, btcAddress, heldUntil }): Row[] => {
        const name = accounts.data?.subAccounts.find((account) => account.id === id)?.name;
        return name === undefined ? [] : [{ id, name, btcAddress, held: heldUntil !== null }];
      }),
    [accounts.data, facts.data],
  );
  if (rows.length < 2) return null;
  return (
    <ListSection title={t('account.wallet.all')}>
      <QueryError query={facts} />
      <DataTable
        label={t('account.wallet.all')}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        empty={null}
        card={(row) => (
          <div className={styles.card}>
            <div className={styles.cardHead}>
              <Name row={row} />
              <State row={row} />
            </div>
            <Address row={row} />
          </div>
        )}
      />
    </ListSection>
  );
}

function Name({ row }: { row: Row }) {
  const { t } = useTranslation();
  const { account, userName } = useSession();
  return (
    <span>
      <Link
        to={{ search: `?${new URLSearchParams({ account: row.name })}` }}
        aria-current={row.name === account ? 'true' : undefined}
      >
        <bdi>{row.name}</bdi>
      </Link>{' '}
      {row.name === userName && <span className={styles.quiet}>{t('account.primary')}</span>}
    </span>
  );
}

function Address({ row: { btcAddress } }: { row: Row }) {
  const { t } = useTranslation();
  if (btcAddress === null) return <span className={styles.quiet}>{t('account.wallet.none')}</span>;
  return (
    <bdi dir="ltr" title={btcAddress}>
      {shorten(btcAddress)}
    </bdi>
  );
}

function State({ row: { btcAddress, held } }: { row: Row }) {
  const { t } = useTranslation();
  if (btcAddress === null) return null;
  if (!held) return <StateMark state="active" />;
  return (
    <span>
      <StateGlyph state="review" /> {t('account.wallet.status.held')}
    </span>
  );
}

function useColumns(): DataColumn<Row>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: 'name', title: t('account.sub.name'), width: 180, names: true, render: (row) => <Name row={row} /> },
      { key: 'address', title: t('account.wallet.address'), width: 200, render: (row) => <Address row={row} /> },
      { key: 'state', title: t('account.state'), width: 160, render: (row) => <State row={row} /> },
    ],
    [t],
  );
}
