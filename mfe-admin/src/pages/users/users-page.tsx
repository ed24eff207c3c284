import type { UserSort, ApiClient } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { allPages } from '@pool/shared/pages';
import { lazyPart, useApi } from '@pool/shared/remote';
import { oneOf, shortText, useUrlState } from '@pool/shared/router';
import { Button, Download, Empty, ErrorPanel, Segmented, useNarrow, X } from '@pool/shared/ui/core';
import { useCsvExport, useRows } from '@pool/shared/ui/table';
import { SearchBox, Select } from '@pool/shared/ui/form';
import { useState } from 'react';
import { MOST } from '../../api/edit';
import { Page } from '../../parts/page';
import { PagedTable, serverSort, sortOf } from '../../parts/paged-table';
import parts from '../../parts/parts.module.css';
import { SelectedBar } from '../../parts/selected-bar';
import { useColumns, UserCard } from './columns';
import { CSV } from './csv';
import { useList } from '../../api/reads';

type UserFilter = { search?: string; legacy?: boolean; sort: UserSort };

const usersPage =
  (api: ApiClient, { legacy, ...filter }: UserFilter) =>
  ({ signal, ...part }: { cursor?: string; limit: number; signal?: AbortSignal }) =>
    // A query parameter is text; the contract parses `true` and `false`.
    api('GET /users/', { query: { ...filter, legacy: legacy?.toString(), ...part }, signal });

/** The server searches, sorts and pages, so that 100,000 users cost the page as much as ten. */
const useUsers = (filter: UserFilter) =>
  useList(['admin', 'users', filter], (api, part) => usersPage(api, filter)(part));

const UserDrawer = lazyPart([], async () => (await import('./user-drawer')).UserDrawer, null);

const EditUsers = lazyPart([], async () => (await import('./edit-users')).EditUsers, null);

/** Columns in the order of the phone's sort menu. */
const SORTS = [
  '-hashrate24h',
  'hashrate24h',
  'userName',
  '-userName',
  '-unpaidSat',
  'unpaidSat',
  '-workersOnline',
  'workersOnline',
  '-createdAt',
  'createdAt',
  '-lastSeenAt',
  'lastSeenAt',
] as const satisfies readonly UserSort[];
const PLACE = {
  q: shortText,
  legacy: (text: string | null) => (text === 'true' ? true : text === 'false' ? false : undefined),
  sort: oneOf(SORTS, '-hashrate24h'),
  user: shortText,
};

const KINDS = { all: undefined, 'non-legacy': false, legacy: true } as const;
type Kind = keyof typeof KINDS;
const kindOf = (legacy: boolean | undefined): Kind => (legacy === undefined ? 'all' : legacy ? 'legacy' : 'non-legacy');

export function UsersPage() {
  const { t } = useTranslation();
  const [{ q: search, legacy, sort, user }, set] = useUrlState(PLACE);
  const filter = { search, legacy, sort };
  const users = useUsers(filter);
  const columns = useColumns();
  const narrow = useNarrow();
  const rows = useRows(users);
  const total = users.data?.pages.at(-1)?.total;
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [editing, setEditing] = useState<readonly number[] | null>(null);
  const opened = rows?.find(({ id }) => String(id) === user);
  const filtered = search !== undefined || legacy !== undefined;
  const empty = filtered ? (
    <Empty
      title={t('admin.users.none-found')}
      action={<Button onClick={() => set({ q: undefined, legacy: undefined })}>{t('admin.users.clear')}</Button>}
    >
      {t('admin.users.none-found-hint')}
    </Empty>
  ) : (
    <Empty title={t('admin.users.empty')}>{t('admin.users.empty-hint')}</Empty>
  );
  const searchBox = <SearchBox value={search} label={t('admin.users.search')} onSearch={(q, how) => set({ q }, how)} />;
  return (
    <Page
      error={users.error}
      title={t('admin.nav.users')}
      sub={total === undefined ? '\u00a0' : t('admin.users.count', { count: total })}
      actions={
        <>
          {!narrow && searchBox}
          <Export filter={filter} narrow={narrow} />
        </>
      }
    >
      <div className={parts.controls}>
        <Segmented
          size={narrow ? 'large' : 'middle'}
          aria-label={t('admin.users.filter')}
          value={kindOf(legacy)}
          onChange={(kind: Kind) => set({ legacy: KINDS[kind] })}
          options={(Object.keys(KINDS) as Kind[]).map((kind) => ({ value: kind, label: t(`admin.users.${kind}`) }))}
        />
        {narrow && searchBox}
        {narrow && (
          <Select<(typeof SORTS)[number]>
            size="large"
            className={parts.search}
            aria-label={t('admin.users.sort')}
            value={sort}
            onChange={(next) => set({ sort: next })}
            options={SORTS.map((value) => ({ value, label: t(`admin.users.sort.${value}`) }))}
          />
        )}
      </div>
      <PagedTable
        query={users}
        label={t('admin.nav.users')}
        columns={columns}
        empty={empty}
        card={(row) => <UserCard user={row} />}
        selection={{ keys: chosen, onChange: (keys) => setChosen(keys.map(Number).slice(0, MOST)) }}
        onOpen={(row) => set({ user: String(row.id) })}
        activeKey={opened?.id}
        sort={sortOf(sort)}
        onSort={(next) => set({ sort: serverSort(SORTS, next) })}
      />
      {opened && (
        <UserDrawer user={opened} onEdit={() => setEditing([opened.id])} onClose={() => set({ user: undefined })} />
      )}
      {chosen.length > 0 && (
        <SelectedBar count={chosen.length} onEdit={() => setEditing(chosen)} onClear={() => setChosen([])} />
      )}
      {editing && <EditUsers ids={editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

function Export({ filter, narrow }: { filter: UserFilter; narrow: boolean }) {
  const { t } = useTranslation();
  const api = useApi();
  const { start, cancel, running, error, done, total } = useCsvExport(CSV, {
    name: 'users.csv',
    load: (loading) => allPages(usersPage(api, filter), loading),
    said: (count) => t('admin.users.exported', { count }),
  });
  const text = running ? t('admin.users.exporting', { done, total }) : t('admin.users.export');
  return (
    <>
      {error && !running && <ErrorPanel error={error} onRetry={start} />}
      {running && <Button type="text" icon={<X />} onClick={cancel} aria-label={t('admin.users.cancel-export')} />}
      <Button
        size={narrow ? 'large' : 'middle'}
        icon={<Download />}
        onClick={start}
        loading={running}
        aria-label={text}
      >
        {narrow ? null : text}
      </Button>
    </>
  );
}
