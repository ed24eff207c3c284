import { SATS_PER_BTC } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useSession } from '@pool/shared/remote';
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

/** Net earnings of twelve months; the current month is lighter because it is incomplete. */
export function MonthlyBars() {
  const { t } = useTranslation();
  const { language, btc: bitcoin, decimal } = useFormat();
  const { account } = useSession();
  const monthly = useMonthly();
  const { data } = monthly;
  const narrow = useNarrow();
  const height = narrow ? NARROW : WIDE;
  const total = data?.reduce((sum, month) => sum + month.netSat, 0) ?? 0;
  const note = data && t('payments.monthly.note', { account, total: bitcoin(total, 'headline') });
  const decimals = decimalsFor(Math.max(0, ...(data ?? []).map((month) => month.netSat / SATS_PER_BTC)));
  const thisMonth = utcDay().slice(0, 7);
  // Months before the first earning are left out: nothing could be earned in them.
  const first = data?.findIndex((month) => month.netSat !== 0) ?? 0;
  const bars = data?.slice(Math.max(0, first)).map(({ month, netSat }): Bar => {
    const name = formatMonth(language, 'utc', `${month.slice(0, 7)}-01`);
    const current = month.startsWith(thisMonth);
    const btc = netSat / SATS_PER_BTC;
    return {
      label: current ? t('payments.monthly.so-far', { month: name }) : name,
      value: btc,
      text: decimal(btc, decimals),
      current,
      href: `/payments/?from=${month.slice(0, 7)}-01&to=${current ? utcDay() : lastDayOf(month)}`,
    };
  });
  const content = (
    <>
      <QueryState query={monthly} className={styles.chart}>
        <Skeleton height={height + LABELS} />
      </QueryState>
      {bars && (
        <div className={styles.chart}>
          <BarChart bars={bars} height={height} label={t('payments.monthly.title')} />
        </div>
      )}
    </>
  );
  if (!narrow)
    return (
      <Panel title={t('payments.monthly.title')} extra={note}>
        {content}
      </Panel>
    );
  // Collapsed on a phone, so that the list of earnings comes first.
  return (
    <details className={styles.fold}>
      <summary>
        {t('payments.monthly.title')}
        <ChevronDown />
      </summary>
      <p className={styles.note}>{note}</p>
      {content}
    </details>
  );
}
