import { serverTime, type Earning, type Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { allPages } from '@pool/shared/pages';
import { useAccountName, usePageTitle, useServiceQuery, useSession, useIsOfAll } from '@pool/shared/remote';
import { Link, useUrlState } from '@pool/shared/router';
import {
  Btc,
  Button,
  downloadCsv,
  Empty,
  Figure,
  formatDayClock,
  formatMonth,
  PageHeader,
  Panel,
  QueryError,
  Segmented,
  SkeletonRows,
  Strip,
  Usd,
  useFormat,
} from '@pool/shared/ui/core';
import { PlainTable } from '@pool/shared/ui/table';
import { useEffect, useState } from 'react';
import { historyPage } from '../../api/history';
import { csvName, taxCsv } from '../payments/range/csv';
import { closedOf, closedSums, groupedBy, total } from '../payments/earnings/ledger';
import common from '@pool/shared/ui/common.module.css';
import styles from './statement-page.module.css';

type Sums = ReturnType<typeof closedSums>;
type Month = Sums & { month: string };

/** All earnings of a year and the payouts sent in it. */
const useYear = (year: number) =>
  useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['payments', 'year', { account, year }],
    queryFn: async ({ signal }) => {
      const [from, to] = [`${year}-01-01`, `${year}-12-31`];
      const [earnings, payouts] = await Promise.all([
        allPages(historyPage(api, 'earnings', account, { from, to }), { signal }),
        // A payout may have been opened in the year before the one it was sent in.
        allPages(historyPage(api, 'payouts', account, { to }), { signal }),
      ]);
      return { earnings, payouts: payouts.filter(({ sentAt }) => sentAt?.startsWith(String(year))) };
    },
  }));

/** The latest year before `year` with earnings; null without one. */
const useYearBefore = (year: number) =>
  useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['payments', 'year-before', { account, year }],
    queryFn: async ({ signal }) => {
      const latest = historyPage(api, 'earnings', account, { to: `${year - 1}-12-31` });
      const { rows } = await latest({ limit: 1, signal });
      return rows[0] ? Number(rows[0].day.slice(0, 4)) : null;
    },
  })).data;

/** `rows` newest first. */
const monthsOf = (rows: readonly Earning[]): Month[] =>
  groupedBy(closedOf(rows), ({ day }) => day.slice(0, 7))
    .map(([month, of]) => ({ month, ...closedSums(of) }))
    .reverse();

/** What stands at the end of each printed page: only variables of the root reach the margins of paper. */
function usePaperFoot(of: string) {
  const { t } = useTranslation();
  const page = t('payments.statement.page', { page: '" counter(page) "', pages: '" counter(pages) "' });
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--paper-of', JSON.stringify(of));
    style.setProperty('--paper-page', `"${page}"`);
    return () => {
      style.removeProperty('--paper-of');
      style.removeProperty('--paper-page');
    };
  }, [of, page]);
}

/** `?year=2025` */
const PLACE = { year: (text: string | null) => (text !== null && /^20\d\d$/.test(text) ? Number(text) : undefined) };

export function StatementPage() {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const { account, userName: holder } = useSession();
  const name = useAccountName();
  const [place, set] = useUrlState(PLACE);
  const [now] = useState(() => new Date(serverTime()).getUTCFullYear());
  const year = Math.min(place.year ?? now, now);
  const title = t('payments.statement.title', { year });
  usePageTitle(title);
  usePaperFoot(`${title} · Mining Pool, ${location.host} · ${holder} · ${name}`);
  const query = useYear(year);
  const { data, error } = query;
  const before = useYearBefore(year);
  const years = Array.from({ length: now - year + 1 }, (_, index) => year + index);
  // The year that was chosen before this one stays until the answer is there.
  if (before && before < year) years.unshift(before);
  return (
    <div className={`${common.stack} ${common.frame}`}>
      <PageHeader
        title={title}
        sub={
          data &&
          t('payments.statement.sub', {
            pool: location.host,
            holder,
            account,
            // All together have words of their own.
            context: account,
            time: moment(Math.floor(serverTime(query.dataUpdatedAt) / 1000)),
          })
        }
        actions={
          <div className={styles.actions}>
            <Link to="..">{t('payments.statement.back')}</Link>
            {years.length > 1 && (
              <Segmented
                aria-label={t('payments.statement.years')}
                options={years.map((one) => ({ value: one, label: String(one) }))}
                value={year}
                onChange={(next) => set({ year: next })}
              />
            )}
            <Button
              disabled={!data}
              onClick={() => {
                if (!data) return;
                const csv = taxCsv(data.earnings, data.payouts);
                downloadCsv(csvName('tax', account, { from: String(year) }), ...csv);
              }}
            >
              {t('payments.statement.tax')}
            </Button>
            <Button onClick={() => print()} disabled={!data}>
              {t('payments.statement.print')}
            </Button>
          </div>
        }
      />
      <QueryError query={query} />
      {!data && !error && (
        <Panel padded={false}>
          <SkeletonRows rows={8} />
        </Panel>
      )}
      {data && <Statement months={monthsOf(data.earnings)} sums={closedSums(data.earnings)} payouts={data.payouts} />}
    </div>
  );
}

function Statement({ months, sums, payouts }: { months: Month[]; sums: Sums; payouts: Payment[] }) {
  const { t } = useTranslation();
  const { currency } = useFormat();
  const inUsd = currency !== 'none';
  const paidSat = total(payouts, 'amountSat');
  return (
    <>
      <Strip label={t('payments.statement.sums')} className={styles.strip}>
        <Figure label={t('payments.col.gross')} value={<Btc sats={sums.grossSat} />} />
        <Figure label={t('payments.col.fee')} value={<Btc sats={sums.feeSat} />} />
        <Figure label={t('payments.total-net')} value={<Btc sats={sums.netSat} />} />
        {inUsd && <Figure label={t('payments.statement.usd')} value={<Usd usd={sums.netUsd} />} />}
        <Figure label={t('payments.statement.paid')} value={<Btc sats={paidSat} />} />
      </Strip>
      <Panel title={t('payments.statement.months')} padded={false}>
        {months.length === 0 ? (
          <Empty title={t('payments.statement.empty')} />
        ) : (
          <Months months={months} sums={sums} inUsd={inUsd} />
        )}
      </Panel>
      <Panel title={t('payments.statement.payouts')} padded={false}>
        {payouts.length === 0 ? (
          <p className={styles.none}>{t('payments.statement.no-payouts')}</p>
        ) : (
          <Payouts payouts={payouts} />
        )}
      </Panel>
      <p className={common.quiet}>{t('payments.statement.note')}</p>
    </>
  );
}

function Months({ months, sums, inUsd }: { months: Month[]; sums: Sums; inUsd: boolean }) {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  const money = (key: 'gross' | 'fee' | 'net') => ({
    key,
    title: t(`payments.col.${key}`),
    numeric: true,
    render: (of: Sums) => <Btc bare sats={of[`${key}Sat`]} />,
  });
  return (
    <PlainTable<Sums & { month?: string }>
      padded
      className={styles.table}
      label={t('payments.statement.months')}
      columns={[
        {
          key: 'month',
          title: t('payments.statement.month'),
          render: ({ month }) =>
            month === undefined ? t('payments.statement.year') : formatMonth(language, 'utc', `${month}-01`),
        },
        { key: 'days', title: t('payments.statement.days'), numeric: true, render: ({ days }) => count(days) },
        money('gross'),
        money('fee'),
        money('net'),
        inUsd && {
          key: 'usd',
          title: t('payments.statement.usd'),
          numeric: true,
          render: ({ netUsd }) => <Usd usd={netUsd} />,
        },
      ]}
      rows={months}
      rowKey={({ month }) => String(month)}
      sums={sums}
    />
  );
}

function Payouts({ payouts }: { payouts: Payment[] }) {
  const { t } = useTranslation();
  const isOfAll = useIsOfAll();
  const { language } = useFormat();
  const title = (key: string) => ({ key, title: t(`payments.statement.${key}`) });
  return (
    <PlainTable
      padded
      className={styles.table}
      label={t('payments.statement.payouts')}
      columns={[
        isOfAll && {
          key: 'account',
          title: t('payments.col.account'),
          render: ({ account }) => <bdi>{account}</bdi>,
        },
        { ...title('sent'), render: ({ sentAt }) => sentAt && formatDayClock(language, 'utc', sentAt, true) },
        { ...title('amount'), numeric: true, render: ({ amountSat }) => <Btc bare sats={amountSat} /> },
        { ...title('network-fee'), numeric: true, render: ({ networkFeeSat }) => <Btc bare sats={networkFeeSat} /> },
        {
          ...title('txid'),
          render: ({ txid, address }) => (
            <div className={styles.txid}>
              <bdi dir="ltr">{txid}</bdi>
              <br />
              <bdi dir="ltr">{address}</bdi>
            </div>
          ),
        },
      ]}
      rows={payouts}
      rowKey={({ id }) => id}
    />
  );
}
