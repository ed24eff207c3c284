import { SATS_PER_BTC } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useAccountName } from '@pool/shared/remote';
import { BarChart } from '@pool/shared/ui/chart';
import {
  ChevronDown,
  QueryState,
  Panel,
  Skeleton,
  formatMonth,
  useFormat,
  useNarrow,
  type Bar,
} from '@pool/shared/ui/core';
import { useMonthly } from '../../../api/history';
import { total } from './ledger';
import styles from './monthly-bars.module.css';
import { utcDay } from '../range/range';

/** Heights in pixels: bars on wide and narrow screens, and labels below and above the bars. */
const WIDE = 122;
const NARROW = 88;
const LABELS = 48;

/** Decimals for three significant digits of the largest month; equal for all months, so that they can be compared. */
const decimalsFor = (largestBtc: number): number =>
  largestBtc > 0 ? Math.min(8, Math.max(3, 2 - Math.floor(Math.log10(largestBtc)))) : 3;

const lastDayOf = (month: string): string => {
  const [year = 0, of = 0] = month.split('-').map(Number);
  return utcDay(Date.UTC(year, of, 0));
};

/** Net earnings, or payouts, of twelve months; the current month is lighter because it is incomplete. */
export function MonthlyBars({ of = 'net' }: { of?: 'net' | 'paid' }) {
  const { t } = useTranslation();
  const { language, btc: bitcoin, decimal } = useFormat();
  const account = useAccountName();
  const monthly = useMonthly();
  const data = monthly.data?.map(({ month, netSat, paidSat = 0 }) => ({
    month,
    sats: of === 'net' ? netSat : paidSat,
  }));
  const title = t(of === 'net' ? 'payments.monthly.title' : 'payments.monthly.paid');
  const narrow = useNarrow();
  const height = narrow ? NARROW : WIDE;
  const note = data && t('payments.monthly.note', { account, total: bitcoin(total(data, 'sats'), 'headline') });
  const decimals = decimalsFor(Math.max(0, ...(data ?? []).map((month) => month.sats / SATS_PER_BTC)));
  const thisMonth = utcDay().slice(0, 7);
  // Months before the first amount are left out: there could be none in them.
  const first = data?.findIndex((month) => month.sats !== 0) ?? 0;
  const bars = data?.slice(Math.max(0, first)).map(({ month, sats }): Bar => {
    const name = formatMonth(language, 'utc', `${month.slice(0, 7)}-01`);
    const current = month.startsWith(thisMonth);
    const btc = sats / SATS_PER_BTC;
    return {
      label: current ? t('payments.monthly.so-far', { month: name }) : name,
      value: btc,
      text: decimal(btc, decimals),
      current,
      href: `/payments/?${of === 'net' ? '' : 'tab=payouts&'}from=${month.slice(0, 7)}-01&to=${current ? utcDay() : lastDayOf(month)}`,
    };
  });
  const content = (
    <>
      <QueryState query={monthly} className={styles.chart}>
        <Skeleton height={height + LABELS} />
      </QueryState>
      {bars && (
        <div className={styles.chart}>
          <BarChart bars={bars} height={height} label={title} />
        </div>
      )}
    </>
  );
  if (!narrow)
    return (
      <Panel title={title} extra={note}>
        {content}
      </Panel>
    );
  // Collapsed on a phone, so that the list of earnings comes first.
  return (
    <details className={styles.fold}>
      <summary>
        {title}
        <ChevronDown />
      </summary>
      <p className={styles.note}>{note}</p>
      {content}
    </details>
  );
}
