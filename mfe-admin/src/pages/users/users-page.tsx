import type { AdminUser, UserSort } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useSearchParams } from '@pool/shared/router';
import { Button, Denied, Download, Empty, ErrorPanel, PageHeader, Segmented, useNarrow, X } from '@pool/shared/ui/core';
import { Select } from '@pool/shared/ui/form';
import { lazy, Suspense, useState } from 'react';
import { MOST } from '../../api/edit';
import { isDenied, PagedTable, useRows } from '../../parts/paged-table';
import parts from '../../parts/parts.module.css';
import { SelectedBar } from '../../parts/selected-bar';
import { useUsers, type UserFilter } from '../../api/users';
import { sortOf, useColumns } from './columns';
import { DEFAULT_SORT, readFilter, SORTS, writeFilter } from './filter';
import { SearchBox } from '../../parts/search-box';
import { useExport } from './use-export';
import { UserCard } from './user-card';
import styles from './users.module.css';

// Loaded when a user is opened.
const UserDrawer = lazy(async () => ({ default: (await import('./user-drawer')).UserDrawer }));

const EditUsers = lazy(async () => ({ default: (await import('./edit-users')).EditUsers }));

/** Id of the opened user in the URL. */
const OPENED = 'user';

const KINDS = { all: undefined, 'non-legacy': false, legacy: true } as const;
type Kind = keyof typeof KINDS;
const kindOf = (legacy: boolean | undefined): Kind => (legacy === undefined ? 'all' : legacy ? 'legacy' : 'non-legacy');

export function UsersPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  const users = useUsers(filter);
  const columns = useColumns();
  const narrow = useNarrow();
  const rows = useRows(users);
  const total = users.data?.pages.at(-1)?.total;
  const show = (change: Partial<UserFilter>) =>
    setParams(writeFilter(params, { ...filter, ...change }), {
      // One search makes one entry in the browser's history, not one per letter.
      replace: filter.search !== undefined && change.search !== undefined,
    });
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [editing, setEditing] = useState<readonly number[] | null>(null);
  const opened = rows?.find(({ id }) => String(id) === params.get(OPENED));
  const open = (user: AdminUser | null) => {
    const next = new URLSearchParams(params);
    if (user) next.set(OPENED, String(user.id));
    else next.delete(OPENED);
    setParams(next);
  };
  const filtered = filter.search !== undefined || filter.legacy !== undefined;
  const empty = filtered ? (
    <Empty
      title={t('admin.users.none-found')}
      action={<Button onClick={() => show({ search: undefined, legacy: undefined })}>{t('admin.users.clear')}</Button>}
    >
      {t('admin.users.none-found-hint')}
    </Empty>
  ) : (
    <Empty title={t('admin.users.empty')}>{t('admin.users.empty-hint')}</Empty>
  );
  if (isDenied(users.error)) return <Denied />;
  const search = (
    <div className={styles.search}>
      <SearchBox
        value={filter.search ?? ''}
        label={t('admin.users.search')}
        onSearch={(text) => show({ search: text || undefined })}
      />
    </div>
  );
  return (
    <div className={parts.page}>
      <PageHeader
        title={t('admin.users.title')}
        sub={total === undefined ? '\u00a0' : t('admin.users.count', { count: total })}
        actions={
          <>
            {!narrow && search}
            <Export filter={filter} narrow={narrow} />
          </>
        }
      />
      <div className={parts.controls}>
        <Segmented
          size={narrow ? 'large' : 'middle'}
          aria-label={t('admin.users.filter')}
          value={kindOf(filter.legacy)}
          onChange={(kind: Kind) => show({ legacy: KINDS[kind] })}
          options={(Object.keys(KINDS) as Kind[]).map((kind) => ({ value: kind, label: t(`admin.users.${kind}`) }))}
        />
        {narrow && search}
        {narrow && (
          <Select<UserSort>
            size="large"
            className={styles.sort}
            aria-label={t('admin.users.sort')}
            value={filter.sort}
            onChange={(sort) => show({ sort })}
            options={SORTS.map((sort) => ({ value: sort, label: t(`admin.users.sort.${sort}`) }))}
          />
        )}
      </div>
      <PagedTable
        query={users}
        label={t('admin.users.title')}
        columns={columns}
        rowKey={(user) => user.id}
        empty={empty}
        card={(user) => <UserCard user={user} />}
        selection={{ keys: chosen, onChange: (keys) => setChosen(keys.map(Number).slice(0, MOST)) }}
        onOpen={open}
        activeKey={opened?.id}
        sort={sortOf(filter.sort)}
        onSort={(sort) =>
          show({
            sort:
              SORTS.find((name) => sort && name === `${sort.order === 'descend' ? '-' : ''}${sort.key}`) ??
              DEFAULT_SORT,
          })
        }
      />
      {opened && (
        <Suspense>
          <UserDrawer user={opened} onEdit={() => setEditing([opened.id])} onClose={() => open(null)} />
        </Suspense>
      )}
      {chosen.length > 0 && (
        <SelectedBar count={chosen.length} onEdit={() => setEditing(chosen)} onClear={() => setChosen([])} />
      )}
      {editing && (
        <Suspense>
          <EditUsers ids={editing} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </div>
  );
}

function Export({ filter, narrow }: { filter: UserFilter; narrow: boolean }) {
  const { t } = useTranslation();
  const { start, cancel, running, error, done, total } = useExport(filter);
  const text = running ? t('admin.users.exporting', { done, total }) : t('admin.users.export');
  return (
    <>
      {error && !running && <ErrorPanel error={error} onRetry={start} />}
      {running && (
        <Button
          type="text"
          icon={<X size={16} aria-hidden />}
          onClick={cancel}
          aria-label={t('admin.users.cancel-export')}
        />
      )}
      <Button
        size={narrow ? 'large' : 'middle'}
        icon={<Download size={16} aria-hidden />}
        onClick={start}
        loading={running}
        aria-label={text}
      >
        {narrow ? null : text}
      </Button>
    </>
  );
}
