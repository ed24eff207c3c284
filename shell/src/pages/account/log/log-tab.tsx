import type { AuditEntry, ApiClient } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { allPages, pagedQuery } from '@pool/shared/pages';
import { useInfiniteQuery } from '@pool/shared/query';
import { useApi, useSession } from '@pool/shared/remote';
import { useUrlState, dayText, oneOf } from '@pool/shared/router';
import { Button, Download, Empty, ErrorPanel, type CsvColumns } from '@pool/shared/ui/core';
import { ACCOUNT_ACTIONS, ActionFilter, AUDIT_CSV, useAuditColumns } from '@pool/shared/ui/audit';
import { DataTable, idOf, PagedRows, useCsvExport } from '@pool/shared/ui/table';
import type { ReactNode } from 'react';
import { DayField } from '@pool/shared/ui/form';
import styles from '../form.module.css';

/** `action`: the first words of actions (`wallet`). `from` and `to`: UTC days, both included. */
type AuditFilter = { action?: (typeof ACCOUNT_ACTIONS)[number]; from?: string; to?: string };

/** Filters in the URL. */
const FILTER = { action: oneOf(ACCOUNT_ACTIONS), from: dayText, to: dayText };

const auditPage =
  (api: ApiClient, filter: AuditFilter & { userName: string }) =>
  ({ signal, ...part }: { cursor?: string; limit: number; signal?: AbortSignal }) =>
    api('GET /audit', { query: { ...filter, ...part }, signal });

const CSV: CsvColumns<AuditEntry> = {
  at: ({ at }) => at,
  ...AUDIT_CSV,
  person: ({ member }) => member,
};

type LogFiltersProps = { filter: AuditFilter; onChange(part: Partial<AuditFilter>): void; children: ReactNode };

function LogFilters({ filter, onChange, children }: LogFiltersProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.filters}>
      <ActionFilter
        className={styles.select}
        groups={ACCOUNT_ACTIONS}
        value={filter.action}
        onChange={(action) => onChange({ action })}
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
  const columns = useAuditColumns(
    entries.data?.pages.some(({ rows }) => rows.some(({ member }) => member)) ? memberOf : undefined,
  );
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
            rowKey={idOf}
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
          />
        )}
      </PagedRows>
    </>
  );
}

const memberOf = ({ member }: AuditEntry) => <bdi>{member}</bdi>;
