import type { Series } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { QueryState, SeriesChart, Skeleton } from '@pool/shared/ui/core';
import { useHistories, type Whose } from '../../../api/worker-history';
import { useTimeframe } from './inspector-chart';
import styles from './inspector.module.css';

const HEIGHT = { narrow: 240, wide: 240 };

export function ComparisonChart({ lines }: { lines: readonly { name: string; whose: Whose }[] }) {
  const { t } = useTranslation();
  const { timeframe, control } = useTimeframe();
  const histories = useHistories(
    lines.map(({ whose }) => whose),
    timeframe,
  );
  const [series, ...others] = histories.data ?? [];
  const [first, ...rest] = lines.map(({ name }) => name);
  return (
    <section className={styles.course}>
      {control}
      <QueryState query={histories} className={styles.chartSkeleton}>
        <Skeleton height="100%" />
      </QueryState>
      {series && first !== undefined && (
        <SeriesChart
          series={series}
          label={t('workers.compare.chart', { names: [first, ...rest].join(', ') })}
          height={HEIGHT}
          name={first}
          others={rest.map((label, i) => ({ label, points: pointsAt(series, others[i]) }))}
        />
      )}
    </section>
  );
}

/** Points of `other` at the times of `series`, which may have been read a step earlier; null where it has none. */
function pointsAt({ from, step, accepted }: Series, other: Series | undefined): (number | null)[] {
  const shift = other?.step === step ? Math.round((from - other.from) / step) : NaN;
  return accepted.map((_, i) => other?.accepted[i + shift] ?? null);
}
