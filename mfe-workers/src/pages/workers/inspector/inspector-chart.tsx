import { hashrateUnit, type Series, type Timeframe, type Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { oneOf, useUrlState } from '@pool/shared/router';
import { QueryState, Segmented, SeriesChart, Skeleton, useFormat, usePhone } from '@pool/shared/ui/core';
import { useWorkerHistory } from '../../../api/worker-history';
import styles from './inspector.module.css';

const TIMEFRAMES = ['h2', 'd1', 'd7', 'd30'] as const satisfies readonly Timeframe[];
const PLACE = { timeframe: oneOf(TIMEFRAMES) };
type Shown = (typeof TIMEFRAMES)[number];
const HEIGHT = { narrow: 160, wide: 160 };

export function useTimeframe() {
  const { t } = useTranslation();
  const [{ timeframe = 'd1' }, set] = useUrlState(PLACE);
  const phone = usePhone();
  const control = (
    <div className={styles.timeframes}>
      <Segmented<Shown>
        size={phone ? 'middle' : 'small'}
        aria-label={t('workers.timeframe')}
        value={timeframe}
        onChange={(next) => set({ timeframe: next })}
        options={TIMEFRAMES.map((value) => ({ value, label: t(`workers.timeframe.${value}`) }))}
      />
    </div>
  );
  return { timeframe, control };
}

export function InspectorChart({ worker }: { worker: Worker }) {
  const { t } = useTranslation();
  const { timeframe, control } = useTimeframe();
  const history = useWorkerHistory(worker.id, timeframe);
  return (
    <section className={styles.course} aria-label={t('workers.chart', { name: worker.name })}>
      {control}
      <QueryState query={history} className={styles.chartSkeleton}>
        <Skeleton height="100%" />
      </QueryState>
      {history.data && <Chart series={history.data} worker={worker} />}
    </section>
  );
}

function Chart({ series, worker: { name, h24, minedSince, alertLimit } }: { series: Series; worker: Worker }) {
  const { t } = useTranslation();
  const { hashrateText } = useFormat();
  const limit = h24 * alertLimit;
  const unit = hashrateUnit(Math.max(h24, ...series.accepted.map((hs) => hs ?? 0)));
  const line = (key: string, value: number) =>
    value > 0 ? { value, label: t(`workers.${key}`, { value: hashrateText(value, unit) }) } : undefined;
  return (
    <SeriesChart
      series={series}
      label={t('workers.chart', { name })}
      height={HEIGHT}
      lane
      mean={minedSince === undefined ? line('mean24h', h24) : undefined}
      limit={minedSince === undefined ? line('alertLimit', limit) : undefined}
    />
  );
}
