import type { AuditEntry } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useMutation } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import {
  App,
  Button,
  DASH,
  Denied,
  Download,
  downloadCsv,
  Empty,
  ErrorPanel,
  Facts,
  useActionText,
  useFormat,
} from '@pool/shared/ui/core';
import { DayField, Field, Select } from '@pool/shared/ui/form';
import { Drawer } from '@pool/shared/ui/overlay';
import type { DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { auditPage, useAudit, type AuditFilter } from '../../api/audit';
import { allPages } from '../../api/pages';
import { Page } from '../../parts/page';
import { isDenied, PagedTable, useRows } from '../../parts/paged-table';
import parts from '../../parts/parts.module.css';
import { SearchBox } from '../../parts/search-box';
import { usePlace } from '../../parts/use-place';
import { linesOf, textOf as valueText } from './difference';
import { foldReads, type FoldedEntry } from './fold-reads';

/** Groups of actions to filter by: the first word of each. */
const GROUPS = [
  'user',
  'sub_account',
  'payment',
  'payments',
  'payment_settings',
  'earning',
  'terms',
  'price',
  'bonus',
  'wallet',
  'payout_settings',
  'view_as',
  'remote',
  'pool_config',
  'watcher',
  'api_key',
  'telegram',
  'referral',
  'worker',
  'worker_group',
] as const;
const ALL = 'all';
const NAME = /^[a-z][a-z0-9_-]{2,31}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const FIELDS = ['userName', 'action', 'subject', 'from', 'to'] as const;

/** Everything that was done, by whom, from where, and what it changed. */
export function AuditPage() {
  const { t } = useTranslation();
  const api = useApi();
  const { message } = App.useApp();
  const { get, oneOf, set } = usePlace();
  const day = (name: string) => (DAY.test(get(name) ?? '') ? get(name) : undefined);
  const user = get('userName');
  const filter: AuditFilter = {
    userName: user && NAME.test(user) ? user : undefined,
    action: oneOf('action', GROUPS),
    subject: get('subject')?.slice(0, 64),
    from: day('from'),
    to: day('to'),
  };
  const query = useAudit(filter);
  const rows = useRows(query);
  const columns = useColumns();
  const csv = useMutation({
    mutationFn: () => allPages(auditPage(api, filter)),
    onSuccess: (entries) => {
      downloadCsv(
        'audit.csv',
        ['id', 'at_utc', 'user', 'action', 'subject', 'before', 'after', 'address'],
        entries.map((row) => [
          row.id,
          row.at,
          row.userName,
          row.action,
          row.subject,
          valueText(row.before),
          valueText(row.after),
          row.ip,
        ]),
      );
      message.success(t('admin.audit.exported', { n: entries.length }));
    },
  });
  const opened = rows?.find(({ id }) => String(id) === get('entry'));
  const filtered = FIELDS.some((name) => filter[name] !== undefined);
  if (isDenied(query.error)) return <Denied />;
  return (
    <Page
      title={t('admin.nav.audit')}
      sub={t('admin.audit.what')}
      actions={
        <Button icon={<Download size={16} aria-hidden />} loading={csv.isPending} onClick={() => csv.mutate()}>
          {t('admin.csv')}
        </Button>
      }
    >
      <div className={parts.filters}>
        <Field label={t('admin.audit.col.user')}>
          {() => (
            <SearchBox
              value={user ?? ''}
              label={t('admin.audit.col.user')}
              onSearch={(text) => set({ userName: text.toLowerCase() }, { replace: user !== undefined })}
            />
          )}
        </Field>
        <Field label={t('admin.audit.col.action')}>
          {(props) => (
            <Select
              {...props}
              value={filter.action ?? ALL}
              onChange={(value) => set({ action: value === ALL ? undefined : value })}
              options={[ALL, ...GROUPS].map((value) => ({ value, label: t(`admin.audit.group.${value}`) }))}
            />
          )}
        </Field>
        <Field label={t('admin.audit.col.subject')}>
          {() => (
            <SearchBox
              value={filter.subject ?? ''}
              label={t('admin.audit.col.subject')}
              onSearch={(text) => set({ subject: text }, { replace: filter.subject !== undefined })}
            />
          )}
        </Field>
        {(['from', 'to'] as const).map((end) => (
          <DayField
            key={end}
            label={t(`admin.audit.${end}`)}
            value={filter[end] ?? ''}
            onChange={(value) => set({ [end]: value })}
          />
        ))}
      </div>
      {csv.error && <ErrorPanel error={csv.error} onRetry={() => csv.mutate()} />}
      <PagedTable
        query={query}
        fold={foldReads}
        label={t('admin.nav.audit')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => (
          <div className={parts.card}>
            <Action row={row} />
            <When row={row} />
            <bdi>{row.subject ?? DASH}</bdi>
            <bdi className={parts.quiet}>{row.userName ?? t('admin.audit.server')}</bdi>
            <span className={parts.wide}>
              <Change row={row} />
            </span>
          </div>
        )}
        onOpen={(row) => set({ entry: String(row.id) })}
        activeKey={opened?.id}
        empty={
          <Empty
            title={t('admin.audit.none')}
            action={
              filtered && (
                <Button onClick={() => set(Object.fromEntries(FIELDS.map((name) => [name, undefined])))}>
                  {t('admin.audit.all')}
                </Button>
              )
            }
          />
        }
      />
      {opened && <Entry row={opened} onClose={() => set({ entry: undefined })} />}
    </Page>
  );
}

function When({ row: { at } }: { row: AuditEntry }) {
  const { moment } = useFormat();
  return (
    <time dateTime={at} className={parts.quiet}>
      {moment(at)}
    </time>
  );
}

function Action({ row: { action, times } }: { row: FoldedEntry }) {
  const { t } = useTranslation();
  const textOf = useActionText();
  return (
    <span className={parts.strong}>
      {textOf(action)}
      {times !== undefined && <span className={parts.count}>{t('admin.audit.times', { count: times })}</span>}
    </span>
  );
}

/** In one line: `role miner → admin`. */
function Change({ row: { before, after } }: { row: AuditEntry }) {
  const lines = linesOf(before, after);
  return (
    <bdi dir="ltr" className={parts.cut}>
      {lines.length === 0
        ? DASH
        : lines
            .map(({ field, before: from, after: to }) => `${field} ${from ? `${from} → ` : ''}${to || DASH}`)
            .join(', ')}
    </bdi>
  );
}

function Entry({ row, onClose }: { row: AuditEntry; onClose(): void }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const textOf = useActionText();
  const fact = (name: string, value: React.ReactNode) => ({ label: t(`admin.audit.col.${name}`), value });
  return (
    <Drawer open title={textOf(row.action)} onClose={onClose}>
      <div className={parts.stack}>
        <Facts
          rows={[
            fact('at', moment(row.at)),
            fact('action', <bdi dir="ltr">{row.action}</bdi>),
            fact('user', <bdi>{row.userName ?? t('admin.audit.server')}</bdi>),
            fact('subject', <bdi>{row.subject ?? DASH}</bdi>),
            fact('ip', <bdi dir="ltr">{row.ip ?? DASH}</bdi>),
          ]}
        />
        <table className={parts.lines} aria-label={t('admin.audit.col.change')}>
          <thead>
            <tr>
              <th scope="col">{t('admin.edit.field')}</th>
              <th scope="col">{t('admin.audit.before')}</th>
              <th scope="col">{t('admin.audit.after')}</th>
            </tr>
          </thead>
          <tbody>
            {linesOf(row.before, row.after).map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">
                  <bdi dir="ltr">{field || DASH}</bdi>
                </th>
                <td>
                  <bdi dir="ltr">{before || DASH}</bdi>
                </td>
                <td>
                  <bdi dir="ltr">{after || DASH}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Drawer>
  );
}

function useColumns(): DataColumn<FoldedEntry>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const title = (key: string) => ({ key, title: t(`admin.audit.col.${key}`) });
    return [
      { ...title('at'), width: 205, render: (row) => <When row={row} /> },
      { ...title('user'), width: 120, render: (row) => <bdi>{row.userName ?? t('admin.audit.server')}</bdi> },
      { ...title('action'), width: 230, wraps: true, names: true, render: (row) => <Action row={row} /> },
      { ...title('subject'), width: 150, render: (row) => <bdi className={parts.cut}>{row.subject ?? DASH}</bdi> },
      { ...title('change'), width: 240, drop: 1, render: (row) => <Change row={row} /> },
      { ...title('ip'), width: 130, drop: 2, render: (row) => <bdi dir="ltr">{row.ip ?? DASH}</bdi> },
    ];
  }, [t]);
}
