import type { AuditEntry } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { allPages } from '@pool/shared/pages';
import { useApi } from '@pool/shared/remote';
import { dayText, oneOf, shortText, useUrlState } from '@pool/shared/router';
import { type CsvColumns, Button, DASH, Download, Empty, ErrorPanel, Facts, useFormat } from '@pool/shared/ui/core';
import {
  ActionFilter,
  AUDIT_CSV,
  AuditSubject,
  POOL_ACTIONS,
  useAuditColumns,
  useAuditText,
} from '@pool/shared/ui/audit';
import { DayField, Field, SearchBox } from '@pool/shared/ui/form';
import { Drawer } from '@pool/shared/ui/overlay';
import { useCsvExport, useRows, PlainTable } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import type { ComponentProps } from 'react';
import { auditPage, useAudit } from '../../api/audit';
import { Page } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import parts from '../../parts/parts.module.css';
import { foldReads, type FoldedEntry } from './fold-reads';

const NAME = /^[a-z][a-z0-9_-]{2,31}$/;
const FILTER = {
  userName: (text: string | null) => (text && NAME.test(text) ? text : undefined),
  action: oneOf(POOL_ACTIONS),
  subject: shortText,
  from: dayText,
  to: dayText,
};
const PLACE = { ...FILTER, entry: shortText };
const ALL_ENTRIES = Object.fromEntries(Object.keys(FILTER).map((name) => [name, undefined]));

const CSV: CsvColumns<AuditEntry> = {
  id: ({ id }) => id,
  at_utc: ({ at }) => at,
  user: ({ userName }) => userName,
  ...AUDIT_CSV,
};

export function AuditPage() {
  const { t } = useTranslation();
  const api = useApi();
  const [{ entry, ...filter }, set] = useUrlState(PLACE);
  const query = useAudit(filter);
  const rows = useRows(query);
  const columns = useAuditColumns(doerOf, timesOf);
  const csv = useCsvExport(CSV, {
    name: 'audit.csv',
    load: (loading) => allPages(auditPage(api, filter), loading),
    said: (n) => t('admin.audit.exported', { n }),
  });
  const opened = rows?.find(({ id }) => String(id) === entry);
  const filtered = Object.values(filter).some((value) => value !== undefined);
  const searchField = (
    name: string,
    value: string | undefined,
    onSearch: ComponentProps<typeof SearchBox>['onSearch'],
  ) => (
    <Field label={t(`ui.audit.col.${name}`)}>
      {() => <SearchBox size="middle" value={value} label={t(`ui.audit.col.${name}`)} onSearch={onSearch} />}
    </Field>
  );
  return (
    <Page
      error={query.error}
      title={t('admin.nav.audit')}
      sub={t('admin.audit.what')}
      actions={
        <Button icon={<Download />} loading={csv.running} onClick={csv.start}>
          {t('admin.csv')}
        </Button>
      }
    >
      <div className={parts.filters}>
        {searchField('who', filter.userName, (text, how) => set({ userName: text.toLowerCase() }, how))}
        <ActionFilter groups={POOL_ACTIONS} value={filter.action} onChange={(action) => set({ action })} />
        {searchField('subject', filter.subject, (subject, how) => set({ subject }, how))}
        {(['from', 'to'] as const).map((end) => (
          <DayField
            key={end}
            label={t(`admin.audit.${end}`)}
            value={filter[end] ?? ''}
            onChange={(value) => set({ [end]: value })}
          />
        ))}
      </div>
      {csv.error && <ErrorPanel error={csv.error} onRetry={csv.start} />}
      <PagedTable
        query={query}
        fold={foldReads}
        label={t('admin.nav.audit')}
        columns={columns}
        onOpen={(row) => set({ entry: String(row.id) })}
        activeKey={opened?.id}
        empty={
          <Empty
            title={t(filtered ? 'admin.audit.none' : 'admin.audit.empty')}
            action={filtered && <Button onClick={() => set(ALL_ENTRIES)}>{t('admin.audit.all')}</Button>}
          />
        }
      />
      {opened && <Entry row={opened} onClose={() => set({ entry: undefined })} />}
    </Page>
  );
}

const doerOf = (row: FoldedEntry) => <Doer row={row} />;
const timesOf = ({ times }: FoldedEntry) => times !== undefined && <Times count={times} />;

function Times({ count }: { count: number }) {
  const { t } = useTranslation();
  return <span className={parts.count}>{t('admin.audit.times', { count })}</span>;
}

function Entry({ row, onClose }: { row: AuditEntry; onClose(): void }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const words = useAuditText();
  const text = (value: string) => <bdi>{value || DASH}</bdi>;
  const fact = (name: string, value: React.ReactNode) => ({ label: t(`ui.audit.col.${name}`), value });
  return (
    <Drawer open title={words.action(row.action)} onClose={onClose}>
      <div className={common.stack}>
        <Facts
          rows={[
            fact('at', moment(row.at)),
            fact('action', row.action),
            fact('who', <Doer row={row} />),
            fact('subject', <AuditSubject of={row} />),
            fact('ip', row.ip ?? DASH),
          ]}
        />
        <PlainTable
          label={t('ui.audit.col.change')}
          columns={[
            { key: 'field', title: t('admin.edit.field'), render: ({ field }) => text(field) },
            { key: 'before', title: t('admin.audit.before'), render: ({ before }) => text(before) },
            { key: 'after', title: t('admin.audit.after'), render: ({ after }) => text(after) },
          ]}
          rows={words.changes(row, true)}
          rowKey={({ field }) => field}
        />
      </div>
    </Drawer>
  );
}

function Doer({ row: { userName, member } }: { row: AuditEntry }) {
  const { t } = useTranslation();
  return (
    <>
      <bdi>{userName ?? t('admin.audit.server')}</bdi>
      {member && member !== userName && (
        <>
          {' · '}
          <bdi>{member}</bdi>
        </>
      )}
    </>
  );
}
