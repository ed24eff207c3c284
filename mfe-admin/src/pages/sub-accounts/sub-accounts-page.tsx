import { ALGORITHM_NAMES, ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import { Btc, Button, DASH, Empty, Facts, RunningWorkers, StateMark, useFormat, useNarrow } from '@pool/shared/ui/core';
import { SearchBox, Select } from '@pool/shared/ui/form';
import { Link, oneOf, shortText, useUrlState } from '@pool/shared/router';
import { Drawer } from '@pool/shared/ui/overlay';
import { ShortenedText, useRows, type DataColumn } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { useMemo, useState } from 'react';
import { MOST, useAccounts, type Account, type AccountSort } from '../../api/edit';
import { Page } from '../../parts/page';
import { PagedTable, serverSort, sortOf } from '../../parts/paged-table';
import { SelectedBar } from '../../parts/selected-bar';

const EditAccounts = lazyPart([], async () => (await import('./edit-accounts')).EditAccounts, null);
const AddressDialog = lazyPart([], async () => (await import('./address-dialog')).AddressDialog, null);

const SORTS = ['name', '-name', 'owner', '-owner', '-unpaidSat', 'unpaidSat'] as const satisfies readonly AccountSort[];
/** `opened`: an id. `account` is the shell's. */
const PLACE = { sort: oneOf(SORTS, 'name'), q: shortText, opened: shortText };

export function SubAccountsPage() {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const [{ sort, q: search, opened: openedId }, set] = useUrlState(PLACE);
  const query = useAccounts({ search, sort });
  const rows = useRows(query);
  const total = query.data?.pages.at(-1)?.total;
  const columns = useColumns();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [editing, setEditing] = useState<readonly number[] | null>(null);
  const opened = rows?.find(({ id }) => String(id) === openedId);
  return (
    <Page
      error={query.error}
      title={t('admin.nav.sub-accounts')}
      sub={total === undefined ? '\u00a0' : t('admin.accounts.count', { n: total })}
      actions={<SearchBox value={search} label={t('admin.accounts.search')} onSearch={(q, how) => set({ q }, how)} />}
    >
      {narrow && (
        <Select<AccountSort>
          size="large"
          aria-label={t('admin.accounts.sort')}
          value={sort}
          onChange={(next) => set({ sort: next })}
          options={SORTS.map((value) => ({ value, label: t(`admin.accounts.sort.${value}`) }))}
        />
      )}
      <PagedTable
        query={query}
        label={t('admin.nav.sub-accounts')}
        columns={columns}
        sort={sortOf(sort)}
        onSort={(next) => set({ sort: serverSort(SORTS, next) })}
        selection={{ keys: chosen, onChange: (keys) => setChosen(keys.map(Number).slice(0, MOST)) }}
        onOpen={(row) => set({ opened: String(row.id) })}
        activeKey={opened?.id}
        empty={
          <Empty
            title={t('admin.accounts.none')}
            action={search && <Button onClick={() => set({ q: undefined })}>{t('admin.clear')}</Button>}
          />
        }
      />
      {chosen.length > 0 && (
        <SelectedBar count={chosen.length} onEdit={() => setEditing(chosen)} onClear={() => setChosen([])} />
      )}
      {opened && (
        <AccountDrawer
          account={opened}
          onEdit={() => setEditing([opened.id])}
          onClose={() => set({ opened: undefined })}
        />
      )}
      {editing && <EditAccounts ids={editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

/** Its own ports; without one it mines at the pool's. */
function Ports({ account: { ports, proxyPort } }: { account: Account }) {
  const own = ALGORITHM_NAMES.flatMap((name) =>
    ports[name] === undefined ? [] : [`${ALGORITHMS[name].label} ${ports[name]}`],
  );
  if (proxyPort !== null) own.push(String(proxyPort));
  return own.length ? <bdi dir="ltr">{own.join(', ')}</bdi> : <span className={common.quiet}>{DASH}</span>;
}

function Address({ account: { btcAddress, heldUntil, paused } }: { account: Account }) {
  const { t } = useTranslation();
  return (
    <span>
      <ShortenedText text={btcAddress} />{' '}
      {heldUntil !== null && <StateMark state="review">{t('admin.accounts.held')}</StateMark>}
      {paused && <StateMark state="disabled">{t('admin.accounts.paused')}</StateMark>}
    </span>
  );
}

function AccountDrawer({ account, onEdit, onClose }: { account: Account; onEdit(): void; onClose(): void }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const [addressing, setAddressing] = useState(false);
  const row = (name: string, value: React.ReactNode) => ({ label: t(`admin.accounts.col.${name}`), value });
  return (
    <Drawer
      open
      title={account.name}
      onClose={onClose}
      footer={
        <>
          <Button type="primary" onClick={onEdit}>
            {t('admin.edit.open')}
          </Button>
          {account.btcAddress !== null && (
            <Button onClick={() => setAddressing(true)}>{t('admin.accounts.change-address')}</Button>
          )}
        </>
      }
    >
      <Facts
        rows={[
          row('owner', <Link to={`/admin/users?q=${account.owner}`}>{account.owner}</Link>),
          row('unpaidSat', <Btc bare sats={account.unpaidSat} />),
          row('workers', <RunningWorkers {...account} />),
          ...ALGORITHM_NAMES.map((name) => ({
            label: t('admin.accounts.port', { algorithm: ALGORITHMS[name].label }),
            value: account.ports[name] ?? DASH,
          })),
          row('proxyPort', account.proxyPort ?? DASH),
          row('threshold', <Btc bare set sats={account.thresholdSat} />),
          row('address', <ShortenedText text={account.btcAddress} label={t('admin.accounts.col.address')} />),
          row('held', account.heldUntil === null ? DASH : moment(account.heldUntil)),
          row('paused', t(account.paused ? 'admin.accounts.yes' : 'admin.accounts.no')),
        ]}
      />
      {addressing && <AddressDialog account={account} onClose={() => setAddressing(false)} />}
    </Drawer>
  );
}

function useColumns(): DataColumn<Account>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const title = (key: string) => ({ key, title: t(`admin.accounts.col.${key}`) });
    return [
      {
        ...title('name'),
        width: 160,
        names: true,
        sortable: true,
        render: (row) => <bdi className={common.strong}>{row.name}</bdi>,
      },
      { ...title('owner'), width: 150, sortable: true, className: common.quiet, render: (row) => row.owner },
      {
        ...title('unpaidSat'),
        width: 130,
        numeric: true,
        sortable: true,
        first: 'descend',
        render: (row) => <Btc bare sats={row.unpaidSat} />,
      },
      { ...title('workers'), width: 100, drop: 3, numeric: true, render: (row) => <RunningWorkers {...row} /> },
      { ...title('ports'), width: 190, render: (row) => <Ports account={row} /> },
      {
        ...title('threshold'),
        width: 110,
        drop: 2,
        numeric: true,
        render: (row) => <Btc set bare sats={row.thresholdSat} />,
      },
      { ...title('address'), width: 240, wraps: true, drop: 1, render: (row) => <Address account={row} /> },
    ];
  }, [t]);
}
