import type { AuditEntry, ApiClient } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { allPages, pagedQuery } from '@pool/shared/pages';
import { useInfiniteQuery } from '@pool/shared/query';
import { useApi, useSession } from '@pool/shared/remote';
import { useUrlState, dayText, oneOf } from '@pool/shared/router';
import { Button, DASH, Download, Empty, ErrorPanel, useFormat, type CsvColumns } from '@pool/shared/ui/core';
import { useAuditText } from '@pool/shared/ui/audit';
import { DataTable, PagedRows, useCsvExport, type DataColumn } from '@pool/shared/ui/table';
import { useMemo, type ReactNode } from 'react';
import { DayField, SelectField } from '@pool/shared/ui/form';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';

/** `action`: the first words of actions (`wallet`). `from` and `to`: UTC days, both included. */
type AuditFilter = { action?: (typeof ACTION_GROUPS)[number]; from?: string; to?: string };

/** Groups of actions to filter by: the first word of each. */
const ACTION_GROUPS = [
  'wallet',
  'organization',
  'sub_account',
  'payout_settings',
  'watcher',
  'api_key',
  'alerts',
  'webhook',
  'telegram',
  'sign_in',
  'email',
  'recovery',
  'two_step',
  'pool_config',
  'worker',
  'worker_group',
  'referral',
] as const;

/** Filters in the URL. */
const FILTER = { action: oneOf(ACTION_GROUPS), from: dayText, to: dayText };

const auditPage =
  (api: ApiClient, filter: AuditFilter & { userName: string }) =>
  ({ signal, ...part }: { cursor?: string; limit: number; signal?: AbortSignal }) =>
    api('GET /audit', { query: { ...filter, ...part }, signal });

const json = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value));
const CSV: CsvColumns<AuditEntry> = {
  at: ({ at }) => at,
  action: ({ action }) => action,
  subject: ({ subject }) => subject,
  before: ({ before }) => json(before),
  after: ({ after }) => json(after),
  address: ({ ip }) => ip,
  person: ({ member }) => member,
};

const ALL = 'all';

type LogFiltersProps = { filter: AuditFilter; onChange(part: Partial<AuditFilter>): void; children: ReactNode };

function LogFilters({ filter, onChange, children }: LogFiltersProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.filters}>
      <SelectField
        className={styles.select}
        label={t('account.log.action')}
        value={filter.action ?? ALL}
        onChange={(value) => onChange({ action: FILTER.action(value) })}
        options={[ALL, ...ACTION_GROUPS].map((group) => ({ value: group, label: t(`account.log.group.${group}`) }))}
      />
      {(['from', 'to'] as const).map((end) => (
        <DayField
          key={end}
          label={t(`account.log.${end}`)}
          min={end === 'to' ? filter.from : undefined}
          max={end === 'from' ? filter.to : undefined}
          value={filter[end] ?? ''}
          onChange={(value) => onChange({ [end]: value })}
        />
      ))}
      {children}
    </div>
  );
}

const keyOf = ({ id }: AuditEntry) => id;

/** What was done with this account, newest first. The filters are in the URL. */
export default function LogTab() {
  const { t } = useTranslation();
  const api = useApi();
  const { userName } = useSession();
  const [filter, set] = useUrlState(FILTER);
  const page = auditPage(api, { ...filter, userName });
  const entries = useInfiniteQuery(pagedQuery(['audit', { ...filter, userName }], page));
  const csv = useCsvExport(CSV, { name: `audit-${userName}.csv`, load: (loading) => allPages(page, loading) });
  const filtered = Boolean(filter.action ?? filter.from ?? filter.to);
  // Several people act in an organization.
  const columns = useColumns(entries.data?.pages.some(({ rows }) => rows.some(({ member }) => member)) ?? false);
  return (
    <>
      <LogFilters filter={filter} onChange={set}>
        <Button icon={<Download />} loading={csv.running} onClick={csv.start}>
          {t('account.log.csv')}
        </Button>
      </LogFilters>
      {csv.error && <ErrorPanel error={csv.error} onRetry={csv.start} />}
      <PagedRows query={entries}>
        {(rows, loading) => (
          <DataTable
            label={t('account.tab.log')}
            columns={columns}
            rows={rows}
            rowKey={keyOf}
            loading={loading}
            empty={
              filtered ? (
                <Empty
                  title={t('account.log.nothing')}
                  action={
                    <Button onClick={() => set({ action: undefined, from: undefined, to: undefined })}>
                      {t('account.log.showAll')}
                    </Button>
                  }
                />
              ) : (
                <Empty title={t('account.log.empty')}>{t('account.log.emptyWhat')}</Empty>
              )
            }
            card={(row) => (
              <div className={common.entry}>
                <div className={common.entryHead}>
                  <Action row={row} />
                  <When at={row.at} />
                </div>
                {row.member && <bdi>{row.member}</bdi>}
                <Subject row={row} />
                <Change row={row} />
              </div>
            )}
          />
        )}
      </PagedRows>
    </>
  );
}

function When({ at }: { at: string }) {
  const { moment } = useFormat();
  return (
    <time dateTime={at} className={common.quiet}>
      {moment(at)}
    </time>
  );
}

function Action({ row: { action } }: { row: AuditEntry }) {
  return <span className={common.strong}>{useAuditText().action(action)}</span>;
}

/** What changed in a line; of many workers their names when it is opened. */
function Change({ row }: { row: AuditEntry }) {
  const words = useAuditText();
  const line = <bdi className={common.quiet}>{words.change(row)}</bdi>;
  const whole = words.change(row, true);
  if (whole === words.change(row)) return line;
  return (
    <details>
      <summary>{line}</summary>
      <bdi className={common.quiet}>{whole}</bdi>
    </details>
  );
}
const Subject = ({ row }: { row: AuditEntry }) => <bdi>{useAuditText().subject(row)}</bdi>;

function useColumns(withPerson: boolean): DataColumn<AuditEntry>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const title = (key: string) => ({ key, title: t(`account.log.${key}`) });
    const person = {
      ...title('person'),
      width: 140,
      wraps: true,
      render: (row: AuditEntry) => <bdi>{row.member}</bdi>,
    };
    return [
      { key: 'at', title: t('account.when'), width: 190, render: (row) => <When at={row.at} /> },
      ...(withPerson ? [person] : []),
      { ...title('action'), width: 210, names: true, wraps: true, render: (row) => <Action row={row} /> },
      { ...title('subject'), width: 150, wraps: true, render: (row) => <Subject row={row} /> },
      { ...title('change'), width: 300, drop: 1, wraps: true, render: (row) => <Change row={row} /> },
      {
        key: 'ip',
        title: t('account.sessions.address'),
        width: 140,
        wraps: true,
        drop: 2,
        render: (row) => row.ip ?? DASH,
      },
    ];
  }, [t, withPerson]);
}
