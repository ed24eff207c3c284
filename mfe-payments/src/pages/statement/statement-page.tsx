import type { Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { usePageTitle, useSession } from '@pool/shared/remote';
import { Link, useSearchParams } from '@pool/shared/router';
import {
  Btc,
  Button,
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
import { useState } from 'react';
import { useYear, useYearBefore } from '../../api/statement';
import { monthsOf, sumsOf, type Month, type Sums } from './months';
import styles from './statement-page.module.css';

/** The year in the URL, `?year=2025`; this year without one. */
function useChosenYear() {
  const [params, setParams] = useSearchParams();
  const [now] = useState(() => new Date().getUTCFullYear());
  const wanted = Number(params.get('year'));
  return {
    now,
    year: Number.isInteger(wanted) && wanted >= 2009 && wanted <= now ? wanted : now,
    choose: (year: number) =>
      setParams((before) => {
        const next = new URLSearchParams(before);
        next.set('year', String(year));
        return next;
      }),
  };
}

/** A sub-account's year on paper: sums, months, payouts. */
export function StatementPage() {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const { account } = useSession();
  const { now, year, choose } = useChosenYear();
  usePageTitle(t('payments.statement.title', { year }));
  const query = useYear(year);
  const { data, error } = query;
  const before = useYearBefore(year);
  const years = Array.from({ length: now - year + 1 }, (_, index) => year + index);
  // Of the year chosen before this one, until the answer is there.
  if (before && before < year) years.unshift(before);
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('payments.statement.title', { year })}
        sub={data && t('payments.statement.sub', { account, time: moment(Math.floor(query.dataUpdatedAt / 1000)) })}
        actions={
          <div className={styles.actions}>
            <Link to="..">{t('payments.statement.back')}</Link>
            {years.length > 1 && (
              <Segmented
                aria-label={t('payments.statement.years')}
                options={years.map((one) => ({ value: one, label: String(one) }))}
                value={year}
                onChange={choose}
              />
            )}
            <Button onClick={() => window.print()} disabled={!data}>
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
      {data && <Statement months={monthsOf(data.earnings)} sums={sumsOf(data.earnings)} payouts={data.payouts} />}
    </div>
  );
}

function Statement({ months, sums, payouts }: { months: Month[]; sums: Sums; payouts: Payment[] }) {
  const { t } = useTranslation();
  const { currency } = useFormat();
  const inUsd = currency !== 'none';
  const paidSat = payouts.reduce((sum, { amountSat }) => sum + amountSat, 0);
  return (
    <>
      <Strip label={t('payments.statement.sums')} className={styles.strip}>
        <Figure label={t('payments.col.gross')} value={<Btc sats={sums.grossSat} />} />
        <Figure label={t('payments.col.fee')} value={<Btc sats={sums.feeSat} />} />
        <Figure label={t('payments.total-net')} value={<Btc sats={sums.netSat} />} />
        {inUsd && <Figure label={t('payments.statement.usd')} value={<Usd usd={sums.usd} />} />}
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
      <p className={styles.note}>{t('payments.statement.note')}</p>
    </>
  );
}

function Months({ months, sums, inUsd }: { months: Month[]; sums: Sums; inUsd: boolean }) {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  const cells = (of: Sums) => (
    <>
      <td>{count(of.days)}</td>
      <td>
        <Btc bare sats={of.grossSat} />
      </td>
      <td>
        <Btc bare sats={of.feeSat} />
      </td>
      <td>
        <Btc bare sats={of.netSat} />
      </td>
      {inUsd && (
        <td>
          <Usd usd={of.usd} />
        </td>
      )}
    </>
  );
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={t('payments.statement.months')}>
        <thead>
          <tr>
            <th scope="col">{t('payments.statement.month')}</th>
            <th scope="col">{t('payments.statement.days')}</th>
            <th scope="col">{t('payments.col.gross')}</th>
            <th scope="col">{t('payments.col.fee')}</th>
            <th scope="col">{t('payments.col.net')}</th>
            {inUsd && <th scope="col">{t('payments.statement.usd')}</th>}
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <tr key={month.month}>
              <th scope="row">{formatMonth(language, 'utc', `${month.month}-01`)}</th>
              {cells(month)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('payments.statement.year')}</th>
            {cells(sums)}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Payouts({ payouts }: { payouts: Payment[] }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={t('payments.statement.payouts')}>
        <thead>
          <tr>
            <th scope="col">{t('payments.statement.sent')}</th>
            <th scope="col">{t('payments.statement.amount')}</th>
            <th scope="col">{t('payments.statement.network-fee')}</th>
            <th scope="col" className={styles.text}>
              {t('payments.statement.txid')}
            </th>
          </tr>
        </thead>
        <tbody>
          {payouts.map(({ id, sentAt, amountSat, networkFeeSat, address, txid }) => (
            <tr key={id}>
              <th scope="row">{sentAt && formatDayClock(language, 'utc', sentAt, true)}</th>
              <td>
                <Btc bare sats={amountSat} />
              </td>
              <td>
                <Btc bare sats={networkFeeSat} />
              </td>
              <td className={styles.text}>
                <bdi dir="ltr">{txid}</bdi>
                <br />
                <bdi dir="ltr">{address}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
