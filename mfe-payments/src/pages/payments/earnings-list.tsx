import { ALGORITHMS, type Earning } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import {
  Btc,
  DASH,
  Facts,
  formatDay,
  Hashrate,
  Panel,
  StateMark,
  Usd,
  useFormat,
  useNarrow,
} from '@pool/shared/ui/core';
import { DayPrice } from './day-price';
import styles from './table.module.css';
import { utcDay } from './range';

type Rows = { rows: readonly Earning[] };
const keyOf = (row: Earning) => `${row.day}/${row.account}/${row.algorithm}`;

/** Groups rows by day. The server sorts by day, so that rows of a day are adjacent. */
function byDay(rows: readonly Earning[]): [day: string, rows: Earning[]][] {
  const days: [string, Earning[]][] = [];
  for (const row of rows) {
    const last = days.at(-1);
    if (last?.[0] === row.day) last[1].push(row);
    else days.push([row.day, [row]]);
  }
  return days;
}

/** `20 Nov`; with the year when it is not the current year. */
const useDayText = () => {
  const { language } = useFormat();
  const year = utcDay().slice(0, 4);
  return (day: string) => formatDay(language, 'utc', day, !day.startsWith(year));
};

/** Earnings grouped by day, newest first: a table, or cards on narrow screens. */
export function EarningsList({ rows }: Rows) {
  return useNarrow() ? <EarningsCards rows={rows} /> : <EarningsTable rows={rows} />;
}

function EarningsTable({ rows }: Rows) {
  const { t } = useTranslation();
  const dayText = useDayText();
  const head = (name: string, className?: string) => (
    <th scope="col" className={className}>
      {t(`payments.col.${name}`)}
    </th>
  );
  const { number, second, third } = styles;
  return (
    <Panel padded={false} className={styles.scroll}>
      <table className={styles.table} aria-label={t('payments.earnings')}>
        <thead>
          <tr>
            {head('day')}
            {head('account')}
            {head('algorithm')}
            {head('hashrate', number)}
            {head('price', `${number} ${second}`)}
            {head('gross', number)}
            {head('fee', `${number} ${second}`)}
            <th scope="col" className={`${number} ${third}`} title={t('payments.col.referral-hint')}>
              {t('payments.col.referral')}
            </th>
            {head('net', number)}
            {head('btc-price', `${number} ${third}`)}
            {head('status')}
          </tr>
        </thead>
        {byDay(rows).map(([day, ofDay]) => (
          <tbody key={day}>
            {ofDay.map((row, index) => (
              <tr key={keyOf(row)}>
                {index === 0 && (
                  <th scope="rowgroup" rowSpan={ofDay.length} className={styles.day}>
                    <time dateTime={day}>{dayText(day)}</time>
                  </th>
                )}
                <td>
                  <bdi>{row.account}</bdi>
                </td>
                <td className={styles.quiet}>{ALGORITHMS[row.algorithm].label}</td>
                <td className={number}>
                  <Hashrate hs={row.meanHashrate} />
                </td>
                <td className={`${number} ${styles.quiet} ${second}`}>
                  <DayPrice row={row} />
                </td>
                <td className={number}>
                  <Btc bare sats={row.grossSat} />
                </td>
                <td className={`${number} ${styles.quiet} ${second}`}>
                  <Btc bare sats={row.feeSat} />
                </td>
                <td className={`${number} ${styles.quiet} ${third}`}>
                  {row.referralSat === 0 ? DASH : <Btc bare sats={row.referralSat} />}
                </td>
                <td className={`${number} ${styles.strong}`}>
                  <Btc bare sats={row.netSat} />
                </td>
                <td className={`${number} ${styles.quiet} ${third}`}>
                  <Usd usd={row.btcPriceUsd} />
                </td>
                <td>
                  <StateMark state={row.status} />
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </Panel>
  );
}

function EarningsCards({ rows }: Rows) {
  const { t } = useTranslation();
  const dayText = useDayText();
  return (
    <ul className={styles.cards} aria-label={t('payments.earnings')}>
      {rows.map((row) => (
        <li key={keyOf(row)}>
          <details className={styles.card}>
            <summary>
              <span>
                <time dateTime={row.day}>{dayText(row.day)}</time> · <bdi>{row.account}</bdi>
              </span>
              <span className={styles.strong}>
                <Btc sats={row.netSat} />
              </span>
              <span className={styles.quiet}>
                <Hashrate hs={row.meanHashrate} /> · {ALGORITHMS[row.algorithm].label}
              </span>
              <StateMark state={row.status} />
            </summary>
            <Facts
              className={styles.more}
              rows={[
                { label: t('payments.col.price'), value: <DayPrice row={row} /> },
                { label: t('payments.col.gross'), value: <Btc sats={row.grossSat} /> },
                { label: t('payments.col.fee'), value: <Btc sats={row.feeSat} /> },
                {
                  label: t('payments.col.referral'),
                  value: row.referralSat === 0 ? DASH : <Btc sats={row.referralSat} />,
                },
                { label: t('payments.col.btc-price'), value: <Usd usd={row.btcPriceUsd} /> },
              ]}
            />
          </details>
        </li>
      ))}
    </ul>
  );
}
