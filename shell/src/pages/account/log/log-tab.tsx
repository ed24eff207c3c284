import type { AuditEntry } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { allPages, PAGE_ROWS, pagedQuery } from '@pool/shared/pages';
import { useInfiniteQuery, useMutation } from '@pool/shared/query';
import { useApi, useSession } from '@pool/shared/remote';
import { useUrlState } from '@pool/shared/router';
import {
  Button,
  DASH,
  Download,
  downloadCsv,
  Empty,
  ErrorPanel,
  QueryError,
  useActionText,
  useFormat,
} from '@pool/shared/ui/core';
import { DataTable, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import styles from '../form.module.css';
import { LogFilters } from './log-filters';
import { auditPage, csvOf, FILTER } from './audit';

const keyOf = ({ id }: AuditEntry) => id;

/** What was done with this account, newest first. The filters are in the URL. */
export default function LogTab() {
  const { t } = useTranslation();
  const api = useApi();
  const { userName } = useSession();
  const [filter, set] = useUrlState(FILTER);
  const page = auditPage(api, { ...filter, userName });
  const entries = useInfiniteQuery(pagedQuery(['audit', { ...filter, userName }], page));
  const csv = useMutation({
    mutationFn: () => allPages(page),
    onSuccess: (rows) => downloadCsv(`audit-${userName}.csv`, ...csvOf(rows)),
  });
  const rows = entries.data?.pages.flatMap((page) => page.rows);
  const filtered = Boolean(filter.action ?? filter.from ?? filter.to);
  const columns = useColumns();
  return (
    <>
      <LogFilters filter={filter} onChange={set}>
        <Button
          icon={<Download size={16} strokeWidth={1.75} aria-hidden />}
          loading={csv.isPending}
          onClick={() => csv.mutate()}
        >
          {t('account.log.csv')}
        </Button>
      </LogFilters>
      {csv.error && <ErrorPanel error={csv.error} onRetry={() => csv.mutate()} />}
      <div className={styles.list}>
        <QueryError query={entries} />
        {(rows || !entries.error) && (
          <DataTable
            label={t('account.tab.log')}
            columns={columns}
            rows={rows ?? []}
            rowKey={keyOf}
            loading={entries.isPending}
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
              <div className={styles.card}>
                <div className={styles.cardHead}>
                  <Action row={row} />
                  <When at={row.at} />
                </div>
                <span>
                  <bdi>{row.subject ?? DASH}</bdi>
                </span>
                <Change row={row} />
              </div>
            )}
          />
        )}
      </div>
      {entries.hasNextPage && (
        <div className={styles.actions}>
          <Button loading={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
            {t('ui.table.more', {
              count: Math.min(PAGE_ROWS, (entries.data?.pages.at(-1)?.total ?? 0) - (rows?.length ?? 0)),
            })}
          </Button>
        </div>
      )}
    </>
  );
}

function When({ at }: { at: string }) {
  const { moment } = useFormat();
  return (
    <time dateTime={at} className={styles.quiet}>
      {moment(at)}
    </time>
  );
}

function Action({ row: { action } }: { row: AuditEntry }) {
  const textOf = useActionText();
  return <span className={styles.strong}>{textOf(action)}</span>;
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value of the log as one reads it: `prefix wt_4FnXB, scopes hashrate`. `moment`: how instants are written. */
function plain(value: unknown, moment: (at: string) => string): string {
  if (Array.isArray(value)) return value.map((each) => plain(each, moment)).join(' ');
  if (typeof value === 'string' && INSTANT.test(value)) return moment(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name} ${plain(part, moment)}`)
    .join(', ');
}

/** `before > after`. */
function Change({ row: { before, after } }: { row: AuditEntry }) {
  const { moment } = useFormat();
  const text = [before, after]
    .filter((value) => value !== null && value !== undefined)
    .map((value) => plain(value, moment))
    .join(' > ');
  return (
    <bdi dir="ltr" className={styles.quiet}>
      {text || DASH}
    </bdi>
  );
}

function useColumns(): DataColumn<AuditEntry>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: 'at', title: t('account.when'), width: 190, render: (row) => <When at={row.at} /> },
      {
        key: 'action',
        title: t('account.log.action'),
        width: 210,
        names: true,
        wraps: true,
        render: (row) => <Action row={row} />,
      },
      {
        key: 'subject',
        title: t('account.log.subject'),
        width: 150,
        wraps: true,
        render: (row) => <bdi>{row.subject ?? DASH}</bdi>,
      },
      {
        key: 'change',
        title: t('account.log.change'),
        width: 300,
        drop: 1,
        wraps: true,
        render: (row) => <Change row={row} />,
      },
      {
        key: 'ip',
        title: t('account.sessions.address'),
        width: 140,
        drop: 2,
        render: (row) => <bdi dir="ltr">{row.ip ?? DASH}</bdi>,
      },
    ],
    [t],
  );
}
