import type { Series, Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Facts, Loading, QueryError, SeriesChart, Skeleton, StateGlyph, WidgetBoundary, X } from '@pool/shared/ui/core';
import { useEffect, useRef } from 'react';
import { useWorkerHistories } from '../../../api/worker-history';
import { IconButton } from './inspector';
import { useTimeframe } from './inspector-chart';
import styles from './inspector.module.css';
import { WorkerHashrate } from './worker-hashrate';

export type ComparisonProps = { workers: readonly Worker[]; onClose(): void };

const HEIGHT = { narrow: 240, wide: 240 };

/** Hashrates of two to five workers on one chart, in the panel of one. */
export function Comparison({ workers, onClose }: ComparisonProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside className={styles.inspector} aria-label={t('workers.compare.title')} data-inspector="">
      <header className={styles.head}>
        <h2 ref={heading} tabIndex={-1} className={styles.name}>
          {t('workers.compare.title')}
        </h2>
        <IconButton name={t('workers.close')} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <WidgetBoundary>
        <Chart workers={workers} />
      </WidgetBoundary>
      {(['h1', 'h24'] as const).map((window) => (
        <section key={window} className={styles.section} aria-label={t(`workers.${window}`)}>
          <div className={styles.sectionHead}>
            <h3>{t(`workers.${window}`)}</h3>
          </div>
          <Facts
            rows={workers.map((worker) => ({
              key: String(worker.id),
              label: (
                <>
                  <StateGlyph state={worker.state} /> <bdi>{worker.name}</bdi>
                </>
              ),
              value: <WorkerHashrate worker={worker} window={window} />,
            }))}
          />
        </section>
      ))}
    </aside>
  );
}

function Chart({ workers }: { workers: readonly Worker[] }) {
  const { t } = useTranslation();
  const { timeframe, control } = useTimeframe();
  const histories = useWorkerHistories(
    workers.map(({ id }) => id),
    timeframe,
  );
  const [series, ...others] = histories.data ?? [];
  const [first, ...rest] = workers.map(({ name }) => name);
  return (
    <section className={styles.course}>
      {control}
      <QueryError query={histories} />
      {series && first !== undefined ? (
        <SeriesChart
          series={series}
          label={t('workers.compare.title')}
          height={HEIGHT}
          name={first}
          others={rest.map((label, i) => ({ label, points: pointsAt(series, others[i]) }))}
        />
      ) : (
        !histories.error && (
          <Loading className={styles.chartSkeleton}>
            <Skeleton height="100%" />
          </Loading>
        )
      )}
    </section>
  );
}

/** Points of `other` at the times of `series`, which may have been read a step earlier; null where it has none. */
function pointsAt({ from, step, accepted }: Series, other: Series | undefined): (number | null)[] {
  const shift = other?.step === step ? Math.round((from - other.from) / step) : NaN;
  return accepted.map((_, i) => other?.accepted[i + shift] ?? null);
}
