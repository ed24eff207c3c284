import { ALGORITHMS, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import { shortText, useUrlState } from '@pool/shared/router';
import { Btc, Button, DASH, Empty, formatDay, Notice, useFormat } from '@pool/shared/ui/core';
import { SearchBox } from '@pool/shared/ui/form';
import type { DataColumn } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { useMemo, useState } from 'react';
import { useList, useRead } from '../../api/reads';
import { Page } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import parts from '../../parts/parts.module.css';

const CorrectionDialog = lazyPart([], async () => (await import('./correction-dialog')).CorrectionDialog, null);

type Adjustment = Answer<'GET /admin/adjustments'>['rows'][number];
export type EarningKey = Pick<Answer<'GET /earnings/{day}/math'>, 'account' | 'algorithm' | 'day'>;
export type Start = {
  earning: EarningKey | null;
  /** The gross to propose: that of a reversal, or with late work. */
  grossSat?: number;
  paidWork?: number;
  reversal?: true;
};
const NAMED = 5;
const PLACE = { q: shortText };
const KEY = ['admin', 'corrections'];

/** Corrections of closed days: the ledger keeps what was booked, its reversal, and what is right. */
export function CorrectionsPage() {
  const { t } = useTranslation();
  const { arrow, language } = useFormat();
  const [{ q: search }, set] = useUrlState(PLACE);
  const query = useList([...KEY, { search }], (api, { signal, ...part }) =>
    api('GET /admin/adjustments', { query: { search, ...part }, signal }),
  );
  const late = useRead([...KEY, 'late'], (api, signal) => api('GET /admin/lateWork', { signal })).data ?? [];
  const [start, setStart] = useState<Start | null>(null);
  const columns = useColumns(setStart);
  return (
    <Page
      money="corrections"
      error={query.error}
      title={t('admin.money.corrections')}
      sub={t('admin.corrections.what')}
      actions={<Button onClick={() => setStart({ earning: null })}>{t('admin.corrections.new')}</Button>}
    >
      {late.length > 0 && (
        <Notice tone="warn" state="review">
          {t('admin.corrections.late', { n: late.length })}
          <ul className={parts.notes}>
            {late.slice(0, NAMED).map((work) => (
              <li key={`${work.day} ${work.account} ${work.algorithm}`}>
                {formatDay(language, 'utc', work.day)} · <bdi>{work.account}</bdi> · <Btc sats={work.grossSat} />{' '}
                {arrow} <Btc sats={work.rightSat} />{' '}
                <Button
                  type="link"
                  size="small"
                  onClick={() => setStart({ earning: work, grossSat: work.rightSat, paidWork: work.work })}
                >
                  {t('admin.corrections.correct')}
                </Button>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <SearchBox value={search} label={t('admin.corrections.search')} onSearch={(q, how) => set({ q }, how)} />
      <PagedTable
        query={query}
        label={t('admin.money.corrections')}
        columns={columns}
        empty={<Empty title={t('admin.corrections.none')}>{t('admin.corrections.none-hint')}</Empty>}
      />
      {start && <CorrectionDialog start={start} onClose={() => setStart(null)} />}
    </Page>
  );
}

function Earning({ row: { account, algorithm, day } }: { row: Adjustment }) {
  const { language } = useFormat();
  return (
    <span>
      <bdi className={common.strong}>{account}</bdi>{' '}
      <span className={common.quiet}>
        {ALGORITHMS[algorithm].label} · {formatDay(language, 'utc', day, true)}
      </span>
    </span>
  );
}

function Change({ row }: { row: Adjustment }) {
  const { arrow } = useFormat();
  return (
    <span>
      <Btc bare sats={row.grossSatBefore} /> {arrow} <Btc bare sats={row.grossSat} />
    </span>
  );
}

/** Only the last correction of an earning can be reversed. */
function Reverse({ row, onStart }: { row: Adjustment; onStart(start: Start): void }) {
  const { t } = useTranslation();
  return row.last ? (
    <Button
      size="small"
      onClick={() => onStart({ earning: row, grossSat: row.grossSatBefore, reversal: true })}
      aria-label={`${t('admin.corrections.reverse')} ${row.account} ${row.day}`}
    >
      {t('admin.corrections.reverse')}
    </Button>
  ) : (
    <span className={common.quiet}>{t('admin.corrections.superseded')}</span>
  );
}

function useColumns(onStart: (start: Start) => void): DataColumn<Adjustment>[] {
  const { t } = useTranslation();
  const { moment } = useFormat();
  return useMemo(() => {
    const title = (key: string) => ({ key, title: t(`admin.corrections.col.${key}`) });
    return [
      { ...title('at'), width: 180, drop: 1, render: (row) => <time dateTime={row.at}>{moment(row.at)}</time> },
      { ...title('earning'), width: 250, names: true, wraps: true, render: (row) => <Earning row={row} /> },
      { ...title('change'), width: 220, render: (row) => <Change row={row} /> },
      { ...title('note'), width: 200, wraps: true, render: (row) => row.note },
      { ...title('by'), width: 100, drop: 2, render: (row) => row.by ?? DASH },
      {
        ...title('reverse'),
        key: 'actions',
        width: 130,
        wraps: true,
        render: (row) => <Reverse row={row} onStart={onStart} />,
      },
    ];
  }, [t, moment, onStart]);
}
