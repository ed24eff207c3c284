import { ALGORITHMS, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import {
  Button,
  DASH,
  Empty,
  formatDay,
  Notice,
  QueryError,
  StateGlyph,
  useFormat,
  useNarrow,
} from '@pool/shared/ui/core';
import { DataTable, type DataColumn } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { useMemo, useState } from 'react';
import { INTERVAL_MS, useRead } from '../../api/reads';
import { Page } from '../../parts/page';
import parts from '../../parts/parts.module.css';
import { FindingText } from './finding-text';

const DecisionDialog = lazyPart([], async () => (await import('./decision-dialog')).DecisionDialog, null);

type UpstreamDay = Answer<'GET /admin/closing'>['upstreams'][number];

/** The server's bound (api/src/money/accounting/plausible.ts). */
const BEYOND = 0.02;

/** A day that waits for an admin, and what upstream pools accepted against what miners were credited. */
export function ClosingPage() {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  const query = useRead(['admin', 'closing'], (api, signal) => api('GET /admin/closing', { signal }), {
    refetchInterval: INTERVAL_MS,
  });
  const narrow = useNarrow();
  const [deciding, setDeciding] = useState(false);
  const columns = useMemo((): DataColumn<UpstreamDay>[] => {
    const title = (key: string) => ({ key, title: t(`admin.closing.col.${key}`) });
    return [
      {
        ...title('day'),
        width: 120,
        once: true,
        render: ({ day }) => <time dateTime={day}>{formatDay(language, 'utc', day)}</time>,
      },
      { ...title('upstream'), width: 220, names: true, wraps: true, render: (row) => row.upstream },
      { ...title('algorithm'), width: 100, drop: 2, render: (row) => ALGORITHMS[row.algorithm].label },
      { ...title('shares'), width: 110, drop: 1, numeric: true, render: (row) => count(row.acceptedShares) },
      { ...title('accepted'), width: 190, numeric: true, render: (row) => <Counted row={row} /> },
      { ...title('credited'), width: 170, numeric: true, render: (row) => <Difficulty value={row.credited} /> },
      { ...title('difference'), width: 190, numeric: true, render: (row) => <Difference row={row} /> },
    ];
  }, [t, language, count]);
  const { data } = query;
  const waiting = data?.waiting;
  const decide = (
    <Button type="primary" onClick={() => setDeciding(true)}>
      {t('admin.closing.decide')}
    </Button>
  );
  return (
    <Page money="closing" error={query.error} title={t('admin.money.closing')} sub={t('admin.closing.what')}>
      <QueryError query={query} />
      {waiting && (
        <Notice tone="warn" state="review" action={narrow ? undefined : decide}>
          {t('admin.closing.waits', { day: formatDay(language, 'utc', waiting.day) })}
          <ul className={parts.notes}>
            {waiting.findings.map((finding) => (
              <li key={`${finding.kind} ${finding.name} ${finding.algorithm}`}>
                <FindingText finding={finding} />
              </li>
            ))}
          </ul>
          {narrow && <div className={parts.below}>{decide}</div>}
        </Notice>
      )}
      <p className={common.quiet}>{t('admin.closing.bound')}</p>
      {(data ?? !query.error) && (
        <DataTable
          label={t('admin.closing.days')}
          columns={columns}
          rows={data?.upstreams ?? []}
          rowKey={(row) => `${row.day} ${row.algorithm} ${row.upstream}`}
          groupOf={(row) => row.day}
          loading={query.isPending}
          empty={<Empty title={t('admin.closing.none')}>{t('admin.closing.none-hint')}</Empty>}
        />
      )}
      {deciding && waiting && <DecisionDialog waiting={waiting} onClose={() => setDeciding(false)} />}
    </Page>
  );
}

/** Whole difficulties; below ten with decimals, as small machines have them. */
function Difficulty({ value }: { value: number }) {
  const { count, decimal } = useFormat();
  return <bdi dir="ltr">{value < 10 && value > 0 ? decimal(value, 6) : count(value)}</bdi>;
}

/** What the upstream counted, and whether it says so itself. */
function Counted({ row: { accepted, counted } }: { row: UpstreamDay }) {
  const { t } = useTranslation();
  return (
    <span>
      <Difficulty value={counted ?? accepted} />{' '}
      <span className={common.quiet}>{t(`admin.closing.${counted === null ? 'estimate' : 'as-counted'}`)}</span>
    </span>
  );
}

/** What was credited above what was counted, as a part of that. */
function Difference({ row: { accepted, credited, counted } }: { row: UpstreamDay }) {
  const { t } = useTranslation();
  const { change } = useFormat();
  const taken = counted ?? accepted;
  if (taken === 0) return <span>{DASH}</span>;
  const part = credited / taken - 1;
  const text = change(part, 2);
  if (part <= BEYOND) return text;
  return (
    <span>
      <StateGlyph state="low" /> {text} <span className={common.quiet}>{t('admin.closing.beyond')}</span>
    </span>
  );
}
